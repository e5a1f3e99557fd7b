import HeavyliftModel
import HeavyliftSQLite

/// The rows of one entity that may stay in their table when the new store starts as a copy of the old one's file.
package struct KeptRows {
  /// A to-one relationship that is written with the rows.
  package struct Link {
    package var relationship: String
    package var sourceRelationship: String
    /// The entity numbers of its targets, by their numbers in the source.
    package var numbers: [Int: Int]

    package init(relationship: String, sourceRelationship: String, numbers: [Int: Int]) {
      (self.relationship, self.sourceRelationship) = (relationship, sourceRelationship)
      self.numbers = numbers
    }
  }

  private let transfer: RowTransfer
  private let facts: ColumnFacts
  private var values: [String: NewValue] = [:]
  /// Conditions that are true for rows that would come out differently, as far as the facts do not tell.
  private var differences: [String] = []
  private var source: EntityLayout { transfer.source.layout }

  /// - Parameters:
  ///   - transfer: The statement that would write the rows.
  ///   - links: The to-one relationships that are written with the rows.
  ///   - facts: The facts about the source's rows.
  /// - Throws: `NotKept` if a statement would not just copy the rows.
  package init(_ transfer: RowTransfer, _ links: [Link], _ facts: ColumnFacts) throws(NotKept) {
    (self.transfer, self.facts) = (transfer, facts)
    guard transfer.filter == nil else { throw NotKept("only some of its objects are migrated") }
    try requireRegular("Z_OPT")
    if source.ownsTable { try requireRegular("Z_ENT") }
    for link in links { try add(link) }
    for attribute in transfer.destination.columns.attributes {
      for leaf in attribute.column.leafColumns { try add(leaf, attribute.column) }
    }
  }

  private mutating func add(_ leaf: String, _ column: AttributeColumn) throws(NotKept) {
    guard transfer.externals[column.column] == nil else {
      throw NotKept("the values of column '\(leaf)' may be stored in files")
    }
    guard let value = transfer.newValue(ofColumn: leaf, column) else { return }
    if case .expression = value { throw NotKept("the values of column '\(leaf)' are computed") }
    if case .same(let old) = value, transfer.values[leaf]?.sources.rowColumn == nil {
      guard column.type == .boolean || column.type == .date else {
        throw NotKept("the values of column '\(leaf)' are computed")
      }
      try requireRegular(old)
    }
    values[leaf] = value
  }

  private mutating func add(_ link: Link) throws(NotKept) {
    guard let new = transfer.destination.layout.toOne(named: link.relationship),
      let old = source.toOne(named: link.sourceRelationship)
    else { throw NotKept("relationship '\(link.relationship)' is not stored") }
    guard new.orderColumn == nil, old.orderColumn == nil else {
      throw NotKept("relationship '\(link.relationship)' is ordered from the other end")
    }
    try requireRegular(old.column)
    values[new.column] = .same(old.column)
    guard let newNumber = new.entityColumn else { return }
    guard let oldNumber = old.entityColumn else {
      throw NotKept("the source lacks the column '\(newNumber)' of relationship '\(link.relationship)'")
    }
    values[newNumber] = .number(in: oldNumber, link.numbers)
    differences.append(
      "\(SQLName(oldNumber)) IS NOT (SELECT d.Z_ENT FROM \(SQLName(old.destinationTableName)) d "
        + "WHERE d.Z_PK = \(SQLName(old.column)))")
  }

  /// Throws if a statement would write some value of a column in another form.
  private func requireRegular(_ column: String) throws(NotKept) {
    guard facts.column(named: column)?.isIrregular == false else {
      throw NotKept("some values of column '\(column)' would be written in another form")
    }
  }

  /// Throws if rows have values in columns of the store that a statement would leave empty.
  fileprivate func requireUnset(_ table: KeptTable) throws(NotKept) {
    for (new, old) in table.columns where (values[new] ?? .nothing) == .nothing && !table.added.contains(new) {
      guard facts.column(named: old)?.hasValues == false else {
        throw NotKept("some values of column '\(old)' would be deleted")
      }
    }
  }

  fileprivate func requireEqual(in store: PersistentStore, _ table: String) throws {
    guard !differences.isEmpty else { return }
    let found = try store.database.firstValue(
      "SELECT EXISTS (SELECT 1 FROM \(SQLName(table)) WHERE Z_ENT = \(source.number) "
        + "AND (\(differences.joined(separator: " OR "))))")
    guard found == .integer(0) else { throw NotKept("some of its rows would be written differently") }
  }

  fileprivate var rows: KeptTable.Rows {
    .init(source: source, newNumber: transfer.destination.layout.number, values: values)
  }
}

/// The reason why a table must be written anew.
package struct NotKept: Error, CustomStringConvertible {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}

extension PersistentStore {
  /// Returns a table of this store as one that a copy of the store's file keeps.
  ///
  /// - Parameters:
  ///   - name: The table's name in this store.
  ///   - table: The table in the destination.
  ///   - entities: The rows of all entities in the table.
  /// - Throws: `NotKept` if the rows would not be exactly those that a statement would write.
  package func keptTable(_ name: String, as table: TableLayout, _ entities: [KeptRows]) throws -> KeptTable {
    try reporting {
      let present = try database.columns(of: name)
      try requirePlainTable(name, present)
      var names = FreeNames(besides: present.map(\.name))
      let kept = KeptTable(
        name, as: table, entities.map(\.rows), present: present, in: layout, reusesColumns: true, &names)
      let types = Dictionary(
        present.map { ($0.name, $0.declaredType.uppercased()) }, uniquingKeysWith: { first, _ in first })
      for key in ["Z_PK", "Z_ENT", "Z_OPT"] where types[key] != "INTEGER" {
        throw NotKept("its keys are not integers")
      }
      for column in table.columns.dropFirst(3) where !kept.added.contains(column.name) {
        guard let old = kept.columns[column.name], types[old] == column.declaredType else {
          throw NotKept("a column of '\(column.name)' has a different type in the store")
        }
      }
      if let stray = kept.unusedColumns.first { throw NotKept("column '\(stray)' is not in the new version") }
      for rows in entities {
        try rows.requireUnset(kept)
        try rows.requireEqual(in: self, name)
      }
      return kept
    }
  }

  /// Throws for a table with more than columns and a key, which Core Data never creates.
  private func requirePlainTable(_ name: String, _ columns: [ColumnInfo]) throws {
    let sql = try database.firstValue(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", .text(name))
    guard case .text(let text)? = sql else { throw NotKept("it is not a table") }
    let words = Set(text.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    let isPlain =
      words.isDisjoint(with: [
        "CHECK", "COLLATE", "REFERENCES", "UNIQUE", "CONSTRAINT", "AUTOINCREMENT", "WITHOUT", "STRICT", "CONFLICT",
      ])
      && columns.allSatisfy { column in
        !column.isNotNull && column.defaultSQL == nil && !column.isGenerated
          && column.isPrimaryKey == (column.name == "Z_PK")
      }
    guard isPlain else { throw NotKept("its table has constraints that Core Data's tables do not have") }
  }
}
