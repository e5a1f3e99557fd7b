/// The keys behind an expression, one after the other.
public struct KeyPath: Sendable {
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
  /// Where each key stands, signs before it included; empty for a path that was not read from a text.
  public var ranges: [SourceRange]

  /// Creates a path; there is at least one key.
  public init(_ keys: [Key], at ranges: [SourceRange] = []) {
    self.keys = keys
    self.ranges = ranges
  }

  /// Where a key stands, if the path was read from a text.
  public func range(ofKeyAt index: Int) -> SourceRange? {
    ranges.indices.contains(index) ? ranges[index] : nil
  }
}

extension KeyPath: Hashable {
  /// Compares the keys, not where they stand.
  public static func == (lhs: KeyPath, rhs: KeyPath) -> Bool { lhs.keys == rhs.keys }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

/// What is done with a collection in the middle of a key path. The raw values are the spellings behind `@`.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}
