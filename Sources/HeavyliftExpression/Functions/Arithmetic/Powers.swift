import Foundation

/// Calls a function on a real number: nil stays nil, and every number becomes a floating-point number.
func callReal(
  _ operand: ExpressionValue, _ name: String, _ function: (Double) -> Double
) throws(EvaluationMistake) -> ExpressionValue {
  if operand.isNull { return .null }
  guard let number = Number(operand) else {
    throw .wrongOperand(of: name, expected: "a number", found: operand.kind)
  }
  return .double(function(number.double))
}

/// The square root; NaN for a negative number.
enum SquareRoot: UnaryFunction {
  static let function = BuiltinFunction.squareRoot

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name) { $0.squareRoot() }
  }
}

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

/// e raised to the power of a number.
enum Exponential: UnaryFunction {
  static let function = BuiltinFunction.exponential

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, exp)
  }
}

/// The logarithm to base 10.
enum Logarithm: UnaryFunction {
  static let function = BuiltinFunction.logarithm

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, log10)
  }
}

/// The logarithm to base e.
enum NaturalLogarithm: UnaryFunction {
  static let function = BuiltinFunction.naturalLogarithm

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callReal(operand, name, log)
  }
}
