import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport

@testable import HeavyliftStore

/// Applies operations to a context and to the reference, and compares the two.
final class GraphRun {
  struct Disagreement: Error, CustomStringConvertible {
    var step: Int
    var operation: GraphOperation?
    var description: String
  }

  private let test: TestStore
  /// The current graph, and the graph at the last save.
  private var graph = ReferenceGraph()
  private var saved = ReferenceGraph()
  private var objects: [Int: ManagedObject] = [:]
  /// The key of each object in the last save; keys are never reused.
  private var keys: [Int: Int64] = [:]
  private var usedKeys: [String: Set<Int64>] = [:]
  private var nextID = 0

  init() throws { test = try TestStore(Models.graph) }

  /// Nil on success, otherwise the problem and its place.
  static func disagreement(_ operations: [GraphOperation]) -> Disagreement? {
    var step = 0
    do {
      let run = try GraphRun()
      for operation in operations + [.save, .reopen] {
        try run.perform(operation)
        try run.compareObjects()
        step += 1
      }
      return nil
    } catch {
      let operation = operations.indices.contains(step) ? operations[step] : nil
      return Disagreement(step: step, operation: operation, description: "\(error)")
    }
  }

  private func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw Diagnostic(.error, code: "disagreement", problem: problem()) }
  }

  private var ids: [Int] { graph.nodes.keys.sorted() }

  private func pick(_ number: Int, _ entity: String? = nil) -> Int? {
    let candidates = ids.filter { id in entity.map { graph.isKind(id, of: $0) } ?? true }
    return candidates.isEmpty ? nil : candidates[number % candidates.count]
  }

  private func relationship(_ number: Int, of id: Int) -> ReferenceGraph.Relationship {
    let own = ReferenceGraph.relationships.filter { graph.isKind(id, of: $0.owner) }
    return own[number % own.count]
  }

  private func object(_ id: Int) throws -> ManagedObject {
    if let object = objects[id] { return object }
    let entity = graph.nodes[id]?.entity ?? ""
    let found = try test.context.object(
      with: ManagedObjectID(
        storeIdentifier: test.store.metadata.identifier, entityName: entity,
        key: try keys[id].orThrow("no key of \(id)")))
    let object = try found.orThrow("object \(id) is not found")
    objects[id] = object
    return object
  }

  private func perform(_ operation: GraphOperation) throws {
    switch operation {
    case .insert(let number):
      let entity = ["Node", "Leaf", "Label"][number % 3]
      objects[nextID] = try test.context.insert(entity)
      graph.nodes[nextID] = .init(entity: entity, values: [:])
      nextID += 1
    case .setValue(let number, let value):
      guard let id = pick(number, "Node") else { return }
      try object(id).setValue(value == 0 ? .null : .integer(Int64(value)), forKey: "rank")
      graph.nodes[id]?.values["rank"] = value == 0 ? nil : value
    case .setTargets(let number, let relationship, let targets): try setTargets(number, relationship, targets)
    case .add(let number, let which, let target, let position): try add(number, which, target, position)
    case .remove(let number, let which, let target):
      guard let id = pick(number) else { return }
      let relationship = relationship(which, of: id)
      guard relationship.isToMany, let target = pick(target, relationship.destination) else { return }
      try object(id).remove(object(target), from: relationship.name)
      if graph.targets(of: id, relationship.name).contains(target) { graph.unlink(id, relationship, target) }
    case .delete(let number):
      guard let id = pick(number) else { return }
      // Without an inverse the owners are unknown; as in Core Data, the program must handle such references.
      for relationship in ReferenceGraph.relationships where !relationship.isToMany && relationship.inverse == nil {
        for other in ids where graph.targets(of: other, relationship.name).contains(id) {
          let rest = graph.targets(of: other, relationship.name).filter { $0 != id }
          try set(other, relationship, rest)
        }
      }
      try test.context.delete(object(id))
      graph.delete(id)
      objects[id] = nil
    case .save: try save()
    case .rollback:
      test.context.rollback()
      graph = saved
      objects = objects.filter { graph.nodes[$0.key] != nil && $0.value.context != nil }
    case .reopen:
      objects = [:]
      try test.reopen()
      graph = saved
      try compareStore()
    }
  }

  private func set(_ id: Int, _ relationship: ReferenceGraph.Relationship, _ targets: [Int]) throws {
    let objects = try targets.map { try object($0) }
    if relationship.isToMany {
      try object(id).setObjects(objects, forKey: relationship.name)
    } else {
      try object(id).setObject(objects.first, forKey: relationship.name)
    }
    graph.set(id, relationship, targets)
  }

  private func setTargets(_ number: Int, _ which: Int, _ targets: [Int]) throws {
    guard let id = pick(number) else { return }
    let relationship = relationship(which, of: id)
    var seen: Set<Int> = []
    let chosen = targets.compactMap { pick($0, relationship.destination) }.filter { seen.insert($0).inserted }
    try set(id, relationship, relationship.isToMany ? chosen : Array(chosen.prefix(1)))
  }

  private func add(_ number: Int, _ which: Int, _ target: Int, _ position: Int) throws {
    guard let id = pick(number) else { return }
    let relationship = relationship(which, of: id)
    guard relationship.isToMany, let target = pick(target, relationship.destination) else { return }
    if relationship.isOrdered, position > 0 {
      try object(id).add(object(target), to: relationship.name, at: position - 1)
      graph.insert(id, relationship, target, at: position - 1)
    } else {
      try object(id).add(object(target), to: relationship.name)
      graph.link(id, relationship, target)
    }
  }

  private func save() throws {
    try test.context.save()
    try require(!test.context.hasChanges, "changes are left after a save")
    saved = graph
    for id in ids {
      guard let key = objects[id]?.objectID.key else { continue }
      try require(key > 0, "object \(id) has a temporary key after a save")
      let table = graph.nodes[id]?.entity == "Label" ? "Label" : "Node"
      if let known = keys[id] {
        try require(known == key, "the key of object \(id) changed")
      } else {
        try require(usedKeys[table, default: []].insert(key).inserted, "key \(key) of \(table) is given again")
        keys[id] = key
      }
    }
    try compareStore()
  }

  // MARK: Comparing

  /// Unordered targets are sorted by key, which the reference does not know.
  private func canonical(_ targets: [Int], _ relationship: ReferenceGraph.Relationship) -> [Int] {
    relationship.isOrdered ? targets : targets.sorted()
  }

  private func compareObjects() throws {
    let names = Dictionary(
      objects.map { (ObjectIdentifier($0.value), $0.key) }, uniquingKeysWith: { first, _ in first })
    var byKey: [String: Int] = [:]
    for (id, node) in graph.nodes {
      if let key = keys[id] { byKey["\(node.entity == "Label" ? "L" : "N")\(key)"] = id }
    }
    func id(_ object: ManagedObject) -> Int {
      names[ObjectIdentifier(object)] ?? byKey["\(object.entity.name == "Label" ? "L" : "N")\(object.objectID.key)"]
        ?? -1
    }
    for (id_, object) in objects {
      guard let node = graph.nodes[id_] else { continue }
      if node.entity != "Label" {
        let rank = try object.value(forKey: "rank").integer.map(Int.init)
        try require(rank == node.values["rank"], "rank of \(id_)")
      }
      for relationship in ReferenceGraph.relationships where graph.isKind(id_, of: relationship.owner) {
        let found =
          relationship.isToMany
          ? try object.objects(forKey: relationship.name)
          : try object.object(forKey: relationship.name).map { [$0] } ?? []
        let ids = found.map(id)
        let expected = graph.targets(of: id_, relationship.name)
        try require(
          canonical(ids, relationship) == canonical(expected, relationship),
          "\(object).\(relationship.name) of object \(id_) leads to \(ids), not to \(expected)")
      }
    }
  }

  /// Compares the store, read by plain SQL, with the last saved graph.
  private func compareStore() throws {
    try require(try test.rows("PRAGMA integrity_check") == ["ok"], "integrity check")
    var idsByRow: [String: Int] = [:]
    for (id, node) in saved.nodes {
      guard let key = keys[id] else { continue }
      idsByRow["\(node.entity == "Label" ? "ZLABEL" : "ZNODE") \(key)"] = id
    }
    let idOf = { (table: String, key: Int64) in idsByRow["\(table) \(key)"] ?? -1 }
    var found: [String] = []
    for table in ["ZNODE", "ZLABEL"] {
      for row in try test.rows("SELECT Z_PK, Z_ENT FROM \(table)") {
        let parts = row.split(separator: " ").compactMap { Int64($0) }
        let entity = ["", "Label", "Node", "Leaf"][Int(parts[1])]
        found.append("\(idOf(table, parts[0])) \(entity)")
      }
    }
    try require(
      found.sorted() == saved.nodes.map { "\($0.key) \($0.value.entity)" }.sorted(), "rows \(found.sorted())")
    for entity in test.store.layout.entities {
      for toOne in entity.toOnes + entity.ownerColumns {
        let rows = try test.rows(
          "SELECT Z_PK, \(toOne.column), \(toOne.entityColumn ?? "0") FROM \(entity.tableName) "
            + "WHERE Z_ENT = \(entity.number) AND (\(toOne.column) NOT NULL OR \(toOne.entityColumn ?? "NULL") NOT NULL)"
        )
        for row in rows {
          let parts = row.split(separator: " ").map { Int64($0) ?? 0 }
          let (owner, target) = (idOf(entity.tableName, parts[0]), idOf(toOne.destinationTableName, parts[1]))
          try require(
            saved.nodes[owner]?.toOnes[toOne.name] == target, "column \(toOne.column) of \(owner) holds \(target)")
          guard toOne.entityColumn != nil else { continue }
          let number = saved.nodes[target].flatMap { test.store.layout.entity(named: $0.entity)?.number }
          try require(number.map(Int64.init) == parts[2], "column \(toOne.entityColumn ?? "") of \(owner)")
        }
        let expected = saved.nodes.values.count { $0.entity == entity.name && $0.toOnes[toOne.name] != nil }
        try require(rows.count == expected, "column \(toOne.column) is set \(rows.count) times, not \(expected)")
      }
    }
    for table in test.store.layout.joinTables {
      guard
        let entity = test.store.layout.entities.first(where: { entity in
          entity.toManys.contains { $0.tableName == table.name && $0.writesLinks }
        }), let storage = entity.toManys.first(where: { $0.tableName == table.name && $0.writesLinks })
      else { continue }
      let rows = try test.rows("SELECT \(storage.ownerColumn), \(storage.targetColumn) FROM \(table.name)")
      let links = rows.map { row -> String in
        let parts = row.split(separator: " ").map { Int64($0) ?? 0 }
        return "\(idOf(entity.tableName, parts[0])) \(idOf(storage.destinationTableName, parts[1]))"
      }
      let expected = saved.nodes.flatMap { id, node in (node.toManys[storage.name] ?? []).map { "\(id) \($0)" } }
      try require(
        links.sorted() == expected.sorted(), "links of \(table.name): \(links.sorted()), not \(expected.sorted())")
    }
  }
}
