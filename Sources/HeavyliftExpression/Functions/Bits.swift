/// Returns two integers for a bitwise operation; nil if an operand is nil. Fractions are truncated, as by
/// `integerValue`.
func bits(
  _ left: ExpressionValue, _ right: ExpressionValue, _ name: String
) throws(EvaluationMistake) -> (Int64, Int64)? {
  guard let left = try bits(left, name), let right = try bits(right, name) else { return nil }
  return (left, right)
}

/// Returns an integer for a bitwise operation; nil if the operand is nil.
func bits(_ operand: ExpressionValue, _ name: String) throws(EvaluationMistake) -> Int64? {
  if operand.isNull { return nil }
  guard let number = Number(operand) else {
    throw .wrongOperand(of: name, expected: "whole numbers", found: operand.kind)
  }
  guard let whole = number.truncated else { throw .overflow(name) }
  return whole
}

/// Bitwise AND.
enum BitwiseAnd: BinaryFunction {
  static let function = BuiltinFunction.bitwiseAnd

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left & right)
  }
}

/// Bitwise OR.
enum BitwiseOr: BinaryFunction {
  static let function = BuiltinFunction.bitwiseOr

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left | right)
  }
}

/// Bitwise XOR.
enum BitwiseXor: BinaryFunction {
  static let function = BuiltinFunction.bitwiseXor

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left ^ right)
  }
}

/// Shifts bits left. A negative distance shifts right; for a distance above 63, the result is 0, as in SQLite.
enum LeftShift: BinaryFunction {
  static let function = BuiltinFunction.leftShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left << right)
  }
}

/// Shifts bits right. A negative distance shifts left; for a distance above 63, only the sign remains, as in SQLite.
enum RightShift: BinaryFunction {
  static let function = BuiltinFunction.rightShift

  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue {
    guard let (left, right) = try bits(left, right, name) else { return .null }
    return .integer(left >> right)
  }
}

/// Bitwise complement.
enum OnesComplement: UnaryFunction {
  static let function = BuiltinFunction.onesComplement

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let bits = try bits(operand, name) else { return .null }
    return .integer(~bits)
  }
}
