public import Foundation
import HeavyliftModel
import HeavyliftStore

extension IncrementalMigrationManager {
  /// Opens a store of the newest version: migrates it first if it is of an older one, and creates it if it does not exist.
  ///
  /// ```swift
  /// let store = try manager.open(storeURL)
  /// let context = ManagedObjectContext(store: store)
  /// ```
  ///
  /// The newest version is the current one of a bundle.
  ///
  /// - Parameters:
  ///   - store: The store's file.
  ///   - options: The options for a migration.
  ///   - monitor: Observes a migration, and can cancel it.
  public func open(
    _ store: URL, options: IncrementalMigrationOptions = IncrementalMigrationOptions(),
    monitor: MigrationMonitor = MigrationMonitor()
  ) throws(MigrationError) -> PersistentStore {
    if FileManager.default.fileExists(atPath: store.path) { try migrate(store, options: options, monitor: monitor) }
    return try openNewest(store)
  }

  /// Opens a store that has the newest version, or creates it.
  func openNewest(_ store: URL) throws(MigrationError) -> PersistentStore {
    try MigrationError.wrapping(store) {
      guard FileManager.default.fileExists(atPath: store.path) else {
        var creation = PersistentStore.CreationOptions()
        creation.configuration = hopOptions.configuration
        return try PersistentStore.create(at: store, model: try newest(), options: creation)
      }
      return try PersistentStore(url: store, models: [try resolved(for: store).newest()])
    }
  }
}
