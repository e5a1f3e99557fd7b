public import HeavyliftExpression

/// What one destination property gets, as an object that a migration policy may change.
public final class PropertyMapping {
  /// Of the destination property.
  public let name: String
  /// Attribute or relationship.
  public let kind: PropertyMappingDescription.Kind
  /// Nil for no value. What is set here holds for the objects that are made from then on.
  public var valueExpression: MappingExpression? {
    didSet {
      revision &+= 1
      revisions.count &+= 1
    }
  }
  /// Counts how often the expression was set.
  package private(set) var revision = 0
  private let revisions: RevisionCount
  /// What the mapping tells its policy of the property.
  public var userInfo: [String: String]
  /// What the mapping said when the migration began.
  public let origin: PropertyMappingOrigin

  init(_ mapping: CompletePropertyMapping, _ revisions: RevisionCount) {
    self.revisions = revisions
    name = mapping.name
    kind = mapping.kind
    valueExpression = mapping.valueExpression
    userInfo = mapping.userInfo
    origin = mapping.origin
  }
}
