import Foundation

/// `a + b`: the sum of two numbers, or a date plus a number of seconds.
enum Addition: ScalarFunction {
  static let function = BuiltinFunction.add

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right {
      return try checked(first.addingReportingOverflow(second), of: name)
    }
    switch (left, right) {
    case (.date(let date), _):
      if let seconds = Number(right)?.double { return .date(date + seconds) }
    case (_, .date(let date)):
      if let seconds = Number(left)?.double { return .date(date + seconds) }
    default: break
    }
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(let left, let right): return try checked(left.addingReportingOverflow(right), of: name)
    case .decimals(let left, let right): return try calculate(left, right, of: name, with: NSDecimalAdd)
    case .doubles(let left, let right): return .double(left + right)
    }
  }

  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar {
    combine(left, right, integers: { $0.addingReportingOverflow($1) }, doubles: +)
  }
}
