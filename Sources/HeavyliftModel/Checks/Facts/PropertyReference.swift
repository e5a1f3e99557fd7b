/// Any property of an entity, for rules that treat all kinds alike.
///
/// A description has dozens of fields, and rules pass properties around: a reference takes only one of them.
package indirect enum PropertyReference: Hashable, Sendable {
  case attribute(AttributeDescription)
  case relationship(RelationshipDescription)
  case fetched(FetchedPropertyDescription)

  package var name: String {
    switch self {
    case .attribute(let property): property.name
    case .relationship(let property): property.name
    case .fetched(let property): property.name
    }
  }

  package var markup: Markup {
    switch self {
    case .attribute(let property): property.markup
    case .relationship(let property): property.markup
    case .fetched(let property): property.markup
    }
  }

  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let property): property.renamingIdentifier
    case .relationship(let property): property.renamingIdentifier
    case .fetched(let property): property.renamingIdentifier
    }
  }

  /// The name that all versions of the property share since its first renaming.
  package var identity: String { renamingIdentifier ?? name }

  /// The term for this kind of property in messages.
  package var kind: String {
    switch self {
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetched: "fetched property"
    }
  }

  /// The reason why the property has no column of its own in its entity's table; nil if it has one.
  package var reasonForNoColumn: String? {
    switch self {
    case .attribute(let property) where property.isTransient: "is transient"
    case .relationship(let property) where property.isTransient: "is transient"
    case .relationship(let property) where property.isToMany: "is a to-many relationship"
    case .fetched: "is a fetched property"
    default: nil
    }
  }
}

extension EntityDescription {
  /// All of the entity's own properties: attributes, relationships, fetched properties, each kind sorted by name.
  package var properties: [PropertyReference] {
    attributes.map(PropertyReference.attribute) + relationships.map(PropertyReference.relationship)
      + fetchedProperties.map(PropertyReference.fetched)
  }
}

extension EntityDescription {
  /// The name that all versions of the entity share since its first renaming.
  package var identity: String { renamingIdentifier ?? name }
}
