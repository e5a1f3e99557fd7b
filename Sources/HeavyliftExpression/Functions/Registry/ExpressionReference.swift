/// An object that expression functions take and return as is, such as an object of a store or a migration manager.
///
/// Adopted by classes that are `ExpressionObject`s. A class cannot adopt this protocol through a class-bound protocol,
/// whose initializer cannot return an existing object.
public protocol ExpressionReference: ExpressionConvertible {}

extension ExpressionReference {
  /// Returns the object in the value, or `nil` if the value is of another kind.
  public init?(expressionValue: ExpressionValue) {
    guard case .object(let object) = expressionValue, let object = object as? Self else { return nil }
    self = object
  }

  /// The expression value.
  public var expressionValue: ExpressionValue {
    (self as? any ExpressionObject).map(ExpressionValue.object) ?? .null
  }
}
