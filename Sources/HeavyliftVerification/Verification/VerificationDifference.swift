public import HeavyliftModel
public import HeavyliftStore

/// A difference between a migrated store and its mapping.
public struct VerificationDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    /// The mapping takes the source object, but the object has no counterpart.
    case missing
    /// The source object has several counterparts, but the mapping declares one.
    case several(Int)
    /// No entity mapping creates the object.
    case unexpected
    /// An attribute has a different value.
    case value(expected: Value, found: Value)
    /// A relationship has different targets; those of an unordered relationship are sorted by key.
    case targets(expected: [ManagedObjectID], found: [ManagedObjectID])
    /// The expression could not be evaluated, for the given reason.
    case failed(String)
  }

  /// The kind of difference.
  public var kind: Kind
  /// The entity mapping; `nil` for an object that no mapping creates.
  public var entityMappingName: String?
  /// The property; `nil` if the difference is about the whole object.
  public var propertyName: String?
  /// The object in the old store.
  public var source: ManagedObjectID?
  /// The object in the new store.
  public var destination: ManagedObjectID?
  /// The location in the mapping file that declares the expected value.
  public var location: DiagnosticLocation?
}
