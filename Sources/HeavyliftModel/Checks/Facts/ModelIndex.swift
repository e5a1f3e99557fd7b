/// A model with indexes that let rules look things up without walking the whole model.
///
/// The model's own lookups walk it, which is fine for a few entities but takes minutes for ten thousand.
package struct ModelIndex: Sendable {
  package let model: ManagedObjectModel
  package let attributes: [AttributeFact]
  package let relationships: [RelationshipFact]
  package let entityNames: [String]
  let forest: EntityForest
  private let numbers: [String: Int]
  private let declarations: [String: [Declaration]]

  /// One entity's declaration of a property.
  private struct Declaration {
    var entity: Int
    var property: PropertyReference
    /// The nearest ancestor's declaration of the same name, as an index into the list of that name's declarations.
    var overridden: Int?
  }

  package init(_ model: ManagedObjectModel) {
    self.model = model
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

    var declarations: [String: [Declaration]] = [:]
    for number in forest.order {
      for property in model.entities[number].properties {
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

  /// The index of the first entity with that name.
  package func entity(named name: String?) -> Int? { name.flatMap { numbers[$0] } }

  /// Returns true if the path names a composite's element that has a column, such as `address.city`.
  func hasStoredElement(_ path: String, of entity: Int) -> Bool {
    storedElements(at: path, of: entity).contains { $0.name == path }
  }

  /// Returns true if the path names a composite's element, which may be a composite itself.
  package func hasElement(_ path: String, of entity: Int) -> Bool {
    storedElements(at: path, of: entity).contains { $0.name == path || $0.name.hasPrefix(path + ".") }
  }

  /// The elements with columns of the composite that a path starts with; empty for a name.
  private func storedElements(at path: String, of entity: Int) -> [PropertyReference] {
    guard let dot = path.firstIndex(of: "."), let property = property(named: String(path[..<dot]), of: entity)?.property
    else { return [] }
    return storedElements(of: property)
  }

  /// Returns a composite's elements that have columns, named by their paths, such as `address.city`; empty for any other
  /// property.
  package func storedElements(of property: PropertyReference) -> [PropertyReference] {
    guard case .attribute(let attribute) = property, !attribute.isTransient else { return [] }
    return model.elements(of: attribute).filter { !$0.isTransient }.flatMap { element -> [PropertyReference] in
      var element = element
      element.name = "\(attribute.name).\(element.name)"
      return element.type == .composite ? storedElements(of: .attribute(element)) : [.attribute(element)]
    }
  }

  /// Returns the nearest own or inherited property of that name, and the entity that declares it.
  package func property(named name: String, of entity: Int) -> (property: PropertyReference, declaredBy: Int)? {
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
  package func propertyNames(of entity: Int) -> [String] {
    var names: Set<String> = []
    var next: Int? = entity
    while let current = next {
      names.formUnion(model.entities[current].properties.map(\.name))
      next = forest.parents[current]
    }
    return names.sorted()
  }

  /// The entity's own and inherited properties, sorted by name.
  package func properties(of entity: Int) -> [PropertyReference] {
    propertyNames(of: entity).compactMap { property(named: $0, of: entity)?.property }
  }

  /// The entity and all its descendants, each before its own descendants.
  package func entityAndSubentities(of entity: Int) -> ArraySlice<Int> {
    forest.order[forest.position[entity]..<forest.end[entity]]
  }

  /// Returns true if `entity` is `ancestor` or inherits from it.
  package func isKind(_ entity: Int, of ancestor: Int) -> Bool { forest.isKind(entity, of: ancestor) }

  /// Returns true if the entities are the same or one inherits from the other.
  package func areRelated(_ one: Int, _ other: Int) -> Bool {
    forest.isKind(one, of: other) || forest.isKind(other, of: one)
  }
}
