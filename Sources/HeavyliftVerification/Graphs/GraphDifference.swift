public import HeavyliftModel

/// A difference between a graph and the expected one.
public struct GraphDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    /// The expected object is missing.
    case missing
    /// The object is unexpected.
    case unexpected
    /// An attribute has another value.
    case value(String, expected: Value, found: Value)
    /// A relationship has other targets; those of an unordered one are sorted by name.
    case targets(String, expected: [String], found: [String])
  }

  /// The kind of difference.
  public var kind: Kind
  /// The name of the object's entity.
  public var entityName: String
  /// The object's name in the expected graph, or else in the other one.
  public var object: String
  /// The location of the expectation.
  public var location: SourceLocation?

  /// The property that differs.
  public var propertyName: String? {
    switch kind {
    case .missing, .unexpected: nil
    case .value(let name, _, _), .targets(let name, _, _): name
    }
  }
}
