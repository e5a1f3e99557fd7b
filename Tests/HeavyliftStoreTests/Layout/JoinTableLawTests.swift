import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Laws over generated models with many name clashes.
@Suite struct JoinTableLawTests {
  /// Entities in hierarchies, with many-to-many relationships of few names.
  private static func model(_ random: inout SeededGenerator) -> ManagedObjectModel {
    let names = ["B", "a", "C", "d", "E", "F"].prefix(Int.random(in: 1...6, using: &random)).shuffled(using: &random)
    var entities: [EntityDescription] = []
    for name in names {
      let parent = entities.randomElement(using: &random)?.name
      entities.append(
        EntityDescription(name: name, superentityName: Int.random(in: 0..<3, using: &random) == 0 ? parent : nil))
    }
    /// Names that an entity and all its relatives have.
    var taken: Set<String> = []
    func take(_ entity: Int, _ random: inout SeededGenerator) -> String? {
      let name = ["x", "y", "tags", "Tags2", "nodes"].randomElement(using: &random) ?? "x"
      let model = ManagedObjectModel(entities: entities)
      let root = model.rootEntity(of: entities[entity]).name
      return taken.insert("\(root).\(name)").inserted ? name : nil
    }
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      let (one, other) = (
        Int.random(in: entities.indices, using: &random), Int.random(in: entities.indices, using: &random)
      )
      guard let name = take(one, &random) else { continue }
      let isOwn = one == other && Bool.random(using: &random)
      guard let inverse = isOwn ? name : take(other, &random) else { continue }
      let isOrdered = Bool.random(using: &random)
      entities[one].relationships.append(
        .init(
          name: name, destinationEntityName: entities[other].name, inverseName: inverse,
          inverseEntityName: entities[other].name, isOrdered: isOrdered))
      guard !isOwn else { continue }
      entities[other].relationships.append(
        .init(
          name: inverse, destinationEntityName: entities[one].name, inverseName: name,
          inverseEntityName: entities[one].name, isOrdered: Bool.random(using: &random)))
    }
    return ManagedObjectModel(entities: entities)
  }

  /// The rule, word for word: entities sorted by name, each with all its relationships; one counter per column name.
  private static func reference(_ model: ManagedObjectModel) -> Set<String> {
    let numbers = EntityNumbers(model: model)
    func declaring(_ name: String, _ entity: EntityDescription) -> String {
      model.lineage(of: entity).first { $0.relationship(named: name) != nil }?.name ?? ""
    }
    var (seen, counts): (Set<Set<String>>, [String: Int]) = ([], [:])
    var tables: Set<String> = []
    func column(_ entity: String, _ relationship: String) -> String {
      let bare = "Z_\(numbers[entity] ?? 0)\(relationship.uppercased())"
      defer { counts[bare, default: 0] += 1 }
      return counts[bare].map { "\(bare)\($0)" } ?? bare
    }
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      let met = model.allRelationships(of: entity)
      for relationship in met {
        var (own, other) = (
          (declaring(relationship.name, entity), relationship),
          (relationship.inverseEntityName ?? "", relationship.inverseName ?? "")
        )
        guard seen.insert(["\(own.0).\(own.1.name)", "\(other.0).\(other.1)"]).inserted,
          let inverse = model.entity(named: other.0)?.relationship(named: other.1)
        else { continue }
        // Both ends are visited here: either could name the table, and the later name does.
        if met.contains(where: { $0.name == other.1 && declaring($0.name, entity) == other.0 }),
          relationship.name < inverse.name
        {
          (own, other) = ((other.0, inverse), (own.0, own.1.name))
        }
        let (r, i) = (own.1, other.1)
        let name = "Z_\(numbers[own.0] ?? 0)\(r.name.uppercased())"
        if own.0 == other.0, r.name == i {
          let first = column(own.0, i)
          tables.insert(
            "\(name): \(first) REFLEXIVE\(r.isOrdered ? " Z_FOK_\(first.dropFirst(2))" : "")")
          continue
        }
        let columns = [column(own.0, i), column(other.0, r.name)]
        let isOrdered = [model.entity(named: other.0)?.relationship(named: i)?.isOrdered, r.isOrdered]
        let orders = zip(columns, isOrdered).compactMap { $1 == true ? "Z_FOK_\($0.dropFirst(2))" : nil }
        tables.insert("\(name): \((columns + orders).joined(separator: " "))")
      }
    }
    return tables
  }

  @Test func `join tables are those of the rule, word by word`() {
    for seed in 0..<600 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let model = Self.model(&random)
      let tables = PhysicalLayout(model: model).joinTables
        .map { "\($0.name): \($0.columns.map(\.name).joined(separator: " "))" }
      guard Set(tables) == Self.reference(model) else {
        Issue.record("seed \(seed)\n\(tables)\n\(Self.reference(model))\n\(model.entities)")
        return
      }
    }
  }

  @Test func `tables are found by either side's name and any numbers`() throws {
    for seed in Seeds.some(of: 0..<300) {
      var random = SeededGenerator(seed: seed)
      let model = Self.model(&random)
      let layout = PhysicalLayout(model: model)
      let database = try Database.inMemory()
      try layout.create(in: database)
      // Columns of one name exchange their numbers, and tables are named by the other side.
      var sides = layout.joins.flatMap { [$0.second, $0.first] }
      for base in Set(sides.map(\.baseColumn)) where base != "REFLEXIVE" {
        let places = sides.indices.filter { sides[$0].baseColumn == base }
        let own = layout.joins.indices.filter { layout.joins[$0].isReflexive }
        guard own.allSatisfy({ layout.joins[$0].second.baseColumn != base }) else { continue }
        for (place, column) in zip(places, places.map { sides[$0].column }.shuffled(using: &random)) {
          sides[place].column = column
        }
      }
      var expected: [JoinEnd: String] = [:]
      for (place, join) in layout.joins.enumerated() {
        let name = Bool.random(using: &random) ? join.first.tableName : join.second.tableName
        let isFree = name == join.layout.name || !layout.joins.contains { $0.layout.name == name }
        let table = isFree ? name : join.layout.name
        let columns = [sides[place * 2].column, sides[place * 2 + 1].column]
        try database.execute("DROP TABLE \(SQLName(join.layout.name))")
        try database.execute(
          TableLayout(
            name: "new \(table)", columns: columns.map { .init(name: $0, declaredType: "INTEGER") }, primaryKey: columns
          ).sql)
        expected[join.second.end] = "\(table) \(columns[0])"
        expected[join.first.end] = "\(table) \(columns[1])"
      }
      for object in try database.schemaObjects() where object.type == .table && object.name.hasPrefix("new ") {
        let name = SQLName(String(object.name.dropFirst(4)))
        try database.execute("ALTER TABLE \(SQLName(object.name)) RENAME TO \(name)")
      }
      var fitted = layout
      try fitted.fit(to: database, store: URL(filePath: "/store"))
      for entity in fitted.entities {
        for storage in entity.toManys {
          let declaring = model.entity(named: entity.name).map(model.lineage(of:))?
            .first { $0.relationship(named: storage.name) != nil }
          let end = JoinEnd(entity: declaring?.name ?? "", relationship: storage.name)
          guard expected[end] == "\(storage.tableName) \(storage.targetColumn)" else {
            Issue.record(
              "seed \(seed): \(end) is in \(storage.tableName) \(storage.targetColumn), not \(expected[end] ?? "?")")
            return
          }
        }
      }
    }
  }
}
