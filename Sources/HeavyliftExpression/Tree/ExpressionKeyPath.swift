/// The keys of a key path, in order.
public struct ExpressionKeyPath: Sendable {
  /// One step of a key path.
  public enum Key: Hashable, Sendable {
    /// A property, or a key of an object.
    case name(String)
    /// An operator on a collection; the keys after it belong to the collection's elements.
    case collection(CollectionOperator)
    /// `SELF` within a path: the element itself.
    case element
  }

  public var keys: [Key]
  /// The range of each key, including a prefix such as `@`; empty for a path that was not parsed from text.
  public var ranges: [SourceRange]

  /// Creates a path with at least one key.
  public init(_ keys: [Key], at ranges: [SourceRange] = []) {
    self.keys = keys
    self.ranges = ranges
  }

  /// Returns the range of a key, if the path was parsed from text.
  public func range(ofKeyAt index: Int) -> SourceRange? {
    ranges.indices.contains(index) ? ranges[index] : nil
  }
}

extension ExpressionKeyPath: Hashable {
  /// Compares the keys, not their ranges.
  public static func == (lhs: ExpressionKeyPath, rhs: ExpressionKeyPath) -> Bool { lhs.keys == rhs.keys }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

/// A collection operator in a key path. The raw values are the spellings after `@`.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}
