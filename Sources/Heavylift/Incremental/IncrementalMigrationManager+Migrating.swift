public import Foundation
public import HeavyliftModel
import HeavyliftStore

extension IncrementalMigrationManager {
  /// Migrates a store in place to a version, by default the newest.
  ///
  /// If another process has the store open, this throws an error and changes nothing.
  @discardableResult
  public func migrate(
    _ store: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws -> IncrementalMigrationReport {
    let store = store.resolvingLinks
    return try run(store, at: store, model, options)
  }

  /// Rolls back an unfinished write to a store, left behind by a program that was killed. SQLite does so the next time
  /// the store is opened for writing, and `migrate` does so for a store that it migrates in place.
  ///
  /// Returns true if there was such a write. Planning only reads, and refuses a store in that state.
  @discardableResult
  public func takeBackUnfinishedChange(of store: URL) throws -> Bool {
    try StoreHold.takeBackUnfinished(store.resolvingLinks)
  }

  /// Migrates a store into a new one, leaving the old one unchanged.
  ///
  /// A store that is already at the requested version is copied. The source may be in use; the new store has the
  /// contents that the source had when the first hop started.
  @discardableResult
  public func migrate(
    _ store: URL, into destination: URL, version model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws -> IncrementalMigrationReport {
    let (store, target) = (store.resolvingLinks, destination.resolvingFolder)
    // Otherwise the old store, which must stay, would be replaced.
    guard store != target else { throw IncrementalMigrationError.isStore(target) }
    return try run(store, at: target, model, options)
  }

  private func run(
    _ store: URL, at target: URL, _ model: ManagedObjectModel?, _ options: IncrementalMigrationOptions
  ) throws -> IncrementalMigrationReport {
    defer { if !isRehearsing { reporter.finish() } }
    var options = options
    options.backup = options.backup?.resolvingFolder
    options.provenance = options.provenance?.resolvingFolder
    do {
      let session = MigrationSession(manager: self, store: store, target: target, model: model, options: options)
      let report = try session.run()
      reporter.progress.completedUnitCount = 100
      return report
    } catch let error as POSIXError {
      throw IncrementalMigrationError.files(target, "a file operation failed", error)
    } catch let error as FileRights.Lockout {
      throw IncrementalMigrationError.lockout(target, error)
    } catch let error as ExtendedAttributes.Refusal {
      throw IncrementalMigrationError.attribute(store, error)
    } catch let error as SpecialFile {
      throw IncrementalMigrationError.special(target, error)
    } catch let error as CocoaError {
      throw IncrementalMigrationError.files(target, "a file operation failed", error)
    }
  }
}
