import Foundation

/// `a * b`: the product of two numbers.
enum Multiplication: ScalarFunction {
  static let function = BuiltinFunction.multiply

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right {
      return try checked(first.multipliedReportingOverflow(by: second), of: name)
    }
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(let left, let right): return try checked(left.multipliedReportingOverflow(by: right), of: name)
    case .decimals(let left, let right): return try product(left, right)
    case .doubles(let left, let right): return .double(left * right)
    }
  }

  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar {
    combine(left, right, integers: { $0.multipliedReportingOverflow(by: $1) }, doubles: *)
  }

  /// Returns the product of decimals. `NSDecimalMultiply` in Linux's Foundation crashes if the sum of the exponents
  /// exceeds eight bits. Near that limit, the exponents are removed first and restored by a function that reports
  /// overflow.
  private static func product(_ left: Decimal, _ right: Decimal) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNaN || right.isNaN { return .decimal(.nan) }
    let exponent = left.exponent + right.exponent
    if left.isNaN || right.isNaN || exponent.magnitude < 80 {
      return try calculate(left, right, of: name, with: NSDecimalMultiply)
    }
    if left == 0 || right == 0 { return .decimal(0) }
    let significands = left.magnitude.significand * right.magnitude.significand
    let isNegative = left.isSignMinus != right.isSignMinus
    return try calculate(isNegative ? -significands : significands, 0, of: name) { result, significands, _, mode in
      NSDecimalMultiplyByPowerOf10(result, significands, Int16(exponent), mode)
    }
  }
}
