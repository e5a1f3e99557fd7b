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
