import Foundation
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import Synchronization

/// Reads a store from end to end while it is being migrated, on a thread and a connection of its own, so that a damaged
/// store is not taken for its readable part.
///
/// Until the check has ended, its connection stays open: the last connection to be closed removes the files that reading
/// needed beside the store, and another connection may be about to open them.
///
/// Unchecked, because the connection is lent to the thread.
final class SourceCheck: @unchecked Sendable {
  private let store: URL
  private let result = Locked<Result<[String], any Error>?>(nil)
  private let isAbandoned = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  /// Belongs to the thread until there is a result.
  private var file: StoreFile?
  /// The reason why reading could not even begin.
  private(set) var failureToBegin: (any Error)?

  /// Starts reading the store in its present state. If the store can only be read without locks, reads all of it.
  init(_ store: URL, cancellation: MigrationCancellation) {
    self.store = store
    do {
      let file = try StoreFile(url: store, mode: .readOnly)
      file.database.interrupt { [self] in isAbandoned.load(ordering: .relaxed) || cancellation.isCancelled }
      // With the lock that this takes, SQLite reads the rest without having to wait for another program.
      try file.database.execute("BEGIN; PRAGMA schema_version")
      self.file = file
      if file.database.isUnlocked { read() } else { Thread.detachNewThread { [self] in read() } }
    } catch {
      failureToBegin = error
      result.withLock { $0 = .failure(error) }
    }
  }

  private func read() {
    guard let file else { return }
    let found = Result { try file.database.damage() }
    try? file.database.execute("COMMIT")
    result.withLock { $0 = found }
    ended.signal()
  }

  /// Returns the damage that SQLite finds in a store, in SQLite's words.
  static func findings(_ store: URL, until isEnded: @escaping @Sendable () -> Bool) throws -> [String] {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    file.database.interrupt(when: isEnded)
    return try file.database.damage()
  }

  /// Waits until everything is read, and throws if the store is damaged.
  func end() throws {
    let findings = try wait().get()
    guard findings.isEmpty else { throw IncrementalMigrationError.damaged(store, findings) }
  }

  /// If the store is damaged, throws an error that says so, because damage explains a failed migration better than the
  /// failure does.
  func explainFailure() throws {
    guard case .success(let findings) = wait(), !findings.isEmpty else { return }
    throw IncrementalMigrationError.damaged(store, findings)
  }

  /// Stops reading and waits until the store is closed.
  func abandon() {
    isAbandoned.store(true, ordering: .relaxed)
    _ = wait()
  }

  private func wait() -> Result<[String], any Error> {
    while true {
      if let result = result.withLock({ $0 }) {
        try? file?.close()
        file = nil
        return result
      }
      ended.wait()
    }
  }
}
