extension ManagedObjectModel {
  /// A copy of the model in which every to-many relationship has an inverse, and no relationship names an inverse that
  /// holds other links.
  ///
  /// Core Data stores the links of a to-many without an inverse like those of any one-to-many: each target's row names
  /// its owner, so a target has at most one owner. With an implied to-one at the other end, one rule covers both kinds
  /// of to-many. No declared property can have the name of an implied relationship: it contains a period, as in
  /// `Cart.items`.
  package var withImpliedInverses: ManagedObjectModel {
    // Changing the entities in place would sort all of them after each change.
    var changed: [Int: [RelationshipDescription]] = [:]
    for (owner, entity) in entities.enumerated() {
      for (place, relationship) in entity.relationships.enumerated() {
        if leadsBack(relationship, to: entity.name) { continue }
        if relationship.inverseName != nil {
          changed[owner, default: entity.relationships][place].inverseName = nil
          changed[owner, default: entity.relationships][place].inverseEntityName = nil
        }
        guard relationship.isToMany, !relationship.isTransient,
          let destination = relationship.destinationEntityName.flatMap({ facts.place(ofEntityNamed: $0, entities) })
        else { continue }
        let name = "\(entity.name).\(relationship.name)"
        var inverse = RelationshipDescription(
          name: name, destinationEntityName: entity.name, inverseName: relationship.name,
          inverseEntityName: entity.name, maxCount: 1)
        inverse.isImplied = true
        changed[destination, default: entities[destination].relationships].append(inverse)
        changed[owner, default: entity.relationships][place].inverseName = name
        changed[owner, default: entity.relationships][place].inverseEntityName = relationship.destinationEntityName
      }
    }
    guard !changed.isEmpty else { return self }
    var (model, connected) = (self, entities)
    for (place, relationships) in changed { connected[place].relationships = relationships }
    model.entities = connected
    return model
  }
}
