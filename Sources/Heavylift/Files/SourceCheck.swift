import Foundation
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import Synchronization

/// Reads a store from end to end on a thread of its own while it is being migrated, so that a damaged store is not
/// replaced with its readable part.
final class SourceCheck: Sendable {
  private let store: URL
  private let result = Locked<Result<[String], any Error>?>(nil)
  private let isAbandoned = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts reading.
  init(_ store: URL, cancellation: MigrationCancellation) {
    self.store = store
    Thread.detachNewThread { [self] in
      let found = Result {
        try Self.findings(store) { [self] in
          isAbandoned.load(ordering: .relaxed) || cancellation.isCancelled
        }
      }
      result.withLock { $0 = found }
      ended.signal()
    }
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
      if let result = result.withLock({ $0 }) { return result }
      ended.wait()
    }
  }
}
