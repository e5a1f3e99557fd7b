import Foundation

/// `a * b`: the product of two numbers.
enum Multiplication: BinaryFunction {
  static let function = BuiltinFunction.multiply

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(let left, let right): return try checked(left.multipliedReportingOverflow(by: right), of: name)
    case .decimals(let left, let right): return try product(left, right)
    case .doubles(let left, let right): return .double(left * right)
    }
  }

  /// `NSDecimalMultiply` ends the process where the exponents add up to less than a decimal's can be.
  private static func product(_ left: Decimal, _ right: Decimal) throws(EvaluationMistake) -> ExpressionValue {
    let lowest = -128
    let shift = lowest - left.exponent - right.exponent
    if shift <= 0 || left.isZero || right.isZero {
      return try calculate(left, right, of: name, with: NSDecimalMultiply)
    }
    let raised = Decimal(sign: left.sign, exponent: left.exponent + shift, significand: left.significand)
    guard case .decimal(var product) = try calculate(raised, right, of: name, with: NSDecimalMultiply) else { return 0 }
    var rounded = Decimal()
    NSDecimalRound(&rounded, &product, -lowest - shift, .plain)
    if rounded.isZero { return .decimal(0) }
    return .decimal(
      Decimal(sign: rounded.sign, exponent: rounded.exponent - shift, significand: rounded.significand))
  }
}
