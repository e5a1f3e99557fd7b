import Foundation
import HeavyliftSQLite

/// A table that proves, by its existence, that the handlers before or after a hop have run on a store.
///
/// It is created in the same transaction as the handlers' changes, so a store has either both or neither. The journal
/// takes note of it, and then it is removed: it never reaches the user's store.
struct HandlerMark {
  private let table: String

  /// - Parameter journal: The journal's mark, so that no other migration has this table.
  init(_ journal: MigrationJournal, hop: Int, isBefore: Bool) {
    table = "heavylift_\(journal.mark)_\(hop)_\(isBefore ? "before" : "after")"
  }

  func make(in database: Database) throws { try database.execute("CREATE TABLE \(table.asSQLIdentifier) (done)") }

  /// Returns true if the store has the table. A transaction that was interrupted is rolled back first.
  func isMade(in store: URL) throws -> Bool {
    let database = try Database(path: store.path, mode: .readWrite)
    defer { try? database.close() }
    return try !database.columns(of: table).isEmpty
  }

  func remove(from store: URL) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("DROP TABLE IF EXISTS \(table.asSQLIdentifier)")
    try database.close()
  }
}
