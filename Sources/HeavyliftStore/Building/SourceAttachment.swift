import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// A migration's source as a part of the destination's connection: one statement reads the one and writes the other.
///
/// What is read stays one state of the source until this is detached.
package final class SourceAttachment {
  /// The name under which the source's tables stand in statements.
  package static let name = "heavylift_source"

  private let database: Database
  /// A statement that stands on its first row, and with it the state that it reads.
  private var holder: Statement?

  /// - Parameter watch: Made before the source's own state was fixed.
  package init(_ source: PersistentStore, to destination: PersistentStore, _ watch: SourceWatch) throws {
    database = destination.database
    let database = database
    try destination.reporting {
      // A file that is attached takes over the way in which the connection locks, and nobody may lock the source out.
      try database.execute("PRAGMA locking_mode = NORMAL")
      try database.attach(
        path: source.url.path, as: Self.name, readOnly: true, immutable: source.database.isImmutable)
      try database.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    }
    let holder = try database.prepare("SELECT name FROM \(Self.name).sqlite_master")
    _ = try holder.step()
    self.holder = holder
    guard try watch.isUnchanged() else {
      try detach()
      throw Diagnostic(
        .error, code: "store.changed-meanwhile", problem: "store '\(source.url.path)' was changed just now",
        remedy: "migrate it again, best while nobody writes")
    }
  }

  /// Lets go of the source.
  package func detach() throws {
    guard let holder else { return }
    holder.reset()
    self.holder = nil
    try database.detach(Self.name)
  }
}

/// Tells whether somebody wrote into a store since this was made.
package final class SourceWatch {
  private let database: Database?
  private var version: SQLiteValue?

  package init(_ store: PersistentStore) throws(SQLiteError) {
    // Without a write-ahead log whoever reads keeps everybody from writing.
    let usesLog = try store.database.firstValue("PRAGMA journal_mode") == .text("wal")
    database =
      usesLog && !store.database.isImmutable ? try Database(path: store.url.path, mode: .readOnly) : nil
    version = try database?.firstValue("PRAGMA data_version")
  }

  func isUnchanged() throws(SQLiteError) -> Bool { try database?.firstValue("PRAGMA data_version") == version }
}
