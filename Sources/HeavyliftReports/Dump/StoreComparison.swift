import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Compares two stores by iterating over both in parallel, sorted by entity and key.
struct StoreComparison {
  let first: PersistentStore
  let second: PersistentStore
  let options: StoreDifference.Options
  /// The objects that became others; nil if that is not known.
  let moves: ObjectMoves?
  private var old: ContentFingerprint
  private var new: ContentFingerprint
  private var difference = StoreDifference()
  /// Objects of the current entity whose only differences are in properties that one store lacks. Used as examples if
  /// there are not enough others.
  private var loneExamples: [StoreDifference.ChangedObject] = []

  init(
    first: PersistentStore, second: PersistentStore, options: StoreDifference.Options, moves: ObjectMoves? = nil
  ) {
    self.moves = moves
    self.first = first
    self.second = second
    self.options = options
    old = ContentFingerprint(textLimit: options.valueLimit)
    new = ContentFingerprint(textLimit: options.valueLimit)
  }

  mutating func run() throws -> StoreDifference {
    difference.metadataKeys = metadataKeys
    let (left, right) = (first.layout.entitiesInOrderOfName, second.layout.entitiesInOrderOfName)
    try first.refuseUnknownRows(in: left)
    try second.refuseUnknownRows(in: right)
    var paired: Set<String> = []
    for entity in left {
      // If another entity was renamed to this name, the name belongs to that entity.
      let isTaken = options.renamedEntities.values.contains(entity.name)
      let name = options.renamedEntities[entity.name] ?? (isTaken ? nil : entity.name)
      if let name, let other = second.layout.entity(named: name), paired.insert(name).inserted {
        difference.entities.append(try compare(entity, other))
      } else {
        difference.onlyInFirst.append(
          .init(
            name: entity.name, count: try first.count(of: entity), moved: moves?.successorCount(of: entity.name) ?? 0))
      }
      noteMoves(of: entity.name, pairedWith: name)
    }
    for entity in right where !paired.contains(entity.name) {
      difference.onlyInSecond.append(
        .init(
          name: entity.name, count: try second.count(of: entity), moved: moves?.originCount(of: entity.name) ?? 0,
          examples: try examples(of: entity)))
    }
    try compareDanglingLinks()
    return difference
  }

  private mutating func noteMoves(of entity: String, pairedWith name: String?) {
    guard let moves else { return }
    let destinations = moves.destinations(of: entity)
    guard destinations.contains(where: { $0.entity != name }) else { return }
    difference.moves.append(
      .init(entity: entity, count: moves.successorCount(of: entity), destinations: destinations))
  }

  private var metadataKeys: [String] {
    let (old, new) = (first.metadata.applicationValues, second.metadata.applicationValues)
    return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }

  private mutating func compareDanglingLinks() throws {
    difference.danglingLinks.first = try old.take {
      try StoreDump(first).writeDanglingLinks(of: first.layout.entitiesInOrderOfName, to: &$0)
    }
    difference.danglingLinks.second = try new.take {
      try StoreDump(second).writeDanglingLinks(of: second.layout.entitiesInOrderOfName, to: &$0)
    }
    difference.danglingLinks.isSame = try old.isSame(as: &new)
  }

