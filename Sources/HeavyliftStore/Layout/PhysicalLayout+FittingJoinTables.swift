import HeavyliftModel
import HeavyliftSQLite

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
