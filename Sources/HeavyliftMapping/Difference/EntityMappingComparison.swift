import HeavyliftModel

/// Matches the entity mappings of two mapping models and compares them.
struct EntityMappingComparison {
  private let olds: [EntityMappingFacts]
  private let news: [EntityMappingFacts]
  /// The index of the old mapping that each new mapping matches; nil if there is none.
  private var origins: [Int?]
  private var isTaken: [Bool]

  init(from olds: [EntityMappingFacts], to news: [EntityMappingFacts]) {
    self.olds = olds
    self.news = news
    origins = Array(repeating: nil, count: news.count)
    isTaken = Array(repeating: false, count: olds.count)
    // Mappings match by name. A mapping with a new name counts as renamed if exactly one unmatched mapping on each side
    // has its two entities, or else its source entity, or else its destination entity.
    match(isUnique: false) { [$0.name] + $0.sides }
    match(isUnique: false) { [$0.name] }
    match(isUnique: true) { $0.sides }
    match(isUnique: true) { [$0.sides[0]] }
    match(isUnique: true) { [$0.sides[1]] }
  }

  private mutating func match(isUnique: Bool, key: (EntityMappingFacts) -> [String?]) {
    var candidates: [[String?]: [Int]] = [:]
    for place in olds.indices.reversed() where !isTaken[place] {
      candidates[key(olds[place]), default: []].append(place)
    }
    var rivals: [[String?]: Int] = [:]
    for place in news.indices where origins[place] == nil { rivals[key(news[place]), default: 0] += 1 }
    for place in news.indices where origins[place] == nil {
      let key = key(news[place])
      if isUnique, key.allSatisfy({ $0 == nil }) || rivals[key] != 1 || candidates[key]?.count != 1 { continue }
      guard let found = candidates[key]?.popLast() else { continue }
      origins[place] = found
      isTaken[found] = true
    }
  }

  var differences: [EntityMappingDifference] {
    let moved = movedPlaces
    var differences = news.indices.compactMap { place -> EntityMappingDifference? in
      guard let origin = origins[place] else { return added(news[place]) }
      return difference(from: origin, to: place, isMoved: moved.contains(place))
    }
    for place in olds.indices where !isTaken[place] {
      differences.append(EntityMappingDifference(oldName: olds[place].name, newName: nil))
    }
    return differences
  }

  private func added(_ mapping: EntityMappingFacts) -> EntityMappingDifference {
    EntityMappingDifference(
      oldName: nil, newName: mapping.name, changes: MappingFact.changes(from: [], to: mapping.facts.filter(\.isSaid)),
      properties: mapping.properties.map { said($0, .added) })
  }

  private func difference(from origin: Int, to place: Int, isMoved: Bool) -> EntityMappingDifference? {
    let (old, new) = (olds[origin], news[place])
    var changes: [MappingChange] = []
    if isMoved {
      changes.append(
        MappingChange(parameter: "order", old: Self.shown(origin, in: olds), new: Self.shown(place, in: news)))
    }
    changes += MappingFact.changes(from: old.facts, to: new.facts)
    let (properties, isReordered) = propertyDifferences(from: old.properties, to: new.properties)
    if isReordered {
      changes.append(
        MappingChange(
          parameter: "order of properties", old: old.properties.map(\.name).quotedList,
          new: new.properties.map(\.name).quotedList))
    }
    if changes.isEmpty, properties.isEmpty { return nil }
    return EntityMappingDifference(
      oldName: old.name, newName: new.name, isMoved: isMoved, changes: changes, properties: properties)
  }

  // MARK: Order

  /// The new indexes of the smallest set of mappings that must have moved if all others kept their order.
  private var movedPlaces: Set<Int> {
    let kept = origins.indices.filter { origins[$0] != nil }
    let order = kept.compactMap { origins[$0] }
    let staying = LongestIncrease.places(in: order)
    return Set(order.indices.filter { !staying.contains($0) }.map { kept[$0] })
  }

  private static func shown(_ place: Int, in list: [EntityMappingFacts]) -> String {
    place == 0 ? "first" : "after \(list[place - 1].name.quotedName)"
  }

  // MARK: Properties

  private func propertyDifferences(
    from olds: [EntityMappingFacts.Property], to news: [EntityMappingFacts.Property]
  ) -> ([PropertyMappingDifference], isReordered: Bool) {
    var byName: [String: [Int]] = [:]
    for (place, property) in olds.enumerated().reversed() { byName[property.key, default: []].append(place) }
    var differences: [PropertyMappingDifference] = []
    var order: [Int] = []
    for property in news {
      guard let origin = byName[property.key]?.popLast() else {
        differences.append(said(property, .added))
        continue
      }
      order.append(origin)
      let changes = MappingFact.changes(from: olds[origin].facts, to: property.facts)
      if changes.isEmpty { continue }
      differences.append(
        PropertyMappingDifference(kind: property.kind, name: property.name, difference: .changed, changes: changes))
    }
    for place in byName.values.joined().sorted() { differences.append(said(olds[place], .removed)) }
    return (differences, zip(order, order.dropFirst()).contains { $0 > $1 })
  }

  /// Returns the contents of a property mapping that only the old or only the new entity mapping has.
  private func said(_ property: EntityMappingFacts.Property, _ difference: DifferenceKind) -> PropertyMappingDifference
  {
    let changes = property.facts.filter(\.isSaid).map {
      MappingChange(
        parameter: $0.name, old: difference == .removed ? $0.text : nil, new: difference == .added ? $0.text : nil)
    }
    return PropertyMappingDifference(
      kind: property.kind, name: property.name, difference: difference, changes: changes)
  }
}

extension MappingFact {
  fileprivate var isSaid: Bool { text != nil }
}

extension EntityMappingFacts.Property {
  /// An attribute and a relationship with the same name are different things.
  fileprivate var key: String { "\(kind.rawValue) \(name)" }
}
