import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// The entities and properties of consecutive versions, each with everything that it was and becomes.
///
/// Hops that copy under other names, and attributes that hops compute, have no counterpart in renaming identifiers. The
/// models of a lineage have one name for an entity or a property in all versions, and no computed attributes, so that
/// mappings between them can be inferred, and composed like all inferred mappings.
struct HopLineage {
  let steps: [HopSuccession]
  /// The versions, one more than steps.
  let indexes: [ModelIndex]
  /// The number that an entity has in all versions, by version and index.
  private let entityNumbers: [[Int]]
  private let entityNames: [Int: String]
  /// For names that no version has, the real name and the last version that has it, in words.
  private var shownNames: [String: String] = [:]
  /// The number that a property has in all versions.
  private var propertyNumbers: [Declaration: Int] = [:]
  private var propertyNames: [Int: String] = [:]
  /// The attributes that a hop computes, by number, and the version in which they get their value.
  private(set) var computed: [Int: Int] = [:]

  /// A property where it is declared.
  struct Declaration: Hashable {
    var version: Int
    var entity: Int
    var name: String
  }

  /// - Throws: `SquashCut` if a property is not the same one for all entities that inherit it.
  init(_ steps: [HopSuccession]) throws(SquashCut) {
    self.steps = steps
    indexes = steps.prefix(1).map(\.old) + steps.map(\.new)
    // Versions with the same hashes can have other default values.
    guard zip(steps, steps.dropFirst()).allSatisfy({ $0.new.model == $1.old.model }) else {
      throw SquashCut(reason: "it starts from another version with the same version hashes")
    }
    (entityNumbers, entityNames, shownNames) = Self.entities(steps, indexes)
    try numberProperties()
    try findComputed()
    nameProperties()
  }

  var last: Int { indexes.count - 1 }

  // MARK: Entities

  private static func entities(
    _ steps: [HopSuccession], _ indexes: [ModelIndex]
  ) -> (numbers: [[Int]], names: [Int: String], shown: [String: String]) {
    var count = 0
    func next() -> Int {
      count += 1
      return count
    }
    var numbers = indexes.prefix(1).map { $0.model.entities.map { _ in next() } }
    for step in steps {
      let before = numbers[numbers.count - 1]
      numbers.append(step.predecessors.map { $0.map { before[$0] } ?? next() })
    }
    var names: [Int: String] = [:]
    var shown: [String: String] = [:]
    var taken: Set<String> = []
    // A later version's name is the one that readers of a message know.
    for version in indexes.indices.reversed() {
      for (entity, number) in numbers[version].enumerated() where names[number] == nil {
        let name = indexes[version].model.entities[entity].name
        var unique = name
        while !taken.insert(unique).inserted { unique += "_\(number)" }
        names[number] = unique
        if unique != name { shown[unique] = Self.shown(name, until: indexes[version]) }
      }
    }
    return (numbers, names, shown)
  }

  /// Returns the entity that becomes the given one in the next version; `nil` if it is new there.
  func predecessor(of entity: Int, in version: Int) -> Int? {
    version == 0 ? nil : steps[version - 1].predecessors[entity]
  }

  /// The name of an entity in all versions.
  func name(ofEntity entity: Int, in version: Int) -> String {
    entityNames[entityNumbers[version][entity], default: ""]
  }

  /// Returns the entity of a version with the name that it has in all versions.
  func entity(named name: String?, in version: Int) -> Int? {
    entityNumbers[version].firstIndex { entityNames[$0] == name }
  }

  // MARK: Properties

  func declaration(_ name: String, of entity: Int, in version: Int) -> Declaration? {
    indexes[version].property(named: name, of: entity).map {
      Declaration(version: version, entity: $0.declaredBy, name: name)
    }
  }

  /// The number that a property has in all versions.
  func number(_ name: String, of entity: Int, in version: Int) -> Int? {
    declaration(name, of: entity, in: version).flatMap { propertyNumbers[$0] }
  }

  /// Returns the old name of a property that the hop to a version copies.
  func predecessor(of name: String, ofEntity entity: Int, in version: Int) -> String? {
    version == 0 ? nil : steps[version - 1].properties[entity]?[name]
  }

