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
    /// The names of targets; of unordered relationships in order of name.
    case targets(String, expected: [String], found: [String])
  }

  /// The kind of difference.
  public var kind: Kind
  /// Of the object.
  public var entityName: String
  /// Its name in the graph that was expected, or else in the other.
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
