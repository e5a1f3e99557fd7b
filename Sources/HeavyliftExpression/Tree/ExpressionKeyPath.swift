/// The keys of a key path, in order.
public struct ExpressionKeyPath: Sendable {
  /// One step of a key path.
  package enum Key: Hashable, Sendable {
    /// A property, or a key of an object.
    case name(String)
    /// An operator on a collection; the keys after it belong to the collection's elements.
    case collection(CollectionOperator)
    /// `SELF` within a path: the element itself.
    case element
  }

  package var keys: [Key]
  /// The range of each key, including a prefix such as `@`; empty for a path that was not parsed from text.
  package var ranges: [SourceRange]

  /// Creates a path with at least one key.
  package init(_ keys: [Key], at ranges: [SourceRange] = []) {
    self.keys = keys
    self.ranges = ranges
  }

  /// Creates a path from the names of properties, which may contain dots.
  public init(names: [String]) { self.init(names.map { .name($0) }) }

  /// Returns the range of a key, if the path was parsed from text.
  package func range(ofKeyAt index: Int) -> SourceRange? {
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
package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects
  case unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}
