import HeavyliftModel

/// A difference between a graph and the expected one.
package struct GraphDifference: Hashable, Sendable {
  /// The kind of difference.
  package enum Kind: Hashable, Sendable {
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
  package var kind: Kind
  /// The name of the object's entity.
  package var entityName: String
  /// The object's name in the expected graph, or in the other graph if the object is unexpected.
  package var object: String
  /// The location of the object or property in the expected graph's file.
  package var location: DiagnosticLocation?

  /// The property that differs.
  package var propertyName: String? {
    switch kind {
    case .missing, .unexpected: nil
    case .value(let name, _, _), .targets(let name, _, _): name
    }
  }
}
