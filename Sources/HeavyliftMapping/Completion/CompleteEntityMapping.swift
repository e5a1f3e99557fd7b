import HeavyliftExpression
import HeavyliftModel

/// An entity mapping with all defaults filled in.
package struct CompleteEntityMapping: Hashable, Sendable {
  /// The given name, or the one derived from the entities.
  package let name: String
  /// The type that follows from the policy and the entities, whatever type is given.
  package let type: EntityMappingType
  /// The name of the source entity; nil for a mapping of type add.
  package let sourceEntityName: String?
  /// The name of the destination entity; nil for a mapping of type remove.
  package let destinationEntityName: String?
  /// The version hash of the source entity; nil if the model has no such entity.
  package let sourceEntityVersionHash: VersionHash?
  /// The version hash of the destination entity; nil if the model has no such entity.
  package let destinationEntityVersionHash: VersionHash?
  /// The source objects to take; nil for all.
  package let filter: MappingPredicate?
  /// The expression that returns the source objects, usually a fetch; nil for a mapping of type add.
  package let sourceExpression: MappingExpression?
  /// The names of the source entities whose objects the mapping takes: its own, and others that the source expression
  /// returns.
  package let takenEntities: Set<String>
  /// The class name of the policy as written, with or without a module.
  package let policyClassName: String?
  /// User info for the policy.
  package let userInfo: [String: String]
  /// One mapping for each attribute of the destination entity, sorted by name.
  package let attributeMappings: [CompletePropertyMapping]
  /// One mapping for each relationship of the destination entity, sorted by name.
  package internal(set) var relationshipMappings: [CompletePropertyMapping]
  /// The mapping as written, but with a filter instead of a fetch as Xcode writes it; an implied one has no properties.
  package let description: EntityMappingDescription
  /// The origin of the entity mapping: written in the mapping model or implied.
  package let origin: EntityMappingOrigin

  /// Returns the mapping of the attribute or relationship with that name.
  package func propertyMapping(named name: String) -> CompletePropertyMapping? {
    attributeMappings.first { $0.name == name } ?? relationshipMappings.first { $0.name == name }
  }
}
