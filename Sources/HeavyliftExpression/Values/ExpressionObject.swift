/// An object with keys and functions that expressions can use.
///
/// Objects of a store, migration managers and entity policies conform to this protocol.
public protocol ExpressionObject: AnyObject, SendableMetatype {
  /// Returns the value of a key. An unknown key is an error, not nil: a misspelled name that silently became nil would
  /// overwrite the user's data.
  func value(forKey key: String) throws -> ExpressionValue

  /// Returns the value of a key for which an `ExpressionObjectShape` has a slot.
  ///
  /// An object with a different shape than declared looks the key up by name.
  func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue

  /// The identity of an object that is recreated on each access: instances with the same identity are equal. Nil for
  /// other objects.
  var identity: String? { get }

  /// Returns the value of a key for which an `ExpressionObjectShape` has a slot, if it is a number, a Boolean or nil.
  ///
  /// Arithmetic calls this first, and asks for the value itself only if the result is `other`. Implement this method if
  /// your object can read values without creating an `ExpressionValue`.
  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar
}

extension ExpressionObject {
  /// Looks up the key by name.
  public func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue { try value(forKey: key) }

  /// Returns `nil`: the object is only equal to itself.
  public var identity: String? { nil }

  /// Creates the scalar from the value.
  public func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar {
    ExpressionScalar(try value(forKey: key, at: slot))
  }
}

/// The location of a key's value in all objects of a shape.
public struct ExpressionSlot: Hashable, Sendable {
  /// The owner of the slots; an object that does not recognize the owner must not use the number.
  public var owner: ObjectIdentifier
  public var number: Int

  /// Creates a slot.
  public init(owner: ObjectIdentifier, number: Int) {
    self.owner = owner
    self.number = number
  }
}

/// The static facts about objects: where they hold their values, and what a key refers to.
///
/// An entity of an opened store is a shape. A key path on it is resolved once, when the expression is compiled.
public protocol ExpressionObjectShape: Sendable {
  /// Returns the slot for a key, if objects of this shape have one.
  func slot(forKey key: String) -> ExpressionSlot?

  /// Returns the shape of the object that a to-one key refers to.
  func shape(forKey key: String) -> (any ExpressionObjectShape)?
}
