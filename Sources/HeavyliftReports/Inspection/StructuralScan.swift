import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Reads the structure of a whole store: one scan of each table for keys, one for links, and one for values of other
/// entities of a hierarchy.
package struct StructuralScan {
  private struct Place: Hashable {
    var kind: StructuralDamage.Kind
    var table: String
    var property: String?
  }

  /// The keys of all valid rows, by `Z_ENT`.
  package private(set) var keys: [Int: KeySet] = [:]
  private var found: [Place: StructuralDamage] = [:]
  private static let mostExamples = 5

  /// Reads a store.
  package init(_ store: PersistentStore) throws {
    let tables = Dictionary(grouping: store.layout.entities, by: \.tableName)
    try store.reporting {
      for (table, entities) in tables {
        try readRows(of: table, entities, in: store)
        try readStrayValues(of: table, entities, in: store)
      }
      try readParents(in: store)
      for (table, entities) in tables { try readToOnes(of: table, entities, tables, in: store) }
      try readJoinTables(tables, in: store)
    }
    try compareOneToOnes(in: store)
  }

  /// All damage, sorted by kind, table and property.
  package var damage: [StructuralDamage] {
    found.values.sorted {
      ($0.kind.rawValue, $0.table, $0.property ?? "") < ($1.kind.rawValue, $1.table, $1.property ?? "")
    }
  }

  private mutating func note(
    _ kind: StructuralDamage.Kind, _ table: String, _ property: String? = nil, key: Int64? = nil, count: Int = 1
  ) {
    let place = Place(kind: kind, table: table, property: property)
    var damage = found[place] ?? StructuralDamage(kind: kind, table: table, property: property, count: 0)
    damage.count += count
    if let key, damage.examples.count < Self.mostExamples { damage.examples.append(key) }
    found[place] = damage
  }

  // MARK: Rows

  private mutating func readRows(of table: String, _ entities: [EntityLayout], in store: PersistentStore) throws {
    let numbers = Set(entities.map { Int64($0.number) })
    var highest: Int64 = 0
    var cursor = try store.database.prepare("SELECT Z_ENT, Z_PK, Z_OPT FROM \(SQLName(table))").query()
    while try cursor.next() {
      let key = cursor.row.integer(at: 1)
      let isValid = cursor.row.type(at: 1) == .integer && key > 0
      if !isValid { note(.invalidKey, table, key: key) }
      if cursor.row.type(at: 2) != .integer || cursor.row.integer(at: 2) <= 0 {
        note(.invalidSaveCount, table, key: key)
      }
      highest = max(highest, key)
      let number = cursor.row.integer(at: 0)
      guard cursor.row.type(at: 0) == .integer, numbers.contains(number) else {
        note(.foreignRow, table, key: key)
        // In a table with one entity, the row is an object nevertheless.
        if isValid, entities.count == 1 { keys[entities[0].number, default: KeySet()].insert(key) }
        continue
      }
      if isValid { keys[Int(number), default: KeySet()].insert(key) }
    }
    for root in Set(entities.map(\.rootNumber)).sorted() {
      let known = try store.database.firstValue(
        "SELECT max(ifnull(Z_MAX, 0)) FROM Z_PRIMARYKEY WHERE Z_ENT = ?", .integer(Int64(root)))
      var recorded: Int64 = 0
      if case .integer(let number)? = known { recorded = number }
      if recorded < highest { note(.lowHighestKey, table, key: highest) }
    }
  }

  /// Finds values in columns that belong to other entities of the hierarchy than the row's.
  private mutating func readStrayValues(
    of table: String, _ entities: [EntityLayout], in store: PersistentStore
  ) throws {
    let all = Array(Set(entities.flatMap(\.columnNames))).sorted()
    let conditions = entities.compactMap { entity -> String? in
      let own = Set(entity.columnNames)
      let others = all.filter { !own.contains($0) }
      return others.isEmpty ? nil : "WHEN \(entity.number) THEN \(Self.firstValue(of: others))"
    }
    guard !conditions.isEmpty else { return }
    let columns = all.map { "\(SQLName($0)) IS NOT NULL" }.joined(separator: ", ")
    var cursor = try store.database.prepare(
      "SELECT Z_PK, Z_ENT, \(columns) FROM \(SQLName(table)) "
        + "WHERE CASE Z_ENT \(conditions.joined(separator: " ")) END IS NOT NULL"
    ).query()
    let ownColumns = Dictionary(
      entities.map { (Int64($0.number), Set($0.columnNames)) }, uniquingKeysWith: { first, _ in first })
    while try cursor.next() {
      let own = ownColumns[cursor.row.integer(at: 1)] ?? []
      for (place, column) in all.enumerated() where !own.contains(column) && cursor.row.integer(at: 2 + place) != 0 {
        note(.strayValue, table, column, key: cursor.row.integer(at: 0))
      }
    }
  }

  /// Returns an SQL expression for the first of the columns that is not NULL; a function takes 100 arguments at most.
  private static func firstValue(of columns: [String]) -> String {
    var parts = columns.map { SQLName($0).description }
    while parts.count > 1 {
      parts = stride(from: 0, to: parts.count, by: 100).map { start in
        let part = parts[start..<min(start + 100, parts.count)]
        return part.count == 1 ? part[start] : "coalesce(\(part.joined(separator: ", ")))"
      }
    }
    return parts[0]
  }

  /// Compares `Z_SUPER` with the model's hierarchy.
  private mutating func readParents(in store: PersistentStore) throws {
    for entity in store.layout.entities {
      let parent = try store.database.firstValue(
        "SELECT Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT = ?", .integer(Int64(entity.number)))
      if parent != .integer(Int64(entity.superNumber)) { note(.wrongParent, "Z_PRIMARYKEY", entity.name) }
    }
  }

  // MARK: Links

  private func isThere(_ key: Int64, _ numbers: [Int]) -> Bool {
    numbers.contains { keys[$0]?.contains(key) == true }
  }

  private mutating func readToOnes(
    of table: String, _ entities: [EntityLayout], _ tables: [String: [EntityLayout]], in store: PersistentStore
  ) throws {
    var links: [(column: String, entityColumn: String?, targets: [Int])] = []
    for toOne in entities.flatMap({ $0.toOnes + $0.ownerColumns })
    where !links.contains(where: { $0.column == toOne.column }) {
      links.append(
        (toOne.column, toOne.entityColumn, tables[toOne.destinationTableName, default: []].map(\.number)))
    }
    guard !links.isEmpty else { return }
    let columns = links.flatMap { [$0.column, $0.entityColumn ?? "Z_ENT"] }.map { SQLName($0).description }
    var cursor = try store.database.prepare(
      "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM \(SQLName(table))"
    ).query()
    while try cursor.next() {
      for (place, link) in links.enumerated() {
        let position = 1 + 2 * place
        let type = cursor.row.type(at: position)
        guard type != .null else { continue }
        let target = cursor.row.integer(at: position)
        if link.entityColumn != nil, type == .integer, cursor.row.type(at: position + 1) == .integer,
          let number = Int(exactly: cursor.row.integer(at: position + 1)), link.targets.contains(number),
          keys[number]?.contains(target) == true
        {
          continue
        }
        let key = cursor.row.integer(at: 0)
        if type != .integer || !isThere(target, link.targets) {
          note(.danglingLink, table, link.column, key: key)
        } else if let column = link.entityColumn {
          note(.wrongEntityNumber, table, column, key: key)
        }
      }
    }
  }

  private mutating func readJoinTables(_ tables: [String: [EntityLayout]], in store: PersistentStore) throws {
    var read: Set<String> = []
    for entity in store.layout.entities {
      for toMany in entity.toManys where toMany.kind == .joinTable && read.insert(toMany.tableName).inserted {
        let sides = [entity.tableName, toMany.destinationTableName].map { tables[$0, default: []].map(\.number) }
        let columns = [toMany.ownerColumn, toMany.targetColumn]
        var cursor = try store.database.prepare(
          "SELECT \(SQLName(columns[0])), \(SQLName(columns[1])) FROM \(SQLName(toMany.tableName))"
        ).query()
        while try cursor.next() {
          for side in sides.indices
          where cursor.row.type(at: side) != .integer || !isThere(cursor.row.integer(at: side), sides[side]) {
            note(.danglingLink, toMany.tableName, columns[side], key: cursor.row.integer(at: 0))
          }
        }
      }
    }
  }

  private mutating func compareOneToOnes(in store: PersistentStore) throws {
    var compared: Set<Set<String>> = []
    for entity in store.layout.entities {
      guard let description = store.model.entity(named: entity.name) else { continue }
      for relationship in store.model.allRelationships(of: description) {
        guard !relationship.isTransient, !relationship.isToMany,
          let inverse = store.model.inverse(of: relationship)?.name,
          let column = entity.toOne(named: relationship.name),
          let target = store.layout.entity(named: column.destinationEntityName),
          let back = target.toOne(named: inverse),
          compared.insert(["\(entity.tableName).\(column.column)", "\(target.tableName).\(back.column)"]).inserted,
          let count = try store.contradictoryLinkCount(entity.name, relationship.name, target.name, inverse),
          count > 0
        else { continue }
        note(.contradictoryLink, entity.tableName, relationship.name, count: count)
      }
    }
  }
}

