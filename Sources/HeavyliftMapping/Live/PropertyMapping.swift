public import HeavyliftExpression

/// The mapping of one destination property, which a migration policy can change.
public final class PropertyMapping {
  /// The name of the destination property.
  public let name: String
  /// The kind of property: attribute or relationship.
  public let kind: PropertyMappingDescription.Kind
  /// The expression for the value; nil for none. A new expression applies to all objects created from then on.
  public var valueExpression: MappingExpression? {
    didSet {
      revision &+= 1
      revisions.count &+= 1
    }
  }
  /// The number of times that the expression was set.
  package private(set) var revision = 0
  private let revisions: RevisionCount
  /// User info about the property for the policy.
  public var userInfo: [String: String]
  /// The reason for the value that the property had when the migration began.
  package let origin: PropertyMappingOrigin

  init(_ mapping: CompletePropertyMapping, _ revisions: RevisionCount) {
    self.revisions = revisions
    name = mapping.name
    kind = mapping.kind
    valueExpression = mapping.valueExpression
    userInfo = mapping.userInfo
    origin = mapping.origin
  }
}
