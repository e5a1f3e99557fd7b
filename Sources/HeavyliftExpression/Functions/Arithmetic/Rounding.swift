import Foundation

/// Calls a function whose result is a floating-point number, if that can hold the number. Other numbers are a mistake:
/// they would be changed silently.
private func callExactly(
  _ operand: ExpressionValue, _ name: String, _ function: (Double) -> Double, _ decimalFunction: (Decimal) -> Decimal
) throws(EvaluationMistake) -> ExpressionValue {
  switch operand {
  case .integer(let number):
    guard let exact = Double(exactly: number) else { throw .inexact(name) }
    return .double(function(exact))
  case .decimal(let number) where !number.isNaN:
    let result = decimalFunction(number)
    guard let exact = Double("\(result)"), Decimal(string: "\(exact)") == result else { throw .inexact(name) }
    return .double(exact)
  default: return try callReal(operand, name, function)
  }
}

extension Decimal {
  fileprivate func rounded(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var (result, number) = (Decimal(), self)
    NSDecimalRound(&result, &number, 0, mode)
    return result
  }
}

/// The number without its sign.
enum AbsoluteValue: UnaryFunction {
  static let function = BuiltinFunction.absolute

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callExactly(operand, name, \.magnitude, \.magnitude)
  }
}

/// The number rounded up to a whole number.
enum Ceiling: UnaryFunction {
  static let function = BuiltinFunction.ceiling

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callExactly(operand, name, { $0.rounded(.up) }, { $0.rounded(.up) })
  }
}

/// The number rounded down to a whole number.
enum Floor: UnaryFunction {
  static let function = BuiltinFunction.floor

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callExactly(operand, name, { $0.rounded(.down) }, { $0.rounded(.down) })
  }
}

/// The number without its fraction.
enum Truncation: UnaryFunction {
  static let function = BuiltinFunction.truncate

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try callExactly(operand, name, { $0.rounded(.towardZero) }, { $0.rounded($0 < 0 ? .up : .down) })
  }
}