  private mutating func compare(_ entity: EntityLayout, _ other: EntityLayout) throws -> StoreDifference.Entity {
    try first.prepareCaches(for: entity)
    try second.prepareCaches(for: other)
    let left = try ObjectStream(entity, in: first, names: options.renamedEntities)
    let right = try ObjectStream(other, in: second)
    let properties = SharedProperties(left, right, renamed: options.renamedProperties[entity.name] ?? [:])
    var result = StoreDifference.Entity(name: other.name)
    if entity.name != other.name { result.formerName = entity.name }
    result.onlyInFirst = properties.onlyInFirst
    result.onlyInSecond = properties.onlyInSecond
    loneExamples = []
    var (hasLeft, hasRight) = (try left.next(), try right.next())
    while hasLeft || hasRight {
      if hasLeft && hasRight && left.key == right.key && moves?.isSame(left.key, entity.name, other.name) != false {
        try compareObjects(left, right, properties, &result)
        (hasLeft, hasRight) = (try left.next(), try right.next())
      } else if hasLeft && (!hasRight || left.key <= right.key) {
        if moves?.hasSuccessor(left.key, entity.name) == true {
          result.movedAway += 1
        } else {
          result.removed += 1
          if result.removedExamples.count < options.exampleLimit { result.removedExamples.append(left.key) }
        }
        hasLeft = try left.next()
      } else {
        if moves?.hasOrigin(right.key, other.name) == true {
          result.movedHere += 1
        } else {
          result.added += 1
          if result.addedExamples.count < options.exampleLimit {
            result.addedExamples.append(right.key)
            if tellsLoneValues { result.addedObjects.append(try created(right)) }
          }
        }
        hasRight = try right.next()
      }
    }
    result.changedExamples += loneExamples.prefix(max(0, options.exampleLimit - result.changedExamples.count))
    return result
  }

  private mutating func compareObjects(
    _ left: ObjectStream, _ right: ObjectStream, _ properties: SharedProperties,
    _ result: inout StoreDifference.Entity
  ) throws {
    var changed: [StoreDifference.ChangedProperty] = []
    for (ours, theirs) in properties.shared {
      try old.take { try left.write(ours, to: &$0) }
      try new.take { try right.write(theirs, to: &$0) }
      if try old.isSame(as: &new) { continue }
      let showsValues = options.includesValues && result.changedExamples.count < options.exampleLimit
      changed.append(
        .init(name: theirs.name, old: showsValues ? old.shownText : nil, new: showsValues ? new.shownText : nil))
    }
    if changed.isEmpty { result.same += 1 } else { result.changed += 1 }
    for property in changed { result.changedProperties[property.name, default: 0] += 1 }
    guard result.changedExamples.count < options.exampleLimit else { return }
    let lone = tellsLoneValues ? try loneValues(left, right, properties) : []
    if !changed.isEmpty {
      result.changedExamples.append(.init(key: left.key, properties: changed + lone))
    } else if !lone.isEmpty, loneExamples.count < options.exampleLimit {
      loneExamples.append(.init(key: left.key, properties: lone))
    }
  }

  private var tellsLoneValues: Bool { options.includesValues && options.includesLoneValues }

  /// Returns the values of properties that only one of the stores has.
  private mutating func loneValues(
    _ left: ObjectStream, _ right: ObjectStream, _ properties: SharedProperties
  ) throws -> [StoreDifference.ChangedProperty] {
    var values: [StoreDifference.ChangedProperty] = []
    for property in left.attributes + left.relationships where properties.onlyInFirst.contains(property.name) {
      try old.take { try left.write(property, to: &$0) }
      values.append(.init(name: property.name, old: old.shownText, new: nil))
    }
    for property in right.attributes + right.relationships where properties.onlyInSecond.contains(property.name) {
      try new.take { try right.write(property, to: &$0) }
      values.append(.init(name: property.name, old: nil, new: new.shownText))
    }
    return values
  }

  /// Returns all values of the current object in the second store's stream.
  private mutating func created(_ stream: ObjectStream) throws -> StoreDifference.ChangedObject {
    var properties: [StoreDifference.ChangedProperty] = []
    for property in stream.attributes + stream.relationships {
      try new.take { try stream.write(property, to: &$0) }
      properties.append(.init(name: property.name, old: nil, new: new.shownText))
    }
    return .init(key: stream.key, properties: properties)
  }

  private mutating func examples(of entity: EntityLayout) throws -> [StoreDifference.ChangedObject] {
    guard tellsLoneValues else { return [] }
    try second.prepareCaches(for: entity)
    let stream = try ObjectStream(entity, in: second)
    var examples: [StoreDifference.ChangedObject] = []
    while examples.count < options.exampleLimit, try stream.next() { examples.append(try created(stream)) }
    return examples
  }
}

