public import HeavyliftExpression
public import HeavyliftModel

/// An entity mapping inside a migration: what its policy is told, and may change.
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
/// An object and not a value, as in Core Data: what a policy changes must hold when it calls super.
public final class EntityMapping {
  /// Given, or derived from the entities.
  public let name: String
  /// What it does as a whole.
  public let mappingType: EntityMappingType
  /// Nil for a mapping that adds.
  public let sourceEntityName: String?
  /// Nil for a mapping that adds.
  public let sourceEntityVersionHash: VersionHash?
  /// Nil for a mapping that removes.
  public let destinationEntityName: String?
  /// Nil for a mapping that removes.
  public let destinationEntityVersionHash: VersionHash?
  /// As written, with or without a module.
  public let entityMigrationPolicyClassName: String?
  /// Which source objects are taken; nil for all.
  public let filter: MappingPredicate?
  /// Where source objects come from, if not from a fetch of their entity.
  public let sourceExpression: MappingExpression?
  /// What the mapping tells its policy.
  public var userInfo: [String: String]
  /// In order of name.
  public let attributeMappings: [PropertyMapping]
  /// In order of name.
  public let relationshipMappings: [PropertyMapping]
  private let revisions = RevisionCount()

  /// Creates the object for an entity mapping that is about to run.
  public init(_ mapping: CompleteEntityMapping) {
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

  /// Counts how often an expression of its properties was set.
  package var revision: Int { revisions.count }

  /// What the attribute of that name gets.
  public func attributeMapping(named name: String) -> PropertyMapping? {
    attributeMappings.first { $0.name == name }
  }

  /// What the relationship of that name gets.
  public func relationshipMapping(named name: String) -> PropertyMapping? {
    relationshipMappings.first { $0.name == name }
  }
}