  private mutating func numberProperties() throws(SquashCut) {
    var union = DisjointNumbers()
    var places: [Declaration: Int] = [:]
    for (version, index) in indexes.enumerated() {
      for (entity, description) in index.model.entities.enumerated() {
        for property in description.properties {
          places[Declaration(version: version, entity: entity, name: property.name)] = union.add()
        }
      }
    }
    for (version, step) in steps.enumerated() {
      for (entity, pairs) in step.properties {
        guard let predecessor = step.predecessors[entity] else { continue }
        for (new, old) in pairs {
          guard let one = declaration(old, of: predecessor, in: version).flatMap({ places[$0] }),
            let other = declaration(new, of: entity, in: version + 1).flatMap({ places[$0] })
          else { continue }
          union.join(one, other)
        }
      }
    }
    propertyNumbers = places.mapValues { union.representative(of: $0) }
    for (version, index) in indexes.enumerated() {
      for entity in index.model.entities.indices {
        var names: [Int: String] = [:]
        for property in index.properties(of: entity) {
          guard let number = number(property.name, of: entity, in: version) else { continue }
          if let other = names.updateValue(property.name, forKey: number) {
            throw SquashCut(
              reason: "\([other, property.name].sorted().quotedList) of entity "
                + "\(index.model.entities[entity].name.quotedName) become one property, or were one")
          }
        }
      }
    }
  }

  private mutating func findComputed() throws(SquashCut) {
    for (version, step) in steps.enumerated() {
      for (entity, names) in step.computed.sorted(by: { $0.key < $1.key }) {
        for name in names.sorted() {
          guard let number = number(name, of: entity, in: version + 1) else { continue }
          if let known = computed[number], known != version + 1 {
            throw SquashCut(reason: "\(shown(name, entity, version + 1)) is computed in several versions")
          }
          computed[number] = version + 1
        }
      }
    }
    for (declaration, number) in propertyNumbers {
      guard let start = computed[number], declaration.version < start else { continue }
      throw SquashCut(
        reason: "attribute \(declaration.name.quotedName) of entity "
          + "\(indexes[declaration.version].model.entities[declaration.entity].name.quotedName) is copied for some "
          + "entities, and computed for others")
    }
  }

  /// Treats a new attribute like a computed one, whose value is its default in the version that adds it.
  mutating func compute(_ number: Int, in version: Int) { computed[number] = version }

  /// Gives each property the name that it has in the last version that has it, unless another one of the same entity has
  /// that name.
  private mutating func nameProperties() {
    struct Life {
      var name: String
      var version: Int
      var entities: Set<Int> = []
    }
    var lives: [Int: Life] = [:]
    for (version, index) in indexes.enumerated() {
      for entity in index.model.entities.indices {
        for property in index.properties(of: entity) {
          guard let number = number(property.name, of: entity, in: version) else { continue }
          var life = lives[number] ?? Life(name: property.name, version: version)
          (life.name, life.version) = (property.name, version)
          life.entities.insert(entityNumbers[version][entity])
          lives[number] = life
        }
      }
    }
    var taken: [String: [Set<Int>]] = [:]
    for (number, life) in lives.sorted(by: { ($1.value.version, $0.key) < ($0.value.version, $1.key) }) {
      var name = life.name
      while taken[name, default: []].contains(where: { !$0.isDisjoint(with: life.entities) }) { name += "_\(number)" }
      taken[name, default: []].append(life.entities)
      propertyNames[number] = name
      if name != life.name { shownNames[name] = Self.shown(life.name, until: indexes[life.version]) }
    }
  }

  private static func shown(_ name: String, until index: ModelIndex) -> String {
    "\(name.quotedName) (until '\(index.model.title)')"
  }

  /// Returns a message with the real names instead of those that no version has.
  func withRealNames(_ message: String) -> String {
    shownNames.reduce(message) { $0.replacing($1.key.quotedName, with: $1.value) }
  }

  /// The name of a property in all versions.
  func name(of property: String, ofEntity entity: Int, in version: Int) -> String? {
    number(property, of: entity, in: version).flatMap { propertyNames[$0] }
  }

  /// Returns the name that a version has for a property, by the name in all versions.
  func realName(_ name: String, of entity: Int, in version: Int) -> String? {
    indexes[version].propertyNames(of: entity).first { self.name(of: $0, ofEntity: entity, in: version) == name }
  }

  /// A property in words.
  func shown(_ name: String, _ entity: Int, _ version: Int) -> String {
    let kind = indexes[version].property(named: name, of: entity)?.property.kind ?? "property"
    return "\(kind) \(name.quotedName) of entity \(indexes[version].model.entities[entity].name.quotedName)"
  }

  // MARK: Models

