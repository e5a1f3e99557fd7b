/// A property's place in a model, in words: "attribute 'title' of entity 'Book'".
package struct PropertyPlace: Hashable, Sendable, CustomStringConvertible {
  package var kind: String
  package var name: String
  /// The entity or composite type in words, such as "entity 'Book'".
  package var owner: String

  package init(_ property: PropertyReference, of entity: EntityDescription) {
    self.init(kind: property.kind, name: property.name, owner: "entity \(entity.name.quotedName)")
  }

  package init(kind: String, name: String, owner: String) {
    self.kind = kind
    self.name = name
    self.owner = owner
  }

  package var description: String { "\(kind) \(name.quotedName) of \(owner)" }
}

/// An attribute and its place: in an entity or in a composite type.
package struct AttributeFact: Hashable, Sendable {
  package var attribute: AttributeDescription
  package var place: PropertyPlace
  /// True for an element of a composite type.
  package var isElement: Bool

  static func all(in model: ManagedObjectModel) -> [AttributeFact] {
    model.entities.flatMap { entity in
      entity.attributes.map {
        AttributeFact(attribute: $0, place: PropertyPlace(.attribute($0), of: entity), isElement: false)
      }
    }
      + model.composites.flatMap { composite in
        composite.elements.map {
          let owner = "composite \(composite.name.quotedName)"
          let place = PropertyPlace(kind: "element", name: $0.name, owner: owner)
          return AttributeFact(attribute: $0, place: place, isElement: true)
        }
      }
  }
}

/// A relationship and the entity that declares it.
package struct RelationshipFact: Hashable, Sendable {
  package var relationship: RelationshipDescription
  /// The declaring entity's index in the model.
  package var entity: Int
  package var place: PropertyPlace

  static func all(in model: ManagedObjectModel) -> [RelationshipFact] {
    model.entities.enumerated().flatMap { number, entity in
      entity.relationships.map {
        RelationshipFact(relationship: $0, entity: number, place: PropertyPlace(.relationship($0), of: entity))
      }
    }
  }
}
