extension ManagedObjectModel {
  /// A copy of the model in which every to-many relationship has an inverse.
  ///
  /// Core Data stores the links of a to-many without an inverse like those of any one-to-many: each target's row names
  /// its owner, so a target has at most one owner. With an implied to-one at the other end, one rule covers both kinds
  /// of to-many. No declared property can have the name of an implied relationship: it contains a period, as in
  /// `Cart.items`.
  package var withImpliedInverses: ManagedObjectModel {
    var model = self
    let places = Dictionary(
      entities.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    for (owner, entity) in entities.enumerated() {
      for relationship in entity.relationships {
        guard relationship.isToMany, !relationship.isTransient, !hasInverse(relationship),
          let destination = relationship.destinationEntityName.flatMap({ places[$0] })
        else { continue }
        let name = "\(entity.name).\(relationship.name)"
        var inverse = RelationshipDescription(
          name: name, destinationEntityName: entity.name, inverseName: relationship.name,
          inverseEntityName: entity.name, maxCount: 1)
        inverse.isImplied = true
        model.entities[destination].relationships.append(inverse)
        if let place = model.entities[owner].relationships.firstIndex(where: { $0.name == relationship.name }) {
          model.entities[owner].relationships[place].inverseName = name
          model.entities[owner].relationships[place].inverseEntityName = relationship.destinationEntityName
        }
      }
    }
    return model
  }

  private func hasInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let name = relationship.inverseName,
      let destination = relationship.destinationEntityName.flatMap(entity(named:))
    else { return false }
    return lineage(of: destination).contains { $0.relationship(named: name) != nil }
  }
}
