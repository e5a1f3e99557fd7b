import Foundation

/// `a ** b`: a power, always as a floating-point number.
enum Power: BinaryFunction {
  static let function = BuiltinFunction.power

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    if left.isNull || right.isNull { return .null }
    guard let base = Number(left), let exponent = Number(right) else {
      throw .wrongOperand(of: name, expected: "numbers", found: (Number(left) == nil ? left : right).kind)
    }
    return .double(pow(base.double, exponent.double))
  }
}