/// The properties that two streams of one entity share, and those of only one stream.
private struct SharedProperties {
  var shared: [(ObjectStream.Property, ObjectStream.Property)] = []
  var onlyInFirst: [String] = []
  var onlyInSecond: [String] = []

  init(_ first: ObjectStream, _ second: ObjectStream, renamed: [String: String]) {
    add(first.attributes, second.attributes, renamed)
    add(first.relationships, second.relationships, renamed)
  }

  private mutating func add(
    _ first: [ObjectStream.Property], _ second: [ObjectStream.Property], _ renamed: [String: String]
  ) {
    var paired: Set<String> = []
    for property in first {
      let name = renamed[property.name] ?? (renamed.values.contains(property.name) ? nil : property.name)
      if let other = second.first(where: { $0.name == name }), paired.insert(other.name).inserted {
        shared.append((property, other))
      } else {
        onlyInFirst.append(property.name)
      }
    }
    onlyInSecond += second.map(\.name).filter { !paired.contains($0) }
  }
}

extension PersistentStore {
  fileprivate func count(of entity: EntityLayout) throws -> Int {
    let sql = "SELECT count(*) FROM \(entity.tableName.asSQLIdentifier) WHERE \(entity.numberSQL()) = \(entity.number)"
    guard case .integer(let count)? = try database.firstValue(sql) else { return 0 }
    return Int(count)
  }
}

/// The objects of one store that became objects of another, as the provenance of a migration says.
package struct ObjectMoves {
  /// The keys of the first store's objects that became others, by entity.
  private var sources: [String: KeySet] = [:]
  /// The keys of the second store's objects that came from others, by entity.
  private var destinations: [String: KeySet] = [:]
  /// The keys of the first store's objects that have a counterpart with the same key, by the two entities.
  private var pairs: [Pair: KeySet] = [:]
  /// The keys of the first store's objects that have a counterpart, by the two entities.
  private var counterparts: [Pair: KeySet] = [:]

  private struct Pair: Hashable {
    var source: String
    var destination: String
  }

  package init() {}

  /// Adds the fact that one object became another.
  package mutating func add(_ source: (entity: String, key: Int64), _ destination: (entity: String, key: Int64)) {
    let pair = Pair(source: source.entity, destination: destination.entity)
    _ = sources[source.entity, default: KeySet()].insert(source.key)
    _ = destinations[destination.entity, default: KeySet()].insert(destination.key)
    _ = counterparts[pair, default: KeySet()].insert(source.key)
    if source.key == destination.key { _ = pairs[pair, default: KeySet()].insert(source.key) }
  }

  /// Returns true if an object of the first store became the object of the second with the same key.
  func isSame(_ key: Int64, _ source: String, _ destination: String) -> Bool {
    pairs[Pair(source: source, destination: destination)]?.contains(key) ?? false
  }

  /// Returns true if an object of the first store became another.
  func hasSuccessor(_ key: Int64, _ entity: String) -> Bool { sources[entity]?.contains(key) ?? false }

  /// Returns true if an object of the second store came from another.
  func hasOrigin(_ key: Int64, _ entity: String) -> Bool { destinations[entity]?.contains(key) ?? false }

  /// The number of objects of an entity that became others.
  func successorCount(of entity: String) -> Int { sources[entity]?.count ?? 0 }

  /// The number of objects of an entity that came from others.
  func originCount(of entity: String) -> Int { destinations[entity]?.count ?? 0 }

  /// Returns the entities that the objects of an entity became, with the number of objects that became each, largest
  /// first.
  func destinations(of entity: String) -> [StoreDifference.Move.Destination] {
    counterparts.filter { $0.key.source == entity }.map { .init(entity: $0.key.destination, count: $0.value.count) }
      .sorted { ($1.count, $0.entity) < ($0.count, $1.entity) }
  }
}
