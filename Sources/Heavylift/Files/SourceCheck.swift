import Foundation
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Reads a store from end to end while it is being migrated, on a thread and a connection of its own, so that a damaged
/// store is not taken for its readable part.
///
/// Until the check has ended, its connection stays open: the last connection to be closed removes the files that reading
/// needed beside the store, and another connection may be about to open them.
final class SourceCheck {
  private let store: URL
  private let isAbandoned = Locked(false)
  private var file: StoreFile?
  private var work: ThreadedWork<[String]>?
  private var outcome = Result<[String], any Error>.success([])
  /// The reason why reading could not even begin.
  private(set) var failureToBegin: (any Error)?

  /// Starts reading the store in its present state. If the store can only be read without locks, reads all of it.
  init(_ store: URL, cancellation: MigrationCancellation) {
    self.store = store
    do {
      let file = try StoreFile(url: store, mode: .readOnly)
      file.database.interrupt { [isAbandoned] in isAbandoned.withLock { $0 } || cancellation.isCancelled }
      // With the lock that this takes, SQLite reads the rest without having to wait for another program.
      try file.database.execute("BEGIN; PRAGMA schema_version")
      self.file = file
      func read() throws -> [String] {
        defer { try? file.database.execute("COMMIT") }
        return try file.database.damage()
      }
      if file.database.isUnlocked {
        outcome = Result { try read() }
      } else {
        work = ThreadedWork("Heavylift damage check", read)
      }
    } catch {
      failureToBegin = error
      outcome = .failure(error)
    }
  }

  /// Returns the damage that SQLite finds in a store, in SQLite's words.
  static func findings(_ store: URL, until isEnded: @escaping @Sendable () -> Bool) throws -> [String] {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    file.database.interrupt(when: isEnded)
    return try file.database.damage()
  }

  /// Returns a finding if the store's log is damaged. SQLite ignores such a log, with all commits in it, and overwrites
  /// it.
  static func logDamage(_ store: URL) throws -> [String] {
    try DatabaseFiles(path: store.path).isWriteAheadLogDamaged
      ? ["its -wal has a damaged header, so that all changes in it would be missing"] : []
  }

  /// True if a store has a log, and would not be damaged without it: the log may belong to another store.
  static func isIntactWithoutLog(_ store: URL) -> Bool {
    guard let size = try? DatabaseFiles(path: store.path).writeAheadLogSize, size > 0,
      let database = try? Database(path: store.path, mode: .readOnly, options: Database.Options(immutable: true))
    else { return false }
    defer { try? database.close() }
    return (try? database.damage())?.isEmpty == true
  }

  /// Waits until everything is read, and throws if the store is damaged.
  func end() throws {
    let findings = try wait().get()
    guard findings.isEmpty else { throw MigrationError.damaged(store, findings) }
  }

  /// If the store is damaged, throws an error that says so, because damage explains a failed migration better than the
  /// failure does.
  func explainFailure() throws {
    guard case .success(let findings) = wait(), !findings.isEmpty else { return }
    throw MigrationError.damaged(store, findings)
  }

  /// Stops reading and waits until the store is closed.
  func abandon() {
    isAbandoned.withLock { $0 = true }
    _ = wait()
  }

  private func wait() -> Result<[String], any Error> {
    if let work { outcome = work.result() }
    work = nil
    try? file?.close()
    file = nil
    return outcome
  }
}
