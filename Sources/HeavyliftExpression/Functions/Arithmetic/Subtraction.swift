import Foundation

/// `a - b`: the difference of two numbers, a date minus a number of seconds, or the seconds between two dates.
enum Subtraction: ScalarFunction {
  static let function = BuiltinFunction.subtract

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    // The most frequent case first.
    if case .integer(let first) = left, case .integer(let second) = right {
      return try checked(first.subtractingReportingOverflow(second), of: name)
    }
    switch (left, right) {
    case (.date(let later), .date(let earlier)):
      return .double(later.timeIntervalSinceReferenceDate - earlier.timeIntervalSinceReferenceDate)
    case (.date(let date), _):
      if let seconds = Number(right)?.double { return .date(date - seconds) }
    default: break
    }
    switch try NumericOperands(left, right, of: name) {
    case nil: return .null
    case .integers(let left, let right): return try checked(left.subtractingReportingOverflow(right), of: name)
    case .decimals(let left, let right): return try calculate(left, right, of: name, with: NSDecimalSubtract)
    case .doubles(let left, let right): return .double(left - right)
    }
  }

  static func callScalar(_ left: ExpressionScalar, _ right: ExpressionScalar) -> ExpressionScalar {
    combine(left, right, integers: { $0.subtractingReportingOverflow($1) }, doubles: -)
  }
}
