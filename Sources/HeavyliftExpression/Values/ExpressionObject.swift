/// Something that expressions ask for the values of its keys, and call functions of.
///
/// An object of a store is one, and so are a migration manager and an entity policy.
public protocol ExpressionObject: AnyObject, SendableMetatype {
  /// The value of a key. A key that does not exist is an error and not nil: a misspelt name that quietly became nil
  /// would be written over the user's data.
  func value(forKey key: String) throws -> ExpressionValue

  /// The value of a key that an `ExpressionObjectShape` gave a slot.
  ///
  /// An object that is of another shape than was announced looks the key up by its name.
  func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue

  /// What the object stands for, if it is made anew whenever it is asked for: two of one identity are the same.
  var identity: String? { get }

  /// The value of a key that an `ExpressionObjectShape` gave a slot, if it is a number, a Boolean or nil.
  ///
  /// What calculates asks for this first, and for the value itself only where it is told that it is something else. An
  /// object whose values are at hand should have a method of its own, which need not make a value of them.
  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar
}

extension ExpressionObject {
  /// Looks the key up by its name.
  public func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue { try value(forKey: key) }

  /// None: the object is the same only as itself.
  public var identity: String? { nil }

  /// Asks for the value.
  public func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar {
    ExpressionScalar(try value(forKey: key, at: slot))
  }
}

/// Where an object holds the value of a key, told once for all objects of a shape.
public struct ExpressionSlot: Hashable, Sendable {
  /// Says whose slots these are; an object that does not know it must not use the number.
  public var owner: ObjectIdentifier
  public var number: Int

  /// Creates a slot.
  public init(owner: ObjectIdentifier, number: Int) {
    self.owner = owner
    self.number = number
  }
}

/// What is known about objects before there are any: where they hold their values, and what stands behind a key.
///
/// An entity of an opened store is one. A key path over it is resolved once, when the expression is compiled.
public protocol ExpressionObjectShape: Sendable {
  /// Where objects of this shape hold the value of the key, if they do.
  func slot(forKey key: String) -> ExpressionSlot?

  /// The shape of the object behind a to-one key.
  func shape(forKey key: String) -> (any ExpressionObjectShape)?
}