  /// The versions with one name for each entity and property, and without computed attributes.
  ///
  /// - Throws: `SquashCut` if a computed attribute must be unique, or hides an inherited one.
  func models() throws(SquashCut) -> [ManagedObjectModel] {
    var models: [ManagedObjectModel] = []
    for version in indexes.indices { models.append(try model(version)) }
    return models
  }

  private func model(_ version: Int) throws(SquashCut) -> ManagedObjectModel {
    let index = indexes[version]
    var entities: [EntityDescription] = []
    for (number, entity) in index.model.entities.enumerated() {
      func renamed(_ name: String) -> String? { self.name(of: name, ofEntity: number, in: version) }
      var new = entity
      new.name = name(ofEntity: number, in: version)
      new.superentityName = index.entity(named: entity.superentityName).map { name(ofEntity: $0, in: version) }
      new.renamingIdentifier = nil
      (new.fetchedProperties, new.fetchIndexes, new.compoundIndexes, new.userInfo) = ([], [], [], [:])
      new.attributes = entity.attributes.compactMap { attribute in
        guard let name = renamed(attribute.name), !isComputed(attribute.name, of: number, in: version) else {
          return nil
        }
        var new = attribute
        (new.name, new.renamingIdentifier, new.userInfo) = (name, nil, [:])
        return new
      }
      // Without the attribute, the entity would have the inherited one in its place.
      if let parent = index.entity(named: entity.superentityName),
        let hiding = entity.attributes.first(where: {
          isComputed($0.name, of: number, in: version) && index.property(named: $0.name, of: parent) != nil
        })
      {
        throw SquashCut(reason: "\(shown(hiding.name, number, version)) is computed, and hides an inherited one")
      }
      new.relationships = entity.relationships.map { self.renamed($0, of: number, in: version) }
      new.uniquenessConstraints = []
      for constraint in entity.uniquenessConstraints {
        if let name = constraint.propertyNames.first(where: { isComputed($0.firstKey, of: number, in: version) }) {
          throw SquashCut(reason: "\(shown(name, number, version)) is computed, and must be unique")
        }
        new.uniquenessConstraints.append(
          EntityDescription.UniquenessConstraint(
            constraint.propertyNames.map { name in
              (renamed(name.firstKey) ?? name.firstKey) + name.dropFirst(name.firstKey.count)
            }))
      }
      entities.append(new)
    }
    var model = ManagedObjectModel(
      name: index.model.name, versionIdentifiers: index.model.versionIdentifiers, entities: entities,
      composites: index.model.composites)
    (model.versionID, model.longName) = (index.model.versionID, index.model.longName)
    model.inhabitedComposites = index.model.inhabitedComposites
    return model
  }

  private func renamed(
    _ relationship: RelationshipDescription, of entity: Int, in version: Int
  ) -> RelationshipDescription {
    let index = indexes[version]
    var new = relationship
    (new.name, new.renamingIdentifier, new.userInfo) =
      (name(of: relationship.name, ofEntity: entity, in: version) ?? relationship.name, nil, [:])
    new.destinationEntityName = index.entity(named: relationship.destinationEntityName).map {
      name(ofEntity: $0, in: version)
    }
    new.inverseEntityName = index.entity(named: relationship.inverseEntityName).map {
      name(ofEntity: $0, in: version)
    }
    if let target = index.entity(named: relationship.inverseEntityName ?? relationship.destinationEntityName),
      let inverse = relationship.inverseName
    {
      new.inverseName = name(of: inverse, ofEntity: target, in: version) ?? inverse
    }
    return new
  }

  private func isComputed(_ name: String, of entity: Int, in version: Int) -> Bool {
    number(name, of: entity, in: version).map { computed[$0] != nil } ?? false
  }
}

/// Numbers that are joined to groups.
private struct DisjointNumbers {
  private var parents: [Int] = []

  mutating func add() -> Int {
    parents.append(parents.count)
    return parents.count - 1
  }

  mutating func representative(of number: Int) -> Int {
    var root = number
    while parents[root] != root { root = parents[root] }
    var next = number
    while next != root {
      let parent = parents[next]
      parents[next] = root
      next = parent
    }
    return root
  }

  mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (representative(of: one), representative(of: other))
    parents[max(first, second)] = min(first, second)
  }
}

extension String {
  /// The property that a path starts with: `address` for `address.city`.
  fileprivate var firstKey: String { String(prefix { $0 != "." }) }
}
