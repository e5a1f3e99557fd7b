import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Runs the handlers before or after a hop on a working copy, in one transaction that also makes their mark.
///
/// SQLite nests the saves of the handlers' contexts as savepoints (https://sqlite.org/lang_savepoint.html), so nothing
/// that a handler saves is final before the mark is.
struct HandlerTransaction {
  let store: URL
  let model: ManagedObjectModel
  let mark: HandlerMark
  let manager: StagedMigrationManager
  let cancellation: MigrationCancellation

  /// - Parameters:
  ///   - report: Receives the progress of the handlers.
  ///   - body: Runs the handlers.
  ///   - check: Checks the result, before the transaction ends. Returns the report to keep with the mark.
  /// - Returns: The container of the handlers' contexts, whose store is closed.
  @discardableResult func run(
    report: @escaping (_ done: Int, _ total: Int) -> Void, _ body: (StageContainer) throws -> Void,
    check: (PersistentStore) throws -> MigrationReport? = { _ in nil }
  ) throws -> StageContainer {
    let store = try PersistentStore(url: store, models: [model], mode: .readWrite)
    defer { try? store.close() }
    store.handledProperties = HandledProperties(of: store)
    store.interrupt { [cancellation] in cancellation.isCancelled }
    let container = StageContainer(store, cancellation: cancellation, report: report)
    manager.container = container
    defer { manager.container = nil }
    // With a log, all changes of the transaction would be written twice more.
    try store.reporting {
      try store.database.execute("PRAGMA journal_mode = DELETE")
      try store.database.transaction {
        try body(container)
        if let reason = cancellation.reason { throw reason }
        let report = try check(store)
        try mark.make(in: store.database, with: report)
      }
    }
    try store.close()
    return container
  }
}
