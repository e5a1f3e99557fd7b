/// An index of a table.
package struct IndexInfo: Hashable, Sendable {
  /// The reason why the index exists.
  package enum Origin: String, Hashable, Sendable {
    /// A `CREATE INDEX` statement.
    case statement = "c"
    /// A UNIQUE constraint of the table.
    case uniqueConstraint = "u"
    /// The table's primary key.
    case primaryKey = "pk"
  }

  /// A column of an index.
  package struct Column: Hashable, Sendable {
    /// The column's name; nil for an expression and for the row ID.
    package var name: String?
    package var isDescending: Bool
    package var collation: String

    /// Creates a description of an index's column.
    package init(name: String?, isDescending: Bool = false, collation: String = "BINARY") {
      self.name = name
      self.isDescending = isDescending
      self.collation = collation
    }
  }

  package var name: String
  package var isUnique: Bool
  package var origin: Origin
  /// A Boolean value that indicates whether the index has a WHERE clause.
  package var isPartial: Bool
  package var columns: [Column]

  /// Creates a description of an index.
  package init(
    name: String, isUnique: Bool = false, origin: Origin = .statement, isPartial: Bool = false, columns: [Column]
  ) {
    self.name = name
    self.isUnique = isUnique
    self.origin = origin
    self.isPartial = isPartial
    self.columns = columns
  }
}

extension Database {
  /// Returns a table's indexes, sorted by name.
  package func indexes(of table: String, in schema: String = "main") throws(SQLiteError) -> [IndexInfo] {
    let statement = try cached(
      #"SELECT name, "unique", origin, partial FROM pragma_index_list(?, ?) ORDER BY name"#)
    try statement.bind([.text(table), .text(schema)])
    var cursor = statement.query()
    var indexes: [IndexInfo] = []
    while try cursor.next() {
      let name = try cursor.row.text(at: 0) ?? ""
      indexes.append(
        IndexInfo(
          name: name, isUnique: cursor.row.integer(at: 1) != 0,
          origin: IndexInfo.Origin(rawValue: try cursor.row.text(at: 2) ?? "") ?? .statement,
          isPartial: cursor.row.integer(at: 3) != 0, columns: try indexColumns(name, in: schema)))
    }
    return indexes
  }

  private func indexColumns(_ index: String, in schema: String) throws(SQLiteError) -> [IndexInfo.Column] {
    let statement = try cached(#"SELECT name, "desc", coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno"#)
    try statement.bind([.text(index), .text(schema)])
    var cursor = statement.query()
    var columns: [IndexInfo.Column] = []
    while try cursor.next() {
      columns.append(
        IndexInfo.Column(
          name: try cursor.row.text(at: 0), isDescending: cursor.row.integer(at: 1) != 0,
          collation: try cursor.row.text(at: 2) ?? "BINARY"))
    }
    return columns
  }
}
