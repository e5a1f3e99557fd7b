import HeavyliftConcurrency

/// The tables of a model's index, without the model itself: the model keeps them.
final class ModelTables: Sendable {
  /// Facts for the rules of the model check, which migrations do not need.
  let attributes = Once<[AttributeFact]>()
  let relationships = Once<[RelationshipFact]>()
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
    ownProperties = model.entities.map(\.properties)

    var declarations: [String: [Declaration]] = [:]
    for number in forest.order {
      for property in ownProperties[number] {
        Self.add(property, of: number, to: &declarations[property.name, default: []], forest)
      }
    }
    self.declarations = declarations
  }

  /// Appends in place, without a copy of the list: every entity may declare the same name.
  private static func add(
    _ property: PropertyReference, of entity: Int, to list: inout [Declaration], _ forest: EntityForest
  ) {
    var overridden = list.indices.last
    while let place = overridden, !forest.isKind(entity, of: list[place].entity) {
      overridden = list[place].overridden
    }
    list.append(Declaration(entity: entity, property: property, overridden: overridden))
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

  /// The entity's own and inherited properties, sorted by name.
  func properties(of entity: Int) -> [PropertyReference] {
    if let known = allProperties.withLock({ $0.byEntity[entity] }) { return known }
    // By name, so that an entity's own property hides an inherited one.
    var byName: [String: PropertyReference] = [:]
    var next: Int? = entity
    while let current = next {
      for property in ownProperties[current] where byName[property.name] == nil { byName[property.name] = property }
      next = forest.parents[current]
    }
    let found = byName.sorted { $0.key < $1.key }.map(\.value)
    allProperties.withLock {
      guard $0.count + found.count <= ModelFacts.mostInheritedProperties else { return }
      $0.count += found.count
      $0.byEntity[entity] = found
    }
    return found
  }
}
