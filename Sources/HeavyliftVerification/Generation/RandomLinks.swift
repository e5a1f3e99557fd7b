import HeavyliftModel

/// Connects objects at random, then removes objects that break a rule until none do.
struct RandomLinks {
  private typealias Side = GraphLinks.Side

  private var objects: [ObjectGraph.Object]
  private let entities: [String: GraphEntity]
  private let model: ManagedObjectModel
  private let sides: RelationshipSides
  /// The targets of each relationship of each object, no matter which side is written.
  private var targets: [Side: [String]] = [:]
  /// The names of the objects that are of an entity, including its sub-entities.
  private var namesByEntity: [String: [String]] = [:]
  /// For relationships with many possible targets, the first of them that may have room.
  private var firstWithRoom: [String: Int] = [:]
  /// If there are more possible targets, they are not all shuffled for each object.
  private static let mostShuffled = 200

  init(_ objects: [ObjectGraph.Object], _ entities: [GraphEntity], _ model: ManagedObjectModel) {
    self.objects = objects
    self.model = model
    let sides = RelationshipSides(model: model)
    self.entities = Dictionary(
      entities.map { ($0.name, sides.entity($0)) }, uniquingKeysWith: { first, _ in first })
    self.sides = sides
  }

  /// The remaining objects with their relationships, each written on one side.
  var valid: [ObjectGraph.Object] {
    objects.map { object in
      var object = object
      object.relationships = [:]
      for relationship in relationships(of: object) {
        let isOwnInverse = relationship.inverseName == relationship.name
        guard isOwnInverse || sides.isOwner(relationship),
          let found = targets[Side(object: object.name, relationship: relationship.name)], !found.isEmpty
        else { continue }
        object.relationships[relationship.name] = found
      }
      return object
    }
  }

  /// The targets of a relationship, no matter which side was written.
  func targets(of object: String, _ relationship: String) -> [String] {
    targets[Side(object: object, relationship: relationship)] ?? []
  }

  /// Adopts the objects' existing links; where there is room for only one, adopts the first.
  mutating func takeLinks() {
    let byName = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for object in objects {
      for relationship in relationships(of: object) {
        for target in object.relationships[relationship.name] ?? [] where byName[target] != nil {
          link(object.name, target, relationship)
        }
      }
    }
  }

  /// True if every object obeys the model's rules.
  var isValid: Bool { objectsBreakingRules.isEmpty }

  /// Links mandatory relationships to targets that have room, and removes objects for which there are no such targets.
  ///
  /// - Parameter kept: The names of objects to keep in any case.
  /// - Returns: The names of the removed objects.
  mutating func complete(keeping kept: Set<String> = []) -> [String] {
    var random = SeededGenerator(seed: 1)
    for object in objects {
      for relationship in relationships(of: object) {
        let isEmpty = targets(of: object.name, relationship.name).isEmpty
        let count = max(relationship.requiredCount, isEmpty ? 0 : relationship.minCount)
        link(object, relationship, count: count, &random)
      }
    }
    let before = objects.map(\.name)
    prune(keeping: kept)
    let after = Set(objects.map(\.name))
    return before.filter { !after.contains($0) }
  }

  /// Links each relationship of an object that has no target, if there is one with room.
  mutating func linkOptionals(of object: ObjectGraph.Object) {
    var random = SeededGenerator(seed: 1)
    for relationship in relationships(of: object) { link(object, relationship, count: 1, &random) }
  }

  mutating func connect(_ random: inout SeededGenerator) {
    for object in objects {
      for relationship in relationships(of: object) where sides.isOwner(relationship) {
        link(object, relationship, count: wanted(relationship, &random), &random)
      }
    }
    // A mandatory relationship may be on the side that is not written.
    for object in objects {
      for relationship in relationships(of: object) where !sides.isOwner(relationship) {
        link(object, relationship, count: relationship.requiredCount, &random)
      }
    }
    prune()
  }

  private func relationships(of object: ObjectGraph.Object) -> [RelationshipDescription] {
    entities[object.entityName]?.sortedRelationships.filter { !$0.isTransient } ?? []
  }

  private func wanted(_ relationship: RelationshipDescription, _ random: inout SeededGenerator) -> Int {
    guard relationship.isToMany else {
      return relationship.isOptional && Int.random(in: 0..<4, using: &random) == 0 ? 0 : 1
    }
    // An optional to-many relationship may be empty, whatever its minimum count is.
    if relationship.isOptional, Int.random(in: 0..<4, using: &random) == 0 { return 0 }
    return max(0, relationship.minCount) + Int.random(in: 0..<3, using: &random)
  }

