public import HeavyliftModel
public import HeavyliftStore

/// A difference between a migrated store and its mapping.
public struct VerificationDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    /// The mapping takes the source object, but it has no counterpart.
    case missing
    /// The source object has several counterparts, but the mapping declares one.
    case several(Int)
    /// No entity mapping creates the object.
    case unexpected
    /// An attribute has another value.
    case value(expected: Value, found: Value)
    /// In order of keys if the relationship is not ordered.
    case targets(expected: [ManagedObjectID], found: [ManagedObjectID])
    /// The expression has no value; the message of the error.
    case failed(String)
  }

  /// The kind of difference.
  public var kind: Kind
  /// `nil` for an object that no mapping creates.
  public var entityMappingName: String?
  /// `nil` if the difference is about the whole object.
  public var propertyName: String?
  /// In the old store.
  public var source: ManagedObjectID?
  /// In the new store.
  public var destination: ManagedObjectID?
  /// The location in the mapping that declares the expected value.
  public var location: SourceLocation?
}