/// Damage to the structure of a store: to rows and links as such, not to the values in them.
///
/// ```swift
/// for damage in report.damage { print(damage.kind.rawValue, damage.table, damage.count) }
/// ```
package struct StructuralDamage: Hashable, Sendable {
  /// The kind of damage.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `Z_ENT` of a row belongs to no entity of the table: no fetch finds the row.
    case foreignRow
    /// `Z_PK` is not a positive integer.
    case invalidKey
    /// `Z_OPT`, which counts saves, is not a positive integer.
    case invalidSaveCount
    /// `Z_MAX` in `Z_PRIMARYKEY` is lower than the highest key in use: a later save would overwrite rows.
    case lowHighestKey
    /// The entity number of a link is not the `Z_ENT` of the target's row.
    case wrongEntityNumber
    /// A link leads to a row that does not exist.
    case danglingLink
    /// The two ends of a one-to-one relationship contradict each other.
    case contradictoryLink
    /// A column that stores a property of another entity of the hierarchy has a value: no object shows it.
    case strayValue
    /// `Z_SUPER` in `Z_PRIMARYKEY` is not the number of the entity's parent.
    case wrongParent
  }

  /// The rule that the rows or links break.
  package var kind: Kind
  /// The table of the rows, or the one that stores the links.
  package var table: String
  /// The column of the link or the stray value, for a contradictory link the relationship, and for a wrong parent the
  /// entity; `nil` for damage to rows.
  package var property: String?
  /// The number of rows or links.
  package var count: Int
  /// The keys of the first rows; in a join table, of the links' owners. Empty for contradictory links and wrong parents.
  package var examples: [Int64]

  /// Creates an entry.
  package init(kind: Kind, table: String, property: String? = nil, count: Int, examples: [Int64] = []) {
    (self.kind, self.table, self.property) = (kind, table, property)
    (self.count, self.examples) = (count, examples)
  }
}

extension StructuralDamage {
  /// The place, the number and the kind of damage, in words.
  package var summary: String {
    "\([table, property].compactMap(\.self).joined(separator: ".")): \(count.grouped) × \(kind.problem)"
  }
}

extension StructuralDamage.Kind {
  fileprivate var problem: String {
    switch self {
    case .foreignRow: "Z_ENT belongs to no entity of the table"
    case .invalidKey: "Z_PK is not a positive integer"
    case .invalidSaveCount: "Z_OPT is not a positive integer"
    case .lowHighestKey: "Z_MAX is lower than the highest key in use"
    case .wrongEntityNumber: "the entity number of a link is not its target's"
    case .danglingLink: "a link leads to no row"
    case .contradictoryLink: "the other end of a one-to-one link contradicts it"
    case .strayValue: "a row of another entity has a value in this column"
    case .wrongParent: "Z_SUPER is not the number of the entity's parent"
    }
  }
}
