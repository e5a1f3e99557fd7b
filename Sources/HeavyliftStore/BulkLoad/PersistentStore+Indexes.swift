import HeavyliftSQLite

/// Building an index from all rows at once costs less than updating it for each row that is inserted or changed.
extension PersistentStore {
  /// Creates the indexes of a store under construction, as far as it does not have them.
  package func makeDeferredIndexes() throws {
    guard !deferredIndexes.isEmpty else { return }
    endIndexing { try $0.finish() }
    try reporting {
      if let indexingFailure { throw indexingFailure }
      try database.transaction(.immediate) {
        for index in deferredIndexes { try database.execute(index.buildingSQL) }
      }
    }
    deferredIndexes = []
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
