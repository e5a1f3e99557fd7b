import HeavyliftModel
import HeavyliftSQLite

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
