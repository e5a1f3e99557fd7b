public import HeavyliftExpression
public import HeavyliftModel

/// An entity mapping with everything that it leaves unsaid.
public struct CompleteEntityMapping: Hashable, Sendable {
  /// Given, or derived from the entities.
  public let name: String
  /// Given, or what follows from the rest.
  public let type: EntityMappingType
  /// Nil for a mapping that adds.
  public let sourceEntityName: String?
  /// Nil for a mapping that removes.
  public let destinationEntityName: String?
  /// Nil if the model has no such entity.
  public let sourceEntityVersionHash: VersionHash?
  /// Nil if the model has no such entity.
  public let destinationEntityVersionHash: VersionHash?
  /// Nil for all objects of the source entity.
  public let filter: MappingPredicate?
  /// The fetch that gives the source objects; nil for a mapping that adds.
  public let sourceExpression: MappingExpression?
  /// As written, with or without a module.
  public let policyClassName: String?
  /// What the mapping tells its policy.
  public let userInfo: [String: String]
  /// One for each attribute of the destination entity, in order of name.
  public let attributeMappings: [CompletePropertyMapping]
  /// One for each relationship of the destination entity, in order of name.
  public let relationshipMappings: [CompletePropertyMapping]
  /// The mapping as written; one that is implied has no properties.
  public let description: EntityMappingDescription
  /// Whether the mapping model has the entity mapping, or leaves it unsaid.
  public let origin: EntityMappingOrigin

  /// What the attribute or relationship of that name gets.
  public func propertyMapping(named name: String) -> CompletePropertyMapping? {
    attributeMappings.first { $0.name == name } ?? relationshipMappings.first { $0.name == name }
  }
}
