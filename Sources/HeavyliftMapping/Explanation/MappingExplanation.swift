import HeavyliftModel

/// The full effect of a mapping: the value of each destination property and its source.
///
/// ```swift
/// print(mapping.complete(from: music1, to: music2).explanation())
/// // TrackToTrack (transform): Track → Track  1-2.xml:4:3
/// //   title    ← $source.name          copied    renaming identifier, was 'name'
/// //   seconds  ← $source.length / 10   computed  1-2.xml:5:5
/// ```
package struct MappingExplanation: Hashable, Sendable {
  /// The name of the source model, if known from the model or the mapping.
  package var source: String?
  /// The name of the destination model, if known from the model or the mapping.
  package var destination: String?
  /// The pass number, if several files are for these versions; nil for the only file.
  package var pass: Int?
  /// The entity mappings in the order in which they run.
  package var entityMappings: [EntityMappingExplanation]
  /// Source entities whose objects no entity mapping uses, sorted by name.
  package var droppedEntities: [String]
  /// Destination entities whose objects no entity mapping creates, sorted by name.
  package var unfilledEntities: [String]
}

/// The effect of an entity mapping.
package struct EntityMappingExplanation: Hashable, Sendable {
  /// The given name, or the one derived from the entities.
  package var name: String
  /// The origin of the entity mapping: written in the file or implied.
  package var origin: EntityMappingOrigin
  /// The type of the entity mapping.
  package var type: EntityMappingType
  /// The name of the source entity; nil for a mapping of type add.
  package var sourceEntity: String?
  /// The name of the destination entity; nil for a mapping of type remove.
  package var destinationEntity: String?
  /// The predicate's text; nil if all objects are taken.
  package var filter: String?
  /// The expression for the source objects; nil to fetch objects of the source entity.
  package var sourceExpression: String?
  /// The class name of the policy, as written.
  package var policy: String?
  /// Attributes, then relationships, each sorted by name.
  package var properties: [PropertyMappingExplanation]
  /// The source properties that the mapping drops by name.
  package var droppedProperties: [String]
  /// Other source properties that no entity mapping reads; listed only with the first mapping of the source entity.
  package var unreadProperties: [String]
  /// The location in the file; nil for an implied mapping.
  package var location: DiagnosticLocation?
}

/// The value of a destination property, and the reason for it.
package struct PropertyMappingExplanation: Hashable, Sendable {
  /// The treatment of a destination property.
  package enum Treatment: String, Hashable, Sendable, CaseIterable {
    /// Gets the value of a source attribute.
    case copied
    /// Gets the value of a written expression.
    case computed
    /// Gets the counterparts of a source relationship's objects, directly or through its inverse.
    case rebuilt
    /// Keeps its default from the destination model.
    case defaulted
    /// Computed by the store, regardless of the mapping.
    case derived
    /// Stays nil or empty.
    case empty
    /// Stays nil, empty or at its default, although the source has a property with that name or renaming identifier.
    case dropped
  }

  /// The kind of property: attribute or relationship.
  package var kind: PropertyMappingDescription.Kind
  /// The name of the destination property.
  package var name: String
  /// The treatment of the property.
  package var treatment: Treatment
  /// The expression for the value; nil for none.
  package var expression: String?
  /// A short form of the expression, if it requests the counterparts of source objects.
  package var relatedObjects: RelatedObjects?
  /// The inverse that fills this relationship, if nothing else does.
  package var inverse: String?
  /// The attribute's default in the destination model, as written in an expression; nil for none.
  package var defaultValue: String?
  /// The reason in words: `renaming identifier, was 'name'`.
  package var reason: String
  /// The location in the file, if the property is written there.
  package var location: DiagnosticLocation?
}

extension PropertyMappingExplanation {
  /// The destination objects created from source objects: the value of a relationship in nearly every mapping.
  package struct RelatedObjects: Hashable, Sendable, CustomStringConvertible {
    /// The expression for the source objects: `$source.account`.
    package var objects: String
    /// The entity mappings that take these objects; empty for any.
    package var mappings: [String]

    /// `$source.account through 'AccountToAccount'`.
    package var description: String {
      "\(objects) through \(mappings.isEmpty ? "any mapping" : mappings.quotedList)"
    }
  }
}
