public import HeavyliftExpression
public import HeavyliftModel

/// An entity mapping during a migration, which a policy can read and change.
///
/// ```swift
/// override func createDestinationInstances(
///   forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
/// ) throws {
///   mapping.attributeMapping(named: "chain")?.valueExpression = try MappingExpression(parsing: "'main'")
///   try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
/// }
/// ```
///
/// A class, as in Core Data: a policy's changes must take effect when it calls super.
public final class EntityMapping {
  /// The given name, or the one derived from the entities.
  public let name: String
  /// The type of the entity mapping.
  public let mappingType: EntityMappingType
  /// The name of the source entity; nil for a mapping of type add.
  public let sourceEntityName: String?
  /// The version hash of the source entity; nil for a mapping of type add.
  public let sourceEntityVersionHash: VersionHash?
  /// The name of the destination entity; nil for a mapping of type remove.
  public let destinationEntityName: String?
  /// The version hash of the destination entity; nil for a mapping of type remove.
  public let destinationEntityVersionHash: VersionHash?
  /// The class name of the policy as written, with or without a module.
  public let entityMigrationPolicyClassName: String?
  /// The source objects to take; nil for all.
  public let filter: MappingPredicate?
  /// The expression for the source objects; nil to fetch objects of the source entity.
  public let sourceExpression: MappingExpression?
  /// User info for the policy.
  public var userInfo: [String: String]
  /// The attribute mappings, sorted by name.
  public let attributeMappings: [PropertyMapping]
  /// The relationship mappings, sorted by name.
  public let relationshipMappings: [PropertyMapping]
  private let revisions = RevisionCount()

  /// Creates the object for an entity mapping that is about to run.
  package init(_ mapping: CompleteEntityMapping) {
    name = mapping.name
    mappingType = mapping.type
    sourceEntityName = mapping.sourceEntityName
    sourceEntityVersionHash = mapping.sourceEntityVersionHash
    destinationEntityName = mapping.destinationEntityName
    destinationEntityVersionHash = mapping.destinationEntityVersionHash
    entityMigrationPolicyClassName = mapping.policyClassName
    filter = mapping.filter
    sourceExpression = mapping.sourceExpression
    userInfo = mapping.userInfo
    let revisions = revisions
    attributeMappings = mapping.attributeMappings.map { PropertyMapping($0, revisions) }
    relationshipMappings = mapping.relationshipMappings.map { PropertyMapping($0, revisions) }
  }

  /// The total number of times that the expressions of the property mappings were set.
  package var revision: Int { revisions.count }

  /// Returns the mapping of the attribute with that name.
  public func attributeMapping(named name: String) -> PropertyMapping? {
    attributeMappings.first { $0.name == name }
  }

  /// Returns the mapping of the relationship with that name.
  public func relationshipMapping(named name: String) -> PropertyMapping? {
    relationshipMappings.first { $0.name == name }
  }
}
