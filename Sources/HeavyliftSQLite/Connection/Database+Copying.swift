import CSQLite

extension Database {
  /// The number of pages that are copied before the next check for cancellation.
  private static let pagesPerStep: Int32 = 4_096

  /// Copies all pages of a database into another one, which must be empty.
  ///
  /// The copy has the state that the current read transaction sees, including changes in a log that is not merged yet.
  ///
  /// ```swift
  /// let copy = try Database(path: "Copy.sqlite", mode: .create)
  /// try database.copyPages(to: copy)
  /// ```
  ///
  /// - Parameter check: Called from time to time; an error that it throws ends the copy.
  public func copyPages(to copy: Database, _ check: () throws -> Void = {}) throws {
    guard let backup = sqlite3_backup_init(copy.connection.pointer, "main", connection.pointer, "main") else {
      throw copy.connection.failure(sqlite3_errcode(copy.connection.pointer), sql: nil)
    }
    var result = SQLITE_OK
    do {
      while result == SQLITE_OK {
        try check()
        result = sqlite3_backup_step(backup, Self.pagesPerStep)
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else { throw copy.connection.failure(result, sql: nil) }
  }
}
