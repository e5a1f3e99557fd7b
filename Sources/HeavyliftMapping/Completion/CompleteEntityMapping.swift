public import HeavyliftExpression
public import HeavyliftModel

/// An entity mapping with everything that it leaves unsaid.
public struct CompleteEntityMapping: Hashable, Sendable {
  public let name: String
  public let type: EntityMappingType
  public let sourceEntityName: String?
  public let destinationEntityName: String?
  public let sourceEntityVersionHash: VersionHash?
  public let destinationEntityVersionHash: VersionHash?
  /// Nil for all objects of the source entity.
  public let filter: MappingPredicate?
  /// The fetch that gives the source objects; nil for a mapping that adds.
  public let sourceExpression: MappingExpression?
  public let policyClassName: String?
  public let userInfo: [String: String]
  /// One for each attribute of the destination entity, in order of name.
  public let attributeMappings: [CompletePropertyMapping]
  /// One for each relationship of the destination entity, in order of name.
  public let relationshipMappings: [CompletePropertyMapping]
  /// What was said.
  public let description: EntityMappingDescription

  /// What the attribute or relationship of that name gets.
  public func propertyMapping(named name: String) -> CompletePropertyMapping? {
    attributeMappings.first { $0.name == name } ?? relationshipMappings.first { $0.name == name }
  }
}
