/// A built-in function of one argument without side effects.
///
/// Functions take plain values, so that compiled expressions and functions registered with SQLite can both use them.
protocol UnaryFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue
}

/// A built-in function of two arguments without side effects.
protocol BinaryFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(
    _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationMistake) -> ExpressionValue
}

/// A built-in function that depends on its context; two calls may have different results.
protocol WorldlyFunction: SendableMetatype {
  static var function: BuiltinFunction { get }
  static func call(
    _ arguments: [ExpressionValue], in context: inout EvaluationContext
  ) throws(EvaluationMistake) -> ExpressionValue
}

extension UnaryFunction {
  /// The name in messages.
  static var name: String { function.rawValue }
}

extension BinaryFunction {
  /// The name in messages: the operator if there is one.
  static var name: String { function.infixSymbol ?? function.rawValue }
}

extension WorldlyFunction {
  /// The name in messages.
  static var name: String { function.rawValue }
}
