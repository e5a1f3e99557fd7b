/// A table, index, view or trigger, as the schema lists it.
package struct SchemaObject: Hashable, Sendable {
  /// The kinds of objects in a schema.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case table, index, view, trigger
  }

  package var type: Kind
  package var name: String
  /// The table of an index or a trigger; for tables and views, their own name.
  package var tableName: String
  /// The statement that created the object; nil for an index that belongs to a constraint.
  package var sql: String?

  /// Creates a schema object.
  package init(type: Kind, name: String, tableName: String, sql: String?) {
    self.type = type
    self.name = name
    self.tableName = tableName
    self.sql = sql
  }
}

extension Database {
  /// Returns true if there is a table with that name; as everywhere in SQL, ASCII case does not matter.
  package func tableExists(_ name: String, in schema: String = "main") throws(SQLiteError) -> Bool {
    let sql = "SELECT 1 FROM \(schema.asSQLIdentifier).sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
    return try firstValue(sql, .text(name)) != nil
  }

  /// Returns all objects of the schema in order of creation, including SQLite's own tables.
  package func schemaObjects(in schema: String = "main") throws(SQLiteError) -> [SchemaObject] {
    let sql = "SELECT type, name, tbl_name, sql FROM \(schema.asSQLIdentifier).sqlite_master ORDER BY rowid"
    var cursor = try cached(sql).query()
    var objects: [SchemaObject] = []
    while try cursor.next() {
      let type = try cursor.row.text(at: 0) ?? ""
      guard let kind = SchemaObject.Kind(rawValue: type) else {
        throw SQLiteError(code: .corrupt, message: "the schema lists an object of unknown type", path: path)
      }
      objects.append(
        SchemaObject(
          type: kind, name: try cursor.row.text(at: 1) ?? "", tableName: try cursor.row.text(at: 2) ?? "",
          sql: try cursor.row.text(at: 3)))
    }
    return objects
  }
}
