import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// A migration's source as a part of the destination's connection: one statement reads the one and writes the other.
///
/// What is read stays one state of the source until this is detached.
package final class SourceAttachment {
  /// The name under which the source's tables stand in statements.
  package static let name = "heavylift_source"
  /// The code of the error that the source was written to before this could read the same state of it.
  package static let changedCode = "store.changed-while-read"

  private let database: Database
  /// A statement that stands on its first row, and with it the state that it reads.
  private var holder: Statement?

  /// - Parameter watch: Made before the source's own state was fixed.
  package init(_ source: PersistentStore, to destination: PersistentStore, _ watch: SourceWatch) throws {
    database = destination.database
    let database = database
    // An attached file is read with the locks that this one cannot have.
    guard !source.database.isUnlocked else { throw StoreMistake.needsRecovery.diagnostic(source.url) }
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
        .error, code: Self.changedCode,
        problem: "store '\(source.url.path)' was changed just as the migration started to read it",
        remedy: "migrate it again, preferably while no other process writes to it")
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
  private let url: URL
  private let database: Database?
  private let version: SQLiteValue?
  /// The files' sizes and times, where `data_version` alone does not tell.
  private let stamps: [FileStamp?]?

  package init(_ store: PersistentStore) throws(SQLiteError) {
    // Without a write-ahead log whoever reads keeps everybody from writing.
    let usesLog = try store.database.firstValue("PRAGMA journal_mode") == .text("wal")
    database =
      usesLog && !store.database.isImmutable ? try Database(path: store.url.path, mode: .readOnly) : nil
    // A -shm that no process uses and that is not written cannot tell SQLite that nothing has changed: it assumes with
    // each transaction that something has.
    stamps = database?.keepsSharedMemory == true ? FileStamp.stamps(of: store.url) : nil
    version = try database?.firstValue("PRAGMA data_version")
    url = store.url
  }

  func isUnchanged() throws(SQLiteError) -> Bool {
    if try database?.firstValue("PRAGMA data_version") == version { return true }
    return stamps.map { $0 == FileStamp.stamps(of: url) } ?? false
  }
}

/// The state of a file as far as it can be known without opening it: closing it again would drop SQLite's locks.
private struct FileStamp: Equatable {
  var number: UInt64
  var size: Int64
  /// Seconds and nanoseconds of the last write. The time of the last change would not do: SQLite run by root changes it
  /// whenever it opens a log.
  var written: [Int]

  static func stamps(of store: URL) -> [FileStamp?] {
    ["", "-wal"].map { suffix in
      var status = stat()
      guard stat(store.resolvingSymlinksInPath().path + suffix, &status) == 0 else { return nil }
      return FileStamp(
        number: UInt64(status.st_ino), size: Int64(status.st_size),
        written: [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)])
    }
  }
}
