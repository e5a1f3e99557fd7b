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
}

/// A relationship and the entity that declares it.
package struct RelationshipFact: Hashable, Sendable {
  package var relationship: RelationshipDescription
  /// The declaring entity's index in the model.
  package var entity: Int
  package var place: PropertyPlace
}
