import HeavyliftExpression

/// Lets functions of expressions take objects such as `$source` as arguments, and return objects.
extension ManagedObject: ExpressionReference {
  /// The term for managed objects in messages.
  public static var expressionKind: String { "an object of a store" }
}
