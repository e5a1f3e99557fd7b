/// A built-in function of one argument, which depends on nothing but it.
///
/// Functions are called on plain values, from compiled expressions and from functions registered with SQLite alike.
protocol UnaryFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue
}

/// A built-in function of two arguments, which depends on nothing but them.
protocol BinaryFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue
}

/// A built-in function that depends on the world; no two calls need give the same.
protocol WorldlyFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue
}

extension UnaryFunction {
  /// What stands in messages.
  static var name: String { function.rawValue }
}

extension BinaryFunction {
  /// What stands in messages: the operator where there is one.
  static var name: String { function.infixSymbol ?? function.rawValue }
}

extension WorldlyFunction {
  /// What stands in messages.
  static var name: String { function.rawValue }
}
