import Foundation

/// `a / b`: the quotient of two numbers. For two integers, the result is an integer and the remainder is dropped.
enum Division: ScalarFunction {
  static let function = BuiltinFunction.divide

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(_, 0): throw .divisionByZero(name)
    case .integers(let left, let right): return try checked(left.dividedReportingOverflow(by: right), of: name)
    case .decimals(let left, let right): return try calculate(left, right, of: name, with: NSDecimalDivide)
    case .doubles(let left, let right): return .double(left / right)
    }
  }

  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar {
    combine(left, right, integers: { $0.dividedReportingOverflow(by: $1) }, doubles: /)
  }
}
