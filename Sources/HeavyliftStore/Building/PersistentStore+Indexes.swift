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
