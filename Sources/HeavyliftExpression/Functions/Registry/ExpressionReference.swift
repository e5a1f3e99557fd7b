/// An object that functions of expressions take and give as what it is: an object of a store, a migration manager.
///
/// Adopted by classes that are `ExpressionObject`s. No class can adopt it by a class-bound protocol: an initializer of
/// one cannot give an object that exists already.
public protocol ExpressionReference: ExpressionConvertible {}

extension ExpressionReference {
  /// Finds the object in the value, or nil if the value is of another kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .object(let object) = expressionValue, let object = object as? Self else { return nil }
    self = object
  }

  /// The value for an expression.
  public var expressionValue: ExpressionValue {
    (self as? any ExpressionObject).map(ExpressionValue.object) ?? .null
  }
}
