extension ModelIndex {
  /// The result of looking up a relationship's inverse.
  enum Inverse: Hashable {
    /// Cannot be determined: no inverse is named, or the entity that should declare it is already reported as a
    /// mistake.
    case unknown
    /// The entity has no property of that name.
    case missing(name: String, entity: Int)
    /// The entity has a property of that name, but it is not a relationship.
    case wrongKind(name: String, entity: Int, kind: String)
    case found(RelationshipDescription, entity: Int)
  }

  /// Looks up the inverse in the inverse entity that the relationship names, or else in the destination entity.
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
