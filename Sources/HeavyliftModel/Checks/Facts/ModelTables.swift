import HeavyliftConcurrency

/// The tables of a model's index, without the model itself: the model keeps them.
final class ModelTables: Sendable {
  let attributes: [AttributeFact]
  let relationships: [RelationshipFact]
  let entityNames: [String]
  let forest: EntityForest
  let numbers: [String: Int]
  /// Each entity's own properties, in the order of the model.
  let ownProperties: [[PropertyReference]]
  private let declarations: [String: [Declaration]]
  /// The own and inherited properties of entities that were asked for.
  private let allProperties = Locked(Inherited())

  /// One entity's declaration of a property.
  private struct Declaration {
    var entity: Int
    var property: PropertyReference
    /// The nearest ancestor's declaration of the same name, as an index into the list of that name's declarations.
    var overridden: Int?
  }

  private struct Inherited {
    var byEntity: [Int: [PropertyReference]] = [:]
    var count = 0
  }

  init(_ model: ManagedObjectModel) {
    WorkCount.add(.index, model.title)
    let numbers = Dictionary(
      model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.numbers = numbers
    entityNames = numbers.keys.sorted()
    forest = EntityForest(model.entities, numbers: numbers)
    attributes =
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
    relationships = model.entities.enumerated().flatMap { number, entity in
      entity.relationships.map {
        RelationshipFact(
          relationship: $0, entity: number, place: PropertyPlace(.relationship($0), of: entity))
      }
    }
    ownProperties = model.entities.map(\.properties)

    var declarations: [String: [Declaration]] = [:]
    for number in forest.order {
      for property in ownProperties[number] {
        // Removed first so that appending does not copy the list: every entity may declare the same name.
        var list = declarations.removeValue(forKey: property.name) ?? []
        var overridden = list.indices.last
        while let place = overridden, !forest.isKind(number, of: list[place].entity) {
          overridden = list[place].overridden
        }
        list.append(Declaration(entity: number, property: property, overridden: overridden))
        declarations[property.name] = list
      }
    }
    self.declarations = declarations
  }

  /// Returns the nearest own or inherited property of that name, and the entity that declares it.
  func property(named name: String, of entity: Int) -> (property: PropertyReference, declaredBy: Int)? {
    guard let list = declarations[name] else { return nil }
    // Declarations are in the forest's order: start with the last one at or before the entity, then follow the
    // declarations that it overrides.
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if forest.position[list[middle].entity] <= forest.position[entity] { low = middle + 1 } else { high = middle }
    }
    var place = low > 0 ? low - 1 : nil
    while let candidate = place {
      if forest.isKind(entity, of: list[candidate].entity) { break }
      place = list[candidate].overridden
    }
    return place.map { place in
      // Another rule reports duplicate declarations in one entity; here, the first one counts.
      var first = place
      while first > 0, list[first - 1].entity == list[place].entity { first -= 1 }
      return (list[first].property, list[first].entity)
    }
  }

  /// The names of the entity's own and inherited properties.
  func propertyNames(of entity: Int) -> [String] {
    var names: Set<String> = []
    var next: Int? = entity
    while let current = next {
      for property in ownProperties[current] { names.insert(property.name) }
      next = forest.parents[current]
    }
    return names.sorted()
  }

  /// The entity's own and inherited properties, sorted by name.
  func properties(of entity: Int) -> [PropertyReference] {
    if let known = allProperties.withLock({ $0.byEntity[entity] }) { return known }
    let found = propertyNames(of: entity).compactMap { property(named: $0, of: entity)?.property }
    allProperties.withLock {
      guard $0.count + found.count <= ModelFacts.mostInheritedProperties else { return }
      $0.count += found.count
      $0.byEntity[entity] = found
    }
    return found
  }
}
