/// A column of a table or view.
package struct ColumnInfo: Hashable, Sendable {
  package var name: String
  /// The type as written in the table's SQL; empty if the column has none.
  package var declaredType: String
  package var isNotNull: Bool
  /// The default as SQL, if there is one.
  package var defaultSQL: String?
  /// The column's position in the primary key, starting at 1; 0 if it is not part of the key.
  package var primaryKeyPosition: Int
  /// A Boolean value that indicates whether the column is generated, and so cannot be written.
  package var isGenerated: Bool

  /// A Boolean value that indicates whether the column is part of the primary key.
  package var isPrimaryKey: Bool { primaryKeyPosition > 0 }

  /// Creates a description of a column.
  package init(
    name: String, declaredType: String, isNotNull: Bool = false, defaultSQL: String? = nil,
    primaryKeyPosition: Int = 0, isGenerated: Bool = false
  ) {
    self.name = name
    self.declaredType = declaredType
    self.isNotNull = isNotNull
    self.defaultSQL = defaultSQL
    self.primaryKeyPosition = primaryKeyPosition
    self.isGenerated = isGenerated
  }
}

extension Database {
  /// Returns a table's columns in order; empty if there is no such table.
  package func columns(of table: String, in schema: String = "main") throws(SQLiteError) -> [ColumnInfo] {
    let statement = try cached(
      #"SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?) ORDER BY cid"#)
    try statement.bind([.text(table), .text(schema)])
    var cursor = statement.query()
    var columns: [ColumnInfo] = []
    while try cursor.next() {
      let hidden = cursor.row.integer(at: 5)
      // The value 1 marks a hidden column of a virtual table, which is really a parameter.
      if hidden == 1 { continue }
      columns.append(
        ColumnInfo(
          name: try cursor.row.text(at: 0) ?? "", declaredType: try cursor.row.text(at: 1) ?? "",
          isNotNull: cursor.row.integer(at: 2) != 0, defaultSQL: try cursor.row.text(at: 3),
          primaryKeyPosition: Int(cursor.row.integer(at: 4)), isGenerated: hidden != 0))
    }
    return columns
  }
  /// Returns a name by which SQL can use a table's row ID; nil if the table has no row IDs, or if columns have all names.
  package func rowIDName(of table: String) throws(SQLiteError) -> String? {
    // A column, even a generated one, hides the row ID (https://sqlite.org/lang_createtable.html#rowid).
    let columns = Set(try columns(of: table).map { $0.name.lowercased() })
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !columns.contains($0) }) else { return nil }
    do {
      _ = try prepare("SELECT \(name) FROM main.\(table.asSQLIdentifier)")
      return name
    } catch let error where error.isMissingName {
      // The table was created WITHOUT ROWID.
      return nil
    }
  }
}
