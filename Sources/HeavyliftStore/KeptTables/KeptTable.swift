import HeavyliftModel
import HeavyliftSQLite

/// A table of a store that becomes a table of the next version where it is: its rows stay, and get what differs.
///
/// A migration in place keeps tables of the store itself; others keep tables of a copy, and write the rest anew.
package struct KeptTable: Hashable, Sendable {
  /// The rows of one entity.
  struct Rows: Hashable, Sendable {
    var source: EntityLayout
    var newNumber: Int
    /// The new values of columns, by their new names; the others are NULL.
    var values: [String: NewValue]
  }

  /// The name in the store.
  package let source: String
  /// The table in the new version.
  let table: TableLayout
  let rows: [Rows]
  /// The name that each new column has until the end: that of a column of the store, or of one that is added.
  private(set) var columns: [String: String] = [:]
  /// The new names of columns that are added.
  private(set) var added: Set<String> = []
  private let present: [String]
  private var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  package var name: String { table.name }

  /// - Parameters:
  ///   - present: The columns that the table has.
  ///   - layout: The store's layout.
  ///   - reusesColumns: True if a column that no row copies may get other values. A unique index must not be in the way.
  init(
    _ source: String, as table: TableLayout, _ rows: [Rows], present: [ColumnInfo], in layout: PhysicalLayout,
    reusesColumns: Bool, _ names: inout FreeNames
  ) {
    (self.source, self.table, self.rows) = (source, table, rows)
    self.present = present.map(\.name)
    let own = layout.tables.first { $0.name == source }?.columns ?? []
    func fits(_ old: ColumnInfo, _ column: TableLayout.Column) -> Bool {
      // A table that another program has migrated can have types that differ from those of a new store.
      old.declaredType.uppercased() == column.declaredType
        || own.first { $0.name == old.name }?.declaredType == column.declaredType
    }
    let wanted = table.columns.dropFirst(3)
    for column in wanted {
      let uses = uses(of: column.name).filter { old, _ in
        !used.contains(old.uppercased())
          && present.contains { $0.name.uppercased() == old.uppercased() && fits($0, column) }
      }
      if let old = uses.min(by: { ($1.value, $0.key) < ($0.value, $1.key) })?.key { take(old, as: column.name) }
    }
    // A column that no row copies can have other values for all rows, which is less work than to drop it.
    for column in wanted where reusesColumns && columns[column.name] == nil {
      let old = own.first { $0.name == column.name && !used.contains($0.name.uppercased()) }
      if let old, present.contains(where: { $0.name == old.name && fits($0, column) }) {
        take(old.name, as: column.name)
      }
    }
    var taken = Set(present.map { $0.name.uppercased() })
    for column in wanted where columns[column.name] == nil {
      added.insert(column.name)
      columns[column.name] =
        taken.insert(column.name.uppercased()).inserted ? column.name : names.placeholder()
    }
  }

  private mutating func take(_ old: String, as column: String) {
    used.insert(old.uppercased())
    columns[column] = old
  }

  /// Counts the entities whose rows copy a column of the store to a new one, by its name in the store.
  private func uses(of column: String) -> [String: Int] {
    var uses: [String: Int] = [:]
    for value in rows.compactMap({ $0.values[column] }) {
      switch value {
      case .same(let old): uses[old, default: 0] += 1
      // A default for missing values, for instance: most rows keep their values.
      case .expression(let text, _): if let old = onlyColumn(in: text) { uses[old, default: 0] += 1 }
      case .constant, .nothing: continue
      }
    }
    return uses
  }

  /// The column of its row that an expression reads, if it is only one.
  private func onlyColumn(in text: String) -> String? {
    let read = present.filter { name in
      text.ranges(of: "t0.\(SQLName(name))").contains { range in
        range.upperBound == text.endIndex
          || !(text[range.upperBound].isLetter || text[range.upperBound].isNumber || text[range.upperBound] == "_")
      }
    }
    return read.count == 1 && read != ["Z_PK"] ? read[0] : nil
  }

  /// The columns that the new version does not have.
  var unusedColumns: [String] { present.filter { !used.contains($0.uppercased()) } }

  /// True if a column has the same values in all rows of an entity as before. One without a value is empty in all rows.
  func isUntouched(_ column: String, in rows: Rows) -> Bool {
    columns[column].map { (rows.values[column] ?? .same($0)) == .same($0) } ?? false
  }

  // MARK: Statements

  /// Adds the statements that give the table its new columns, and its rows their values.
  ///
  /// - Parameters:
  ///   - leaving: The columns that get other names, or are dropped, before columns are renamed.
  ///   - renumbersRows: True if no later statement finds rows by the entity numbers that they had.
  func addStatements(
    to program: inout ChangeProgram, _ names: inout FreeNames, leaving: Set<String> = [], renumbersRows: Bool
  ) {
    for column in table.columns where added.contains(column.name) {
      guard let working = columns[column.name] else { continue }
      program.add(
        .addsColumn, in: .create, table: name, part: column.name,
        sql: "ALTER TABLE \(SQLName(source)) ADD COLUMN \(SQLName(working)) \(column.declaredType)")
    }
    addUpdate(to: &program, renumbersRows: renumbersRows)
    let wanted = columns.map { (old: $0.value, new: $0.key) }.sorted { $0.new < $1.new }
    let taken = present.filter { !leaving.contains($0) } + added.compactMap { columns[$0] }
    program.renameColumns(of: source, name, names.renamings(wanted, taken: taken, "column"))
  }

  /// A column and its new values, by the numbers of the rows' entities.
  private struct Assignment {
    var column: String
    var values: [(number: Int, value: NewValue)]
  }

  /// The values that rows do not have yet.
  private var assignments: [Assignment] {
    table.columns.dropFirst(3).compactMap { column in
      guard let working = columns[column.name] else { return nil }
      let values = rows.compactMap { rows -> (Int, NewValue)? in
        let value = rows.values[column.name] ?? .nothing
        let isThere =
          added.contains(column.name)
          ? value == .nothing
          : value == .same(working) || value == .nothing && !rows.source.hasColumn(working)
        return isThere ? nil : (rows.source.number, value)
      }
      return values.isEmpty ? nil : Assignment(column: working, values: values)
    }
  }

  /// True if rows get other values.
  var changesValues: Bool { !assignments.isEmpty }

  private var changesNumbers: Bool { rows.contains { $0.source.number != $0.newNumber } }

  /// True if rows get other values or numbers.
  var changesRows: Bool { changesValues || changesNumbers }

  private func addUpdate(to program: inout ChangeProgram, renumbersRows: Bool) {
    let renumbers = renumbersRows && changesNumbers
    let assignments = assignments
    guard renumbers || !assignments.isEmpty else { return }
    var (sets, bindings): ([String], [SQLiteValue]) = ([], [])
    if renumbers {
      let numbers = Dictionary(rows.map { ($0.source.number, $0.newNumber) }, uniquingKeysWith: { first, _ in first })
      sets.append("Z_ENT = CASE t0.Z_ENT \(NewValue.cases(numbers)) END")
    }
    for assignment in assignments {
      var text = "CASE t0.Z_ENT"
      for (number, value) in assignment.values {
        let sql = value.sql
        text += " WHEN \(number) THEN \(sql.text)"
        bindings += sql.bindings
      }
      sets.append("\(SQLName(assignment.column)) = \(text) ELSE t0.\(SQLName(assignment.column)) END")
    }
    // Rows that have their values already are not written.
    var conditions: [String] = []
    for number in renumbers ? [] : Set(assignments.flatMap { $0.values.map(\.number) }).sorted() {
      var differences: [String] = []
      for assignment in assignments {
        guard let sql = assignment.values.first(where: { $0.number == number })?.value.sql else { continue }
        differences.append("t0.\(SQLName(assignment.column)) IS NOT \(sql.text)")
        bindings += sql.bindings
      }
      conditions.append("t0.Z_ENT = \(number) AND (\(differences.joined(separator: " OR ")))")
    }
    let changed = assignments.compactMap { assignment in columns.first { $0.value == assignment.column }?.key }
    program.add(
      .fillsColumn, in: .update, table: name, part: changed.sorted().joined(separator: ", "),
      sql: "UPDATE \(SQLName(source)) AS t0 SET \(sets.joined(separator: ", "))"
        + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " OR "))"), bindings: bindings)
  }
}

