public import HeavyliftModel

/// One thing in which a graph is not what was expected.
public struct GraphDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// No object can be the expected one.
    case missing
    /// Nobody expects the object.
    case unexpected
    /// An attribute has another value.
    case value(String, expected: Value, found: Value)
    /// The names of targets; of unordered relationships in order of name.
    case targets(String, expected: [String], found: [String])
  }

  /// What differs.
  public var kind: Kind
  /// Of the object.
  public var entityName: String
  /// Its name in the graph that was expected, or else in the other.
  public var object: String
  /// Where the expectation stands.
  public var location: SourceLocation?

  /// The property that differs.
  public var propertyName: String? {
    switch kind {
    case .missing, .unexpected: nil
    case .value(let name, _, _), .targets(let name, _, _): name
    }
  }
}
