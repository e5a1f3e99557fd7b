import HeavyliftExpression

/// A source entity or property whose data a mapping does not migrate, although it does not remove the entity by name.
package struct MappingLoss: Hashable, Sendable {
  /// The reason why data is not migrated.
  package enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
    /// No entity mapping mentions the entity. Only Xcode's mapping models may leave an entity unmentioned.
    case unmentioned
    /// The mapping drops the property by name.
    case dropped
    /// The destination entity does not have the property, and nothing reads it.
    case gone
    /// The property is transient or derived in the destination, and nothing reads it.
    case unstored = "not stored"
    /// The destination entity does not have the property; a policy may read it.
    case leftToPolicy = "left to policy"
    /// The destination entity does not have the property; a function that gets the object may read it.
    case leftToFunction = "left to function"
    /// The destination entity does not have the property, and only entity mappings of other objects read it.
    case unread
  }

  /// The source entity.
  package var entity: String
  /// The attribute or relationship; nil for all objects of the entity.
  package var property: String?
  /// The reason why the data is not migrated.
  package var reason: Reason
  /// The entity mappings that take the objects without migrating the property, in order; empty if `property` is nil.
  package var entityMappings: [String]
  /// The entity mappings that read the property from some of the entity's objects, in order.
  package var readers: [String]
  /// The reads of the property from objects that other objects' expressions lead to. Only the other objects lose it.
  package var visits: [Visit]

  /// A read of a property from objects that an expression leads to.
  package struct Visit: Hashable, Sendable {
    /// The entity mapping with the expression.
    package var entityMapping: String
    /// The part of the expression that gives the objects.
    package var objects: MappingExpression
  }

  /// Creates a loss.
  package init(
    entity: String, property: String? = nil, reason: Reason, entityMappings: [String] = [], readers: [String] = []
  ) {
    self.entity = entity
    self.property = property
    self.reason = reason
    self.entityMappings = entityMappings
    self.readers = readers
    visits = []
  }
}
