import HeavyliftSQLite

/// Building an index from all rows at once costs less than updating it for each row that is inserted or changed.
extension PersistentStore {
  /// Drops the indexes of a store that is being built, until `makeDeferredIndexes()` creates them again.
  package func deferIndexes() throws {
    try reporting {
      try database.transaction(.immediate) {
        for index in indexesToBuild {
          try database.execute("DROP INDEX IF EXISTS \(SQLName(index.isUnique ? index.buildingName : index.name))")
        }
      }
    }
    hasDeferredIndexes = true
  }

  /// Creates the indexes that `deferIndexes()` dropped; does nothing if the store has its indexes.
  package func makeDeferredIndexes() throws {
    guard hasDeferredIndexes else { return }
    try buildIndexes()
    hasDeferredIndexes = false
  }
}

/// Policies often search for an object by an attribute without an index, once for each source object. Reading the whole
/// table each time would take time that grows with the square of the store.
extension PersistentStore {
  /// The number of searches by an attribute after which its column gets an index.
  private static let searchesBeforeIndex = 16

  /// Counts a search by the value of a column, and indexes the column once there have been many.
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

  /// Drops the indexes that were created for searches.
  func dropSearchIndexes() throws {
    guard !searchIndexes.isEmpty else { return }
    for name in searchIndexes { try database.execute("DROP INDEX \(SQLName(name))") }
    searchIndexes = []
  }
}
