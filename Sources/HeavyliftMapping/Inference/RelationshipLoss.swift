import HeavyliftModel

/// The words of a mapping file that drop the links of a relationship that lead to objects of other entities than it leads
/// to in the new version.
package struct RelationshipLoss: Hashable, Sendable {
  private let name: String
  private let requiresTarget: Bool
  /// The names of the entity mappings that create objects of the right entities.
  private let fitting: [String]

  /// - Parameters:
  ///   - relationship: The destination relationship.
  ///   - fitting: The names of the entity mappings that create objects to which it can lead.
  package init(_ relationship: RelationshipDescription, fitting: [String]) {
    (name, requiresTarget, self.fitting) = (relationship.name, relationship.requiresTarget, fitting)
  }

  /// The XML that drops the links, for the entity mapping of the relationship; nil if a mandatory relationship would stay
  /// empty.
  package var permission: String? {
    switch fitting.count {
    case 0: requiresTarget ? nil : "'<relationship name=\"\(name)\" copy=\"no\"/>'"
    case 1: "'<relationship name=\"\(name)\" mapping=\"\(fitting[0])\"/>'"
    default: "'losses=\"intended\"'"
    }
  }
}
