public import Foundation
import HeavyliftModel
import HeavyliftStore

extension IncrementalMigrationManager {
  /// Drops all tables and columns that a migration in place has left in a store.
  ///
  /// ```swift
  /// var options = IncrementalMigrationOptions()
  /// (options.mode, options.defersCleanup) = (.inPlace, true)
  /// try manager.migrate(store, options: options)
  /// // Later, when the application has time:
  /// try manager.finishDeferredLightweightMigration(of: store)
  /// ```
  ///
  /// Each is dropped in a transaction of its own. If the process dies, the others remain to be dropped.
  ///
  /// - Parameter store: The store, which no process may have open.
  public func finishDeferredLightweightMigration(of store: URL) throws {
    while try finishDeferredLightweightMigrationTask(of: store) {}
  }

  /// Drops one table or column that a migration in place has left in a store.
  ///
  /// - Parameter store: The store, which no process may have open.
  /// - Returns: True if more remain.
  public func finishDeferredLightweightMigrationTask(of store: URL) throws -> Bool {
    let store = store.resolvingLinks
    let file = try StoreFile(url: store, mode: .readOnly)
    let isPending = !file.metadata.deferredCleanup.isEmpty
    try file.close()
    guard isPending else { return false }
    let transaction = InPlaceTransaction(store: store, files: files, cancellation: cancellation)
    return try transaction.run { file in
      try files.interceptor?(.change(store))
      return try file.performDeferredCleanup(limit: 1)
    }
  }
}
