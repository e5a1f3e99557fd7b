import HeavyliftModel
import HeavyliftSQLite

/// A table that a migration takes over from the source, because writing it again would give the same rows.
///
/// The destination starts as a copy of the source's file. What the new version needs is changed in place: names, entity
/// numbers and columns with the same value in all rows.
package struct CarriedTable: Hashable, Sendable {
  /// A name in the source and in the destination.
  struct Renaming: Hashable, Sendable {
    var old: String
    var new: String
  }

  /// The new values in the rows of one entity.
  struct RowChange: Hashable, Sendable {
    var oldNumber: Int
    var newNumber: Int
    /// The values of columns, by their new names.
    var values: [String: SQLiteValue] = [:]
  }

  /// The new entity numbers in the column of a to-one relationship, by the old numbers.
  struct Renumbering: Hashable, Sendable {
    var column: String
    var numbers: [Int: Int]
  }

  package let oldName: String
  package let name: String
  var renamedColumns: [Renaming] = []
  var addedColumns: [TableLayout.Column] = []
  var rowChanges: [RowChange] = []
  var renumberings: [Renumbering] = []

  /// The statements that give copied tables their new form.
  static func statements(for tables: [CarriedTable]) -> [(sql: String, bindings: [SQLiteValue])] {
    var renamings = tables.filter { $0.oldName != $0.name }.map { Renaming(old: $0.oldName, new: $0.name) }
    let old = Set(renamings.map { $0.old.uppercased() })
    var statements: [(String, [SQLiteValue])] = []
    func rename(_ name: String, to new: String) {
      statements.append(("ALTER TABLE \(SQLName(name)) RENAME TO \(SQLName(new))", []))
    }
    if renamings.contains(where: { old.contains($0.new.uppercased()) }) {
      // One table takes the name of another one, so all give up their names first.
      for place in renamings.indices {
        let placeholder = "HEAVYLIFT_CARRIED_\(place)"
        rename(renamings[place].old, to: placeholder)
        renamings[place].old = placeholder
      }
    }
    for renaming in renamings { rename(renaming.old, to: renaming.new) }
    return statements + tables.flatMap { $0.statements() }
  }

  /// The statements that give the table its new form, once it has its new name.
  private func statements() -> [(sql: String, bindings: [SQLiteValue])] {
    var statements: [(String, [SQLiteValue])] = []
    for column in renamedColumns {
      statements.append(
        ("ALTER TABLE \(SQLName(name)) RENAME COLUMN \(SQLName(column.old)) TO \(SQLName(column.new))", []))
    }
    for column in addedColumns {
      statements.append(
        ("ALTER TABLE \(SQLName(name)) ADD COLUMN \(SQLName(column.name)) \(column.declaredType)", []))
    }
    if let update { statements.append(update) }
    return statements
  }

  /// True if rows get new values in columns of an index of the source's table.
  func changesValues(of index: IndexInfo) -> Bool {
    let names = Dictionary(renamedColumns.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    let changed = Set(rowChanges.flatMap(\.values.keys) + renumberings.map(\.column) + ["Z_ENT"])
    return index.columns.contains { column in column.name.map { changed.contains(names[$0] ?? $0) } ?? true }
  }

  /// The statement that changes rows; nil if none needs a change.
  private var update: (sql: String, bindings: [SQLiteValue])? {
    var (assignments, bindings): ([String], [SQLiteValue]) = ([], [])
    if rowChanges.contains(where: { $0.oldNumber != $0.newNumber }) {
      assignments.append(
        "Z_ENT = CASE Z_ENT \(rowChanges.map { "WHEN \($0.oldNumber) THEN \($0.newNumber)" }.joined(separator: " ")) END"
      )
    }
    for column in Set(rowChanges.flatMap(\.values.keys)).sorted() {
      let cases = rowChanges.compactMap { change -> String? in
        guard let value = change.values[column] else { return nil }
        bindings.append(value)
        return "WHEN \(change.oldNumber) THEN ?"
      }
      let name = SQLName(column)
      assignments.append("\(name) = CASE Z_ENT \(cases.joined(separator: " ")) ELSE \(name) END")
    }
    for change in renumberings where change.numbers.contains(where: { $0.key != $0.value }) {
      let cases = change.numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
      let name = SQLName(change.column)
      assignments.append("\(name) = CASE \(name) \(cases.joined(separator: " ")) ELSE \(name) END")
    }
    return assignments.isEmpty ? nil : ("UPDATE \(SQLName(name)) SET \(assignments.joined(separator: ", "))", bindings)
  }
}

/// The reason why a table must be written anew.
package struct NotCarried: Error, CustomStringConvertible {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}

extension PersistentStore {
  /// Returns a table of the destination as a table that is taken over from this store.
  ///
  /// - Parameters:
  ///   - name: The table's name in this store.
  ///   - table: The table in the destination.
  ///   - entities: The rows of all entities in the table.
  /// - Throws: `NotCarried` with a reason if the rows would not be exactly those that a statement would write.
  package func carriedTable(
    _ name: String, as table: TableLayout, _ entities: [CarriedRows]
  ) throws -> CarriedTable {
    var carried = CarriedTable(oldName: name, name: table.name)
    let present = try database.columns(of: name)
    try requirePlainTable(name, present)
    try carried.match(present, with: table, entities)
    for rows in entities {
      try carried.requireUnset(rows)
      guard try reporting({ try !hasRow(rows, in: name) }) else {
        throw NotCarried("some of its rows would be written differently")
      }
    }
    return carried
  }

  private func hasRow(_ rows: CarriedRows, in table: String) throws -> Bool {
    guard !rows.differences.isEmpty else { return false }
    return try database.firstValue(
      "SELECT EXISTS (SELECT 1 FROM \(SQLName(table)) WHERE Z_ENT = \(rows.oldNumber) "
        + "AND (\(rows.differences.joined(separator: " OR "))))") != .integer(0)
  }

  /// Throws for a table with more than columns and a key, which Core Data never creates.
  private func requirePlainTable(_ name: String, _ columns: [ColumnInfo]) throws {
    let sql = try database.firstValue(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", .text(name))
    guard case .text(let text)? = sql else { throw NotCarried("it is not a table") }
    let words = Set(text.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    let isPlain =
      words.isDisjoint(with: [
        "CHECK", "COLLATE", "REFERENCES", "UNIQUE", "CONSTRAINT", "AUTOINCREMENT", "WITHOUT", "STRICT", "CONFLICT",
      ])
      && columns.allSatisfy { column in
        !column.isNotNull && column.defaultSQL == nil && !column.isGenerated
          && column.isPrimaryKey == (column.name == "Z_PK")
      }
    guard isPlain else { throw NotCarried("its table has constraints that Core Data's tables do not have") }
  }
}

extension CarriedTable {
  /// Finds out what must change so that the table has the columns of the destination's table.
  fileprivate mutating func match(
    _ present: [ColumnInfo], with table: TableLayout, _ entities: [CarriedRows]
  ) throws(NotCarried) {
    let keys = ["Z_PK", "Z_ENT", "Z_OPT"]
    var oldNames: [String: String] = [:]
    for (old, new) in entities.flatMap(\.copied) {
      guard oldNames.updateValue(old, forKey: new) ?? old == old else {
        throw NotCarried("its entities copy different columns to column '\(new)'")
      }
    }
    let byName = Dictionary(present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for key in keys {
      guard byName[key]?.declaredType.uppercased() == "INTEGER" else { throw NotCarried("its keys are not integers") }
    }
    for column in table.columns where !keys.contains(column.name) {
      if oldNames[column.name] == nil, byName[column.name] == nil {
        addedColumns.append(column)
        continue
      }
      let old = oldNames[column.name] ?? column.name
      guard let found = byName[old] else { throw NotCarried("column '\(old)' has a different name in the store") }
      guard found.declaredType.uppercased() == column.declaredType else {
        throw NotCarried("column '\(old)' has a different type in the store")
      }
      oldNames[column.name] = old
      if old != column.name { renamedColumns.append(Renaming(old: old, new: column.name)) }
    }
    let kept = Set(oldNames.values)
    guard kept.count == oldNames.count else { throw NotCarried("a column is copied to several columns") }
    if let stray = present.first(where: { !kept.contains($0.name) && !keys.contains($0.name) }) {
      throw NotCarried("column '\(stray.name)' is not in the new version")
    }
    let names = Set(present.map { $0.name.uppercased() })
    if let taken = renamedColumns.first(where: { names.contains($0.new.uppercased()) }) {
      throw NotCarried("column '\(taken.new)' exists before column '\(taken.old)' gets its name")
    }
    for rows in entities {
      // NULL is what rows have in new columns anyway.
      let values = rows.constants.filter { $0.value != .null }
      rowChanges.append(RowChange(oldNumber: rows.oldNumber, newNumber: rows.newNumber, values: values))
    }
    var numbers: [String: [Int: Int]] = [:]
    for rows in entities { numbers.merge(rows.targetNumbers) { $0.merging($1) { first, _ in first } } }
    renumberings = numbers.sorted { $0.key < $1.key }.map { Renumbering(column: $0.key, numbers: $0.value) }
  }

  /// Throws if rows of an entity have values in columns that a statement would leave empty.
  fileprivate func requireUnset(_ rows: CarriedRows) throws(NotCarried) {
    let oldNames = Dictionary(renamedColumns.map { ($0.new, $0.old) }, uniquingKeysWith: { first, _ in first })
    let added = Set(addedColumns.map(\.name))
    for (column, value) in rows.constants where value == .null && !added.contains(column) {
      guard rows.facts.column(named: oldNames[column] ?? column)?.hasValues == false else {
        throw NotCarried("some values of column '\(column)' would be deleted")
      }
    }
  }
}
