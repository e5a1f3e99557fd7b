public import HeavyliftModel
public import HeavyliftStore

/// One thing in which a migrated store is not what its mapping says.
public struct VerificationDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// The mapping takes the source object, and nothing came of it.
    case missing
    /// Several objects came of the source object, where the mapping declares one.
    case several(Int)
    /// No entity mapping makes the object.
    case unexpected
    /// An attribute has another value.
    case value(expected: Value, found: Value)
    /// In order of keys if the relationship is not ordered.
    case targets(expected: [ManagedObjectID], found: [ManagedObjectID])
    /// The expression has no value; the message of the error.
    case failed(String)
  }

  /// What differs.
  public var kind: Kind
  /// Nil for an object that no mapping makes.
  public var entityMappingName: String?
  /// Nil where the object as a whole is meant.
  public var propertyName: String?
  /// In the old store.
  public var source: ManagedObjectID?
  /// In the new store.
  public var destination: ManagedObjectID?
  /// Where the mapping says what was expected.
  public var location: SourceLocation?
}
