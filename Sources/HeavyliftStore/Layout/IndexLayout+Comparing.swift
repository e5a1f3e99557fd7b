import HeavyliftSQLite

extension IndexInfo {
  /// True for an index of columns that compares them as Core Data's indexes do.
  var isOrdinary: Bool {
    !isPartial && columns.allSatisfy { $0.name != nil && $0.collation == "BINARY" }
  }

  /// Returns true if the index is the one of a layout.
  ///
  /// - Parameters:
  ///   - table: The name that its table has, or will have.
  ///   - names: New names of its columns, by the old ones.
  func isIndex(_ layout: IndexLayout, of table: String, renaming names: [String: String] = [:]) -> Bool {
    isOrdinary && table == layout.tableName && isUnique == layout.isUnique
      && columns.map { column in column.name.map { names[$0] ?? $0 } } == layout.columns.map(\.name)
      && columns.map(\.isDescending) == layout.columns.map { $0.order == "DESC" }
  }
}

extension Database {
  /// Returns the indexes that statements have created, each with its table, in order of creation.
  ///
  /// - Parameter objects: The objects of the schema.
  func createdIndexes(among objects: [SchemaObject]) throws(SQLiteError) -> [(table: String, index: IndexInfo)] {
    let created = objects.filter { $0.type == .index && $0.sql != nil }
    var known: [String: IndexInfo] = [:]
    for table in Set(created.map(\.tableName)) {
      for index in try indexes(of: table) { known[index.name] = index }
    }
    return created.compactMap { object in known[object.name].map { (object.tableName, $0) } }
  }
}