/// The new value of a column.
enum NewValue: Hashable, Sendable {
  /// NULL.
  case nothing
  /// The value of a column of the same row.
  case same(String)
  case constant(SQLiteValue)
  /// An expression over the row, which has the alias `t0`.
  case expression(String, [SQLiteValue])

  /// The value as SQL.
  var sql: (text: String, bindings: [SQLiteValue]) {
    switch self {
    case .nothing: ("NULL", [])
    case .same(let column): ("t0.\(SQLName(column))", [])
    case .constant(let value): ("?", [value])
    case .expression(let text, let bindings): ("(\(text))", bindings: bindings)
    }
  }

  /// The new entity number in a column, by the old ones.
  static func number(in column: String, _ numbers: [Int: Int]) -> NewValue {
    if numbers.allSatisfy({ $0.key == $0.value }) { return .same(column) }
    return .expression("CASE t0.\(SQLName(column)) \(cases(numbers)) END", [])
  }

  /// The cases of an SQL expression that turns old entity numbers into new ones.
  static func cases(_ numbers: [Int: Int]) -> String {
    numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }.joined(separator: " ")
  }
}

extension RowTransfer {
  /// Returns the new value of an attribute's column, if the row stays in its table; nil for NULL in all rows.
  func newValue(ofColumn leaf: String, _ column: AttributeColumn) -> NewValue? {
    guard let value = values[leaf] else { return nil }
    // A plain copy keeps even a value that a statement would write in another form, such as 5 for true.
    if column.type != .composite, let copied = copies[column.name], case .attribute(let slot)? = source.slots[copied],
      let old = source.attributes[slot].column
    {
      return .same(old.column)
    }
    if let constant = value.constant { return constant == .null ? .nothing : .constant(SQLiteValue(constant)) }
    if let old = value.sources.rowColumn { return .same(old) }
    return .expression(value.sql, value.bindings.map(SQLiteValue.init))
  }
}

