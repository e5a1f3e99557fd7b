import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The layout of a model's objects in a store: Core Data's tables, columns, join tables and indexes.
///
/// ```swift
/// let layout = try PhysicalLayout(model: model)
/// for table in layout.tables { print(table.sql) }
/// ```
///
/// The rules were derived from public stores; those that no store confirms are marked in the code.
package struct PhysicalLayout: Hashable, Sendable {
  /// The entities, sorted by number.
  package var entities: [EntityLayout] = [] {
    didSet {
      places = Dictionary(zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
    }
  }
  /// Positions in `entities`, by entity name.
  private var places: [String: Int] = [:]
  /// One table per hierarchy, sorted by the root entities' numbers.
  package var tables: [TableLayout] = []
  /// The tables of many-to-many relationships.
  package var joinTables: [TableLayout] { joins.map(\.layout) }
  var joins: [JoinTable] = []
  /// The indexes of relationships, constraints and the model's fetch indexes.
  package var indexes: [IndexLayout] = []
  /// The triggers that maintain derived attributes.
  package var triggers: [TriggerLayout] = []
  /// Parts of the model that the layout omits, each with the reason.
  package var omissions: [Diagnostic] = []
  /// Names of join tables and columns that do not follow from the model, each with the reason.
  ///
  /// Core Data derives them from an unknown order of relationships. A new store's names may differ from those that
  /// Core Data would use; existing stores are read with the names that they have.
  package var assumptions: [Diagnostic] = []

  /// Returns the entity's layout.
  package func entity(named name: String) -> EntityLayout? { places[name].map { entities[$0] } }

  /// Returns the layout of the entity of that name; nil without a name.
  package func entity(named name: String?) -> EntityLayout? {
    guard let name else { return nil }
    return entity(named: name)
  }

  /// Returns SQL for the entity number of a row in a table of entities.
  func numberSQL(inTable table: String, _ alias: String? = nil) -> String {
    entities.first { $0.tableName == table }?.numberSQL(alias) ?? alias.map { "\($0).Z_ENT" } ?? "Z_ENT"
  }

  /// Creates the layout of a model.
  ///
  /// - Parameters:
  ///   - model: A model without errors; a relationship without a destination is skipped and listed in `omissions`.
  ///   - numbers: The numbers of an existing store; nil for those of a new store.
  package init(model: ManagedObjectModel, numbers: EntityNumbers? = nil) {
    self.init(model: model, numbers: numbers, choices: JoinTableChoices())
  }

  /// Creates the layout of a model. `choices` decides where the model leaves a choice.
  init(model: ManagedObjectModel, numbers: EntityNumbers? = nil, choices: JoinTableChoices) {
    let choice = Choice(numbers: numbers ?? EntityNumbers(model: model), joinTables: choices)
    self = model.remembered(choice) {
      var builder = LayoutBuilder(model: model, numbers: choice.numbers, choices: choice.joinTables)
      return builder.build()
    }
  }

  /// The facts that the model alone does not decide.
  private struct Choice: Hashable {
    var numbers: EntityNumbers
    var joinTables: JoinTableChoices
  }

  init() {}
}

extension PhysicalLayout {
  /// Adjusts a layout to the actual tables of a store.
  ///
  /// In-place migrations leave columns at the end, join tables under old names, and unused columns: all of that is
  /// accepted. A missing table or column is an error.
  mutating func fit(to database: Database, store: URL) throws {
    let columns = StoredColumns(of: database)
    let expected = self
    let missing = try fitJoinTables(to: columns)
    // With the store's actual tables, no assumptions are needed.
    assumptions = []
    entities = try entities.map { entity in
      var fitted = entity
      let present = try columns.names(of: entity.tableName)
      guard !present.isEmpty else {
        throw StoreMistake.missingTable(entity.tableName, entity: entity.name).diagnostic(store)
      }
      try fitted.fitColumns(to: present, store: store)
      for place in entity.toManys.indices {
        let wanted = entity.toManys[place]
        if let join = expected.joins.firstIndex(where: {
          wanted.kind == .joinTable && $0.layout.name == wanted.tableName
        }) {
          guard !missing.contains(join) else {
            throw StoreMistake.missingTable(wanted.tableName, entity: entity.name).diagnostic(store)
          }
          fitted.toManys[place].move(from: expected.joins[join], to: joins[join])
          continue
        }
        fitted.toManys[place].fitColumns(to: try columns.names(of: wanted.tableName), expected)
      }
      return fitted
    }
  }
}

extension EntityLayout {
  fileprivate mutating func fitColumns(to present: [String], store: URL) throws {
    let names = Set(present.map { $0.uppercased() })
    func require(_ column: String, for property: String) throws {
      guard names.contains(column.uppercased()) else {
        throw StoreMistake.missingColumn(column, table: tableName, property: property, entity: name).diagnostic(store)
      }
    }
    for column in ["Z_PK", "Z_ENT", "Z_OPT"] { try require(column, for: column) }
    for attribute in attributes {
      for column in attribute.leafColumns { try require(column, for: attribute.name) }
    }
    for index in toOnes.indices {
      try require(toOnes[index].column, for: toOnes[index].name)
      toOnes[index].dropMissingColumns(names)
    }
    for index in ownerColumns.indices {
      ownerColumns[index].column = ownerColumns[index].column.asOwnerColumn(among: present)
      try require(ownerColumns[index].column, for: ownerColumns[index].name)
      ownerColumns[index].orderColumn = ownerColumns[index].orderColumn?.asOwnerColumn(among: present)
      ownerColumns[index].dropMissingColumns(names)
    }
  }
}

extension ToOneColumn {
  /// Removes optional columns that the store lacks from the layout: an entity number is also in the target's table, and
  /// an order that is not stored has no effect.
  fileprivate mutating func dropMissingColumns(_ names: Set<String>) {
    if let column = entityColumn, !names.contains(column.uppercased()) { entityColumn = nil }
    if let column = orderColumn, !names.contains(column.uppercased()) { orderColumn = nil }
  }
}

extension ToManyStorage {
  fileprivate mutating func fitColumns(to present: [String], _ layout: PhysicalLayout) {
    if layout.hasImpliedInverse(self) {
      ownerColumn = ownerColumn.asOwnerColumn(among: present)
      orderColumn = orderColumn?.asOwnerColumn(among: present)
    }
    guard let column = orderColumn else { return }
    if !present.contains(where: { $0.uppercased() == column.uppercased() }) { orderColumn = nil }
  }
}

extension PhysicalLayout {
  /// True for a to-many relationship without an inverse.
  package func hasImpliedInverse(_ storage: ToManyStorage) -> Bool {
    storage.kind == .foreignKey
      && entities.contains { entity in
        entity.tableName == storage.tableName && entity.ownerColumns.contains { $0.column == storage.ownerColumn }
      }
  }
}

extension AttributeColumn {
  /// The columns in the table: the attribute's own column or, for a composite, those of its elements.
  package var leafColumns: [String] { type == .composite ? elements.flatMap(\.leafColumns) : [column] }
}

extension String {
  /// Returns this name, such as `Z3ITEMS`, or the table's only column whose name differs from it only in the entity
  /// number.
  fileprivate func asOwnerColumn(among present: [String]) -> String {
    let wanted = uppercased()
    if present.contains(where: { $0.uppercased() == wanted }) { return self }
    let prefix = wanted.hasPrefix("Z_FOK_") ? "Z_FOK_" : "Z"
    func relationship(_ column: String) -> Substring? {
      guard column.hasPrefix(prefix), case let rest = column.dropFirst(prefix.count), rest.first?.isNumber == true
      else { return nil }
      return rest.drop { $0.isNumber }
    }
    let same = present.filter { relationship($0.uppercased()) == relationship(wanted) }
    return same.count == 1 ? same[0] : self
  }
}

/// The column names of a database's tables, each looked up once.
final class StoredColumns {
  private let database: Database
  private var known: [String: [String]] = [:]

  init(of database: Database) { self.database = database }

  func names(of table: String) throws -> [String] {
    if let names = known[table] { return names }
    let names = try database.columns(of: table).map(\.name)
    known[table] = names
    return names
  }

  /// Returns the tables that may be join tables.
  func joinTables() throws -> [StoredJoinTable] {
    try database.schemaObjects().filter { $0.type == .table && $0.name.uppercased().hasPrefix("Z_") }
      .compactMap { StoredJoinTable(name: $0.name, columns: try names(of: $0.name)) }
  }
}

/// A join table in a store.
struct StoredJoinTable {
  var name: String
  /// The columns with keys, in upper case.
  var keys: [String]
  var columns: [String]

  init?(name: String, columns: [String]) {
    keys = columns.map { $0.uppercased() }
      .filter { !$0.hasPrefix("Z_FOK_") && !$0.hasPrefix(CleanupTask.namePrefix) }
    guard keys.count == 2 else { return nil }
    (self.name, self.columns) = (name, columns)
  }
}

extension PhysicalLayout {
  /// Adopts the names and numbers of a store's join tables, no matter which side they are named after.
  ///
  /// A table is recognized by its two columns, which are named after both ends of its relationship. Only the numbers at
  /// the end of these names and, after an in-place migration, the entity numbers may differ from the expected ones.
  ///
  /// - Returns: The indexes of the tables that the store does not have.
  mutating func fitJoinTables(to stored: StoredColumns) throws -> Set<Int> {
    var free = try stored.joinTables()
    var unmatched = Array(joins.indices)
    var found: [Int: (StoredJoinTable, JoinTable.Columns)] = [:]
    // From the strictest rule to the most lenient, so that a table goes to the best matching relationship.
    for rule in JoinTable.Match.allCases {
      var matches: [(join: Int, table: Int, columns: JoinTable.Columns)] = []
      for join in unmatched {
        for (place, table) in free.enumerated() {
          if let columns = joins[join].columns(in: table, rule) { matches.append((join, place, columns)) }
        }
      }
      // The lenient rules never choose among several tables.
      if !rule.namesOneTable {
        let (perJoin, perTable) = (
          Dictionary(grouping: matches, by: \.join), Dictionary(grouping: matches, by: \.table)
        )
        matches = matches.filter { perJoin[$0.join]?.count == 1 && perTable[$0.table]?.count == 1 }
      }
      var taken: Set<Int> = []
      for match in matches where found[match.join] == nil && taken.insert(match.table).inserted {
        found[match.join] = (free[match.table], match.columns)
      }
      free = free.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
      unmatched.removeAll { found[$0] != nil }
    }
    for (join, match) in found {
      let expected = joins[join].index
      joins[join].fit(to: match.0, match.1)
      // A store under construction creates its indexes last, from this layout.
      if let place = indexes.firstIndex(of: expected) { indexes[place] = joins[join].index }
    }
    return Set(unmatched)
  }
}

extension ToManyStorage {
  /// Switches to the table and columns in which the store has the same links.
  mutating func move(from old: JoinTable, to new: JoinTable) {
    // The sides may be swapped in the store's table.
    let own = targetColumn == old.first.column ? old.first.end : old.second.end
    let isFirst = new.isReflexive ? targetColumn == old.first.column : new.first.end == own
    let (side, other) = isFirst ? (new.first, new.second) : (new.second, new.first)
    (tableName, ownerColumn, targetColumn) = (new.layout.name, other.column, side.column)
    orderColumn = side.orderColumn
  }
}

extension JoinTable {
  /// The columns of a stored table that hold the targets of each end.
  struct Columns {
    var first: String
    var second: String
  }

  /// A rule for recognizing a stored table.
  enum Match: CaseIterable {
    /// By the table's name and its columns; the column names may end in any number.
    case table
    /// By the columns alone.
    case columns
    /// Like `table`, but the entity numbers in the names may differ.
    case tableOfOtherNumbers
    /// Like `columns`, but the entity numbers in the names may differ.
    case columnsOfOtherNumbers

    var ignoresEntities: Bool { self == .tableOfOtherNumbers || self == .columnsOfOtherNumbers }
    var checksTable: Bool { self == .table || self == .tableOfOtherNumbers }
    /// True if two tables cannot both match.
    var namesOneTable: Bool { self == .table }
  }

  fileprivate func columns(in table: StoredJoinTable, _ rule: Match) -> Columns? {
    func plain(_ name: String) -> String {
      rule.ignoresEntities ? name.uppercased().withoutEntityNumber : name.uppercased()
    }
    if rule.checksTable, ![first.tableName, second.tableName, layout.name].map(plain).contains(plain(table.name)) {
      return nil
    }
    // Both columns can match the same end if a name ends in a digit; the column with the expected name wins.
    for (one, other) in [(table.keys[0], table.keys[1]), (table.keys[1], table.keys[0])] {
      if plain(one) == plain(second.column), plain(other) == plain(first.column) {
        return Columns(first: other, second: one)
      }
    }
    for (one, other) in [(table.keys[0], table.keys[1]), (table.keys[1], table.keys[0])]
    where plain(one).isNumbered(plain(second.baseColumn)) && plain(other).isNumbered(plain(first.baseColumn)) {
      return Columns(first: other, second: one)
    }
    return nil
  }

  fileprivate mutating func fit(to table: StoredJoinTable, _ columns: Columns) {
    func fitted(_ side: Side, _ column: String) -> Side {
      var side = side
      let name = table.columns.first { $0.uppercased() == column } ?? column
      side.number = Int(column.withoutEntityNumber.dropFirst(side.baseColumn.withoutEntityNumber.count)) ?? 0
      side.column = name
      if side.orderColumn != nil {
        let orders = table.columns.filter { $0.uppercased().hasPrefix("Z_FOK_") }
        let base = isReflexive ? second.baseColumn : side.baseColumn
        side.orderColumn =
          orders.first { $0.uppercased() == "Z_FOK_\(column.dropFirst(2))" }
          ?? orders.first {
            "Z_\($0.uppercased().dropFirst(6))".withoutEntityNumber.isNumbered(base.uppercased().withoutEntityNumber)
          }
      }
      return side
    }
    let isTurned =
      layout.name.uppercased() != table.name.uppercased()
      && table.name.uppercased().withoutEntityNumber == second.tableName.uppercased().withoutEntityNumber
      && !isReflexive
    (first, second) = (fitted(first, columns.first), fitted(second, columns.second))
    if isTurned { (first, second) = (second, first) }
    layout.name = table.name
    layout.columns = table.columns.map { .init(name: $0, declaredType: "INTEGER") }
    let keys = table.columns.filter { !$0.uppercased().hasPrefix("Z_FOK_") }
    layout.primaryKey = keys
  }
}

extension String {
  /// `Z_12TAGS` without the number that a renumbered entity changes: `Z_TAGS`.
  fileprivate var withoutEntityNumber: String {
    guard hasPrefix("Z_") else { return uppercased() }
    return "Z_" + dropFirst(2).drop { $0.isNumber }.uppercased()
  }

  /// True for `name`, and for `name` followed by a number.
  fileprivate func isNumbered(_ name: String) -> Bool {
    hasPrefix(name) && dropFirst(name.count).allSatisfy { ("0"..."9").contains($0) }
  }
}

/// Names as written in SQL, the same as in translated expressions.
typealias SQLName = HeavyliftExpression.SQLName
