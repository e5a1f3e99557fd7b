public import Foundation
public import HeavyliftModel
import HeavyliftStore

extension IncrementalMigrationManager {
  /// Brings a store to a version, the newest if none is named, in its place.
  ///
  /// Nobody may have the store open: that is an error, and nothing is done.
  @discardableResult
  public func migrate(
    _ store: URL, to model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws -> IncrementalMigrationReport {
    let store = store.resolvingLinks
    return try run(store, at: store, model, options)
  }

  /// Takes back what a program has begun to write to a store, and did not finish before it was ended: what SQLite does
  /// whenever the store is next opened to write, and what `migrate` does by itself in the store's place.
  ///
  /// Gives back whether there was such a thing. Planning only reads, and refuses a store in that state.
  @discardableResult
  public func takeBackUnfinishedChange(of store: URL) throws -> Bool {
    try StoreHold.takeBackUnfinished(store.resolvingLinks)
  }

  /// Makes a new store of a version out of one that stays as it is.
  ///
  /// One that is of that version already is copied. The source may be in use; the new store has what it held when the
  /// first hop began.
  @discardableResult
  public func migrate(
    _ store: URL, into destination: URL, version model: ManagedObjectModel? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) throws -> IncrementalMigrationReport {
    let (store, target) = (store.resolvingLinks, destination.resolvingFolder)
    // The old store would be gone, although it is to stay.
    guard store != target else { throw IncrementalMigrationError.destinationExists(target) }
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
