import HeavyliftExpression

/// Functions of expressions take and give objects: `$source`, and what they make of it.
extension ManagedObject: ExpressionReference {
  /// The term for managed objects in messages.
  public static var expressionKind: String { "an object of a store" }
}
