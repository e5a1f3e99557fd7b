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
    case .decimals(let left, let right): return try calculate(left, right, of: name, with: NSDecimalMultiply)
    case .doubles(let left, let right): return .double(left * right)
    }
  }
}