  private mutating func link(
    _ object: ObjectGraph.Object, _ relationship: RelationshipDescription, count: Int, _ random: inout SeededGenerator
  ) {
    let side = Side(object: object.name, relationship: relationship.name)
    guard count > targets[side]?.count ?? 0, let wanted = relationship.destinationEntityName else { return }
    let candidates = names(ofKind: wanted)
    guard candidates.count > Self.mostShuffled else {
      for candidate in candidates.shuffled(using: &random) {
        guard targets[side]?.count ?? 0 < count, hasRoom(side, relationship) else { return }
        link(object.name, candidate, relationship)
      }
      return
    }
    for _ in 0..<4 * count + 16 {
      guard targets[side]?.count ?? 0 < count, hasRoom(side, relationship) else { return }
      link(object.name, candidates[Int.random(in: candidates.indices, using: &random)], relationship)
    }
    // Few targets have room, as in a one-to-one relationship near its end.
    let key = "\(wanted) \(relationship.name) \(relationship.inverseName ?? "")"
    var place = firstWithRoom[key] ?? 0
    while place < candidates.count, targets[side]?.count ?? 0 < count, hasRoom(side, relationship) {
      let before = targets[side]?.count ?? 0
      link(object.name, candidates[place], relationship)
      if targets[side]?.count ?? 0 == before { place += 1 }
    }
    firstWithRoom[key] = place
  }

  private mutating func names(ofKind entity: String) -> [String] {
    if let known = namesByEntity[entity] { return known }
    let kinds = Set(
      model.entities.filter { model.entity($0, isKindOf: entity) }.map(\.name))
    let names = objects.filter { kinds.contains($0.entityName) }.map(\.name)
    namesByEntity[entity] = names
    return names
  }

  /// Links two objects if both sides have room for the link.
  private mutating func link(_ object: String, _ target: String, _ relationship: RelationshipDescription) {
    let side = Side(object: object, relationship: relationship.name)
    guard !(targets[side]?.contains(target) ?? false), hasRoom(side, relationship) else { return }
    guard let inverse = sides.inverse(of: relationship) else {
      targets[side, default: []].append(target)
      return
    }
    let other = Side(object: target, relationship: inverse.name)
    guard other != side, hasRoom(other, inverse) else { return }
    targets[side, default: []].append(target)
    targets[other, default: []].append(object)
  }

  private func hasRoom(_ side: Side, _ relationship: RelationshipDescription) -> Bool {
    let count = targets[side]?.count ?? 0
    guard relationship.isToMany else { return count == 0 }
    return relationship.maxCount == 0 || count < relationship.maxCount
  }

  // MARK: Rules

  private mutating func prune(keeping kept: Set<String> = []) {
    while true {
      let gone = objectsBreakingRules.subtracting(kept)
      if gone.isEmpty { return }
      objects.removeAll { gone.contains($0.name) }
      (namesByEntity, firstWithRoom) = ([:], [:])
      targets = targets.filter { !gone.contains($0.key.object) }.mapValues { $0.filter { !gone.contains($0) } }
    }
  }

  private var objectsBreakingRules: Set<String> {
    var gone: Set<String> = []
    for object in objects {
      for relationship in relationships(of: object) {
        let count = targets[Side(object: object.name, relationship: relationship.name)]?.count ?? 0
        let isEnough = count >= relationship.requiredCount && (count == 0 || count >= relationship.minCount)
        if !isEnough { gone.insert(object.name) }
      }
    }
    var taken: Set<[String]> = []
    for object in objects where !gone.contains(object.name) {
      for key in uniqueKeys(of: object) where !taken.insert(key).inserted { gone.insert(object.name) }
    }
    return gone
  }

  /// Returns one key for each uniqueness constraint: the entity that declares it, the constrained properties, and the
  /// object's values.
  private func uniqueKeys(of object: ObjectGraph.Object) -> [[String]] {
    guard let entity = model.entity(named: object.entityName), let shape = entities[object.entityName] else {
      return []
    }
    var keys: [[String]] = []
    for ancestor in model.lineage(of: entity) {
      for constraint in ancestor.uniquenessConstraints {
        let values = constraint.propertyNames.map { name -> String? in
          if let attribute = shape.attributes[name] {
            let value = object.attributes[name] ?? attribute.defaultValue
            return value.isNull ? nil : "\(value)"
          }
          return targets[Side(object: object.name, relationship: name)]?.joined(separator: "\u{0}")
        }
        // Nil values are never duplicates.
        guard !values.contains(nil) else { continue }
        keys.append([ancestor.name] + constraint.propertyNames + values.compactMap(\.self))
      }
    }
    return keys
  }
}