/// Names for tables and columns that nothing else has.
struct FreeNames {
  private var taken: Set<String>
  private var placeholders = 0
  /// Names that are needed, but belong to something else, in words.
  private(set) var collisions: [String] = []

  init(besides names: some Sequence<String>) { taken = Set(names.map { $0.uppercased() }) }

  /// Returns a name that nothing has, preferably the given one.
  mutating func free(_ wanted: String) -> String {
    taken.insert(wanted.uppercased()).inserted ? wanted : placeholder()
  }

  /// Returns a name for a table or column that gets its final name later.
  mutating func placeholder() -> String {
    var number = placeholders
    defer { placeholders = number }
    return next("HEAVYLIFT_NEW_", &number)
  }

  /// Returns the first name with a prefix and a number that nothing has.
  mutating func next(_ prefix: String, _ counter: inout Int) -> String {
    while true {
      counter += 1
      let name = "\(prefix)\(counter)"
      if taken.insert(name).inserted { return name }
    }
  }

  /// Renames whatever has another name than it should have, by way of a free name if another one is to get the old name.
  ///
  /// - Parameters:
  ///   - wanted: Pairs of names.
  ///   - present: All names, to find those that nothing gives up.
  ///   - kind: What has the names, in words.
  /// - Returns: Pairs of names, in the order in which to rename.
  mutating func renamings(
    _ wanted: [(old: String, new: String)], taken present: [String], _ kind: String
  ) -> [(old: String, new: String)] {
    let pairs = wanted.filter { $0.old != $0.new }
    // SQLite compares names without regard to case.
    let (olds, news) = (Set(pairs.map { $0.old.uppercased() }), Set(pairs.map { $0.new.uppercased() }))
    for name in present where news.contains(name.uppercased()) && !olds.contains(name.uppercased()) {
      collisions.append("\(kind) '\(name)', which does not belong to the model, has a name that the new version needs")
    }
    var (first, then): ([(String, String)], [(String, String)]) = ([], [])
    for pair in pairs {
      if pair.old.uppercased() != pair.new.uppercased(), news.contains(pair.old.uppercased()) {
        let name = placeholder()
        first.append((pair.old, name))
        then.append((name, pair.new))
      } else {
        then.append(pair)
      }
    }
    return first + then
  }
}
