/// Finds the inverse of each relationship: the stated one, or the only one that is possible.
struct InverseFinder {
  /// A relationship by the class that declares it and the number of its wrapper there.
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let name: String

    init(_ property: EntityProperty) {
      type = ObjectIdentifier(property.declaringType)
      name = property.name
    }
  }

  private struct Relationship {
    let property: EntityProperty
    let declaration: RelationshipDeclaration
    let owner: EntityType
    let destination: EntityType

    var key: Key { Key(property) }
    var statesInverse: Bool { declaration.parameters.inverse() != nil || declaration.parameters.inverseName != nil }
  }

  private(set) var mistakes: [SchemaMistake] = []
  private var inverses: [Key: EntityProperty] = [:]
  private let relationships: [Relationship]

  init(_ schema: SchemaBuilder) {
    relationships = schema.types.flatMap { type in
      type.ownProperties.compactMap { property in
        guard let declaration = property.declaration as? RelationshipDeclaration,
          let destination = schema.types.first(where: { $0.type == declaration.form.destination })
        else { return nil }
        return Relationship(property: property, declaration: declaration, owner: type, destination: destination)
      }
    }
  }

  func inverse(of property: EntityProperty) -> EntityProperty? { inverses[Key(property)] }

  mutating func find() {
    addStated()
    addImplied()
  }

  // MARK: Stated inverses

  private mutating func addStated() {
    var claims: [(inverse: Relationship, by: Relationship)] = []
    for relationship in relationships {
      guard let inverse = statedInverse(of: relationship) else { continue }
      claims.append((inverse, relationship))
    }
    for (_, group) in Dictionary(grouping: claims, by: \.inverse.key).sorted(by: { $0.key.name < $1.key.name }) {
      guard let inverse = group.first?.inverse else { continue }
      guard group.count == 1 else {
        mistakes.append(
          .inverseClaimedTwice(inverse: inverse.property.place, group.map(\.by.property.place)))
        continue
      }
      let relationship = group[0].by
      if !inverse.declaration.parameters.hasInverse {
        mistakes.append(.inverseWithoutInverse(relationship.property.place, inverse: inverse.property.place))
        continue
      }
      if let other = claims.first(where: { $0.by.key == inverse.key })?.inverse, other.key != relationship.key {
        mistakes.append(
          .inversesDisagree(
            relationship.property.place, inverse: inverse.property.place, stated: other.property.place))
        continue
      }
      inverses[relationship.key] = inverse.property
      inverses[inverse.key] = relationship.property
    }
  }

  /// Returns the inverse that a relationship states; nil if it states none, or one that is not possible.
  private mutating func statedInverse(of relationship: Relationship) -> Relationship? {
    let (place, destination) = (relationship.property.place, relationship.destination)
    let found: EntityProperty
    if let path = relationship.declaration.parameters.inverse() {
      guard let property = EntityType.property(at: path), property.declaration is RelationshipDeclaration else {
        mistakes.append(.notAnInverse(place))
        return nil
      }
      found = property
    } else if let name = relationship.declaration.parameters.inverseName {
      let candidates = destination.properties.filter { $0.declaration is RelationshipDeclaration }
      guard let property = candidates.first(where: { $0.name == name }) else {
        mistakes.append(
          .unknownInverse(
            place, name: name, destination: destination.scopedName, known: candidates.map(\.name)))
        return nil
      }
      found = property
    } else {
      return nil
    }
    guard destination.isKind(of: found.declaringType) else {
      mistakes.append(
        .inverseOfOtherClass(place, inverse: found.place, destination: destination.scopedName))
      return nil
    }
    // A destination that is not in the schema is a mistake of its own.
    guard let inverse = relationships.first(where: { $0.key == Key(found) }) else { return nil }
    guard relationship.owner.isKind(of: inverse.destination.type) else {
      mistakes.append(
        .inverseLeadsElsewhere(
          place, inverse: found.place, to: inverse.destination.scopedName,
          className: relationship.owner.scopedName))
      return nil
    }
    return inverse
  }

  // MARK: Implied inverses

  private mutating func addImplied() {
    let open = relationships.filter {
      inverses[$0.key] == nil && !$0.statesInverse && $0.declaration.parameters.hasInverse
    }
    for relationship in open where inverses[relationship.key] == nil {
      var candidates = open.filter { canBeInverse($0, of: relationship) }
      guard let candidate = candidates.first else { continue }
      if candidates.count == 1, !isDoubtful(relationship, candidate) {
        // If the other end has several, it is the one that is ambiguous.
        guard open.count(where: { canBeInverse($0, of: candidate) }) == 1 else { continue }
        inverses[relationship.key] = candidate.property
        inverses[candidate.key] = relationship.property
        continue
      }
      // A relationship from a class to itself can also be its own inverse.
      if relationship.owner.type == relationship.destination.type { candidates.append(relationship) }
      mistakes.append(
        .ambiguousInverse(relationship.property.place, candidates: candidates.map(\.property.place)))
    }
  }

  private func canBeInverse(_ candidate: Relationship, of relationship: Relationship) -> Bool {
    candidate.key != relationship.key && candidate.owner.type == relationship.destination.type
      && candidate.destination.type == relationship.owner.type
  }

  /// Two relationships of one class to itself, such as mother and father, are inverses only if one is a to-one and the
  /// other a to-many.
  private func isDoubtful(_ relationship: Relationship, _ candidate: Relationship) -> Bool {
    relationship.owner.type == candidate.owner.type
      && relationship.declaration.form.isToMany == candidate.declaration.form.isToMany
  }
}
