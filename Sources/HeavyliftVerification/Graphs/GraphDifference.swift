public import HeavyliftModel

/// A difference between a graph and the expected one.
public struct GraphDifference: Hashable, Sendable {
  /// The kind of difference.
  public enum Kind: Hashable, Sendable {
    /// The expected object is missing.
    case missing
    /// The object is unexpected.
    case unexpected
    /// An attribute has a different value.
    case value(String, expected: Value, found: Value)
    /// A relationship has different targets; those of an unordered relationship are sorted by name.
    case targets(String, expected: [String], found: [String])
  }

  /// The kind of difference.
  public var kind: Kind
  /// The name of the object's entity.
  public var entityName: String
  /// The object's name in the expected graph, or in the other graph if the object is unexpected.
  public var object: String
  /// The location of the object or property in the expected graph's file.
  public var location: DiagnosticLocation?

  /// The property that differs.
  public var propertyName: String? {
    switch kind {
    case .missing, .unexpected: nil
    case .value(let name, _, _), .targets(let name, _, _): name
    }
  }
}
