import Foundation
import HeavyliftSQLite

/// A table that proves, by its existence, that the handlers before or after a hop have run on a store.
///
/// It is created in the same transaction as the handlers' changes, so a store has either both or neither. For the
/// handlers after a hop, it contains the hop's report, because they do not run again. The journal takes note of both,
/// and then the table is removed: it never reaches the user's store.
struct HandlerMark {
  /// A mark that was found in a store.
  struct Found {
    var report: MigrationReport?
  }

  private let table: String

  /// - Parameter journal: The journal's mark, so that no other migration has this table.
  init(_ journal: MigrationJournal, hop: Int, isBefore: Bool) {
    table = "heavylift_\(journal.mark)_\(hop)_\(isBefore ? "before" : "after")"
  }

  func make(in database: Database, with report: MigrationReport?) throws {
    try database.execute("CREATE TABLE \(table.asSQLIdentifier) (report)")
    guard let report else { return }
    try database.run("INSERT INTO \(table.asSQLIdentifier) VALUES (?)", .blob(JSONEncoder().encode(report)))
  }

  /// Returns the mark in a store; nil if there is none. A transaction that was interrupted is rolled back first.
  func find(in store: URL) throws -> Found? {
    let database = try Database(path: store.path, mode: .readWrite)
    defer { try? database.close() }
    guard try !database.columns(of: table).isEmpty else { return nil }
    guard case .blob(let data)? = try database.firstValue("SELECT report FROM \(table.asSQLIdentifier)") else {
      return Found()
    }
    // The handlers run again after another version of this program, whose report has another form.
    return try? Found(report: JSONDecoder().decode(MigrationReport.self, from: data))
  }

  func remove(from store: URL) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("DROP TABLE IF EXISTS \(table.asSQLIdentifier)")
    try database.close()
  }
}
