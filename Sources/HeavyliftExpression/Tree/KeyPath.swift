/// The keys behind an expression, one after the other.
public struct KeyPath: Hashable, Sendable {
  /// One step.
  public enum Key: Hashable, Sendable {
    /// A property, or a key of an object.
    case name(String)
    /// An operator over a collection; the keys behind it belong to the collection's elements.
    case collection(CollectionOperator)
    /// `SELF` within a path: the element itself.
    case element
  }

  public var keys: [Key]

  /// Creates a path; there is at least one key.
  public init(_ keys: [Key]) { self.keys = keys }
}

/// What is done with a collection in the middle of a key path. The raw values are the spellings behind `@`.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}
