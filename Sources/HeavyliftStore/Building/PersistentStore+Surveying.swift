import HeavyliftSQLite

extension PersistentStore {
  /// Looks once at every source row of a transfer: which they are, and whether each is as the model says.
  ///
  /// - Parameters:
  ///   - names: The only attributes to look at; nil for all.
  ///   - visit: Called with each row's key, until one is not as the model says.
  /// - Returns: The key of the first object with a value or a key that is not as the model says.
  package func survey(
    _ transfer: RowTransfer, among names: Set<String>? = nil, visit: (Int64) -> Void
  ) throws -> Int64? {
    try register(transfer)
    let (sql, bindings) = transfer.survey(among: names)
    return try reporting {
      let statement = try database.prepare(sql)
      try statement.bind(bindings)
      var cursor = statement.query()
      while try cursor.next() {
        let key = cursor.row.integer(at: 0)
        if cursor.row.integer(at: 1) != 0 { return key }
        visit(key)
      }
      return nil
    }
  }
}
