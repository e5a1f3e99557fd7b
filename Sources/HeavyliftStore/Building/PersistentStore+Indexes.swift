import HeavyliftSQLite

/// To sort all rows once costs less than to find a place in every index for each row that comes or changes.
extension PersistentStore {
  /// Does without indexes until somebody needs them; for a store that is being built.
  package func deferIndexes() throws {
    try reporting {
      try database.transaction(.immediate) {
        for index in layout.indexes {
          try database.execute("DROP INDEX IF EXISTS \(SQLName(index.isUnique ? index.buildingName : index.name))")
        }
      }
    }
    hasDeferredIndexes = true
  }

  /// Makes the indexes that the store does without; nothing where it has them.
  package func makeDeferredIndexes() throws {
    guard hasDeferredIndexes else { return }
    hasDeferredIndexes = false
    try reporting {
      try database.transaction(.immediate) {
        for index in layout.indexes { try database.execute(index.buildingSQL) }
      }
    }
  }
}

/// Policies often find an object by a value that has no index, once for each source object: reading the whole table each
/// time would take time that grows with the square of the store.
extension PersistentStore {
  /// How often objects are searched by an attribute before it gets an index.
  private static let searchesBeforeIndex = 16

  /// Counts a search for rows that have one value in a column, and indexes the column if there are many.
  func noteSearch(table: String, column: String) throws {
    let name = "HEAVYLIFT_LOOKUP_\(table)_\(column)"
    guard let count = searchCounts[name] else {
      let isIndexed = layout.indexes.contains { $0.tableName == table && $0.columns.first?.name == column }
      return searchCounts[name] = isIndexed ? Int.min : 1
    }
    searchCounts[name] = count + 1
    guard count + 1 == Self.searchesBeforeIndex else { return }
    try reporting {
      try database.execute("CREATE INDEX \(SQLName(name)) ON \(SQLName(table)) (\(SQLName(column)))")
    }
    searchIndexes.append(name)
  }

  /// Removes the indexes that searches were given, and returns their pages to the file system.
  func dropSearchIndexes() throws {
    guard !searchIndexes.isEmpty else { return }
    for name in searchIndexes { try database.execute("DROP INDEX \(SQLName(name))") }
    searchIndexes = []
    try database.execute("PRAGMA incremental_vacuum")
  }
}
