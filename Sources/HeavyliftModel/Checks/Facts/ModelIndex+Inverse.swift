extension ModelIndex {
  /// What the inverse that a relationship names turns out to be.
  enum Inverse: Hashable {
    /// There is no telling: none is named, or where it should be is a mistake already.
    case unknown
    /// No property of that name in the entity.
    case missing(name: String, entity: Int)
    /// A property of that name which is no relationship.
    case wrongKind(name: String, entity: Int, kind: String)
    case found(RelationshipDescription, entity: Int)
  }

  /// Finds the inverse where the relationship says that it is declared, or else at its destination.
  func inverse(of relationship: RelationshipDescription) -> Inverse {
    guard let name = relationship.inverseName else { return .unknown }
    let stated = entity(named: relationship.inverseEntityName)
    let places = [stated, entity(named: relationship.destinationEntityName)].compactMap { $0 }
    for place in places {
      guard let (property, owner) = property(named: name, of: place) else { continue }
      if case .relationship(let inverse) = property { return .found(inverse, entity: owner) }
      return .wrongKind(name: name, entity: place, kind: property.kind)
    }
    guard let place = places.first, !forest.isBroken[place] else { return .unknown }
    return .missing(name: name, entity: place)
  }
}
