import HeavyliftModel

/// An own or inherited property of an entity, to find the one that has taken its place.
struct ComparedProperty {
  enum Kind: String {
    case attribute, relationship
  }

  let kind: Kind
  let name: String
  /// The name of the entity that declares it.
  let owner: String
  let originalName: String?
  private let attribute: AttributeDescription?
  private let relationship: RelationshipDescription?

  /// The own and inherited attributes and relationships of an entity, sorted by name.
  static func all(of entity: EntityDescription, in model: ManagedObjectModel) -> [ComparedProperty] {
    let lineage = model.lineage(of: entity)
    func owner(_ declares: (EntityDescription) -> Bool) -> String {
      lineage.first(where: declares)?.name ?? entity.name
    }
    let attributes = model.allAttributes(of: entity).map { attribute in
      ComparedProperty(
        kind: .attribute, name: attribute.name, owner: owner { $0.attribute(named: attribute.name) != nil },
        originalName: attribute.renamingIdentifier, attribute: attribute, relationship: nil)
    }
    let relationships = model.allRelationships(of: entity).map { relationship in
      ComparedProperty(
        kind: .relationship, name: relationship.name,
        owner: owner { $0.relationship(named: relationship.name) != nil },
        originalName: relationship.renamingIdentifier, attribute: nil, relationship: relationship)
    }
    return attributes + relationships
  }

  /// Returns true if the property can have the values or links of an older one.
  func canReplace(_ old: ComparedProperty, _ difference: ModelDifference) -> Bool {
    if let before = old.attribute, let attribute { return attribute.type.isInferred(from: before.type) }
    guard let before = old.relationship, let relationship else { return false }
    return before.destinationEntityName.flatMap(difference.newName) == relationship.destinationEntityName
      && (relationship.isToMany || !before.isToMany)
  }

  /// Returns true if the property may be an older one that was renamed and changed, although it cannot have its values or
  /// links as they are.
  func resembles(_ old: ComparedProperty, _ difference: ModelDifference) -> Bool {
    guard kind == old.kind else { return false }
    // The links are lost with the objects, and their loss is a question of its own.
    if let target = old.relationship?.destinationEntityName, difference.newName(ofEntity: target) == nil {
      return false
    }
    return NameLikeness(name).resembles(NameLikeness(old.name))
  }

  /// Returns true if the property has the same type as an older one that it can replace.
  func hasType(of old: ComparedProperty) -> Bool {
    attribute?.type == old.attribute?.type && relationship?.isToMany == old.relationship?.isToMany
  }
}
