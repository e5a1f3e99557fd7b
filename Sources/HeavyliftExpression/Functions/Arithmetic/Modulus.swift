import Foundation

/// The remainder of a division with a whole quotient; it has the sign of the dividend.
enum Modulus: ScalarFunction {
  static let function = BuiltinFunction.modulus

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(_, 0): throw .divisionByZero(name)
    // The quotient of the smallest integer and -1 would overflow; the remainder is still 0.
    case .integers(_, -1): return .integer(0)
    case .integers(let left, let right): return .integer(left % right)
    case .decimals(let left, let right): return try remainder(left, right)
    case .doubles(let left, let right): return .double(left.truncatingRemainder(dividingBy: right))
    }
  }

  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar {
    combine(
      left, right, integers: { $0.remainderReportingOverflow(dividingBy: $1) },
      doubles: { $0.truncatingRemainder(dividingBy: $1) })
  }

  private static func remainder(_ left: Decimal, _ right: Decimal) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNaN || right.isNaN { return .decimal(.nan) }
    guard case .decimal(var quotient) = try calculate(left, right, of: name, with: NSDecimalDivide) else {
      return .null
    }
    var whole = Decimal()
    NSDecimalRound(&whole, &quotient, 0, quotient.isSignMinus ? .up : .down)
    // A quotient with more digits than a decimal can hold is rounded, which would make the remainder meaningless.
    if whole.magnitude >= Decimal(sign: .plus, exponent: 37, significand: 1) { throw .overflow(name) }
    return try Subtraction.call(.decimal(left), Multiplication.call(.decimal(whole), .decimal(right)))
  }
}
