import Foundation
import HeavyliftModel
import HeavyliftStore

/// Puts the new store in its place.
///
/// Before the one step that does it, everything that the new store needs is there, and the old one is whole; after it,
/// there is only tidying up. Each step can be done again by another run.
struct StoreSwap {
  let session: MigrationSession
  private var files: FileOperations { session.files }
  private var copying: StoreCopy { StoreCopy(files: files) }

  init(session: MigrationSession) { self.session = session }

  func run(_ journal: inout MigrationJournal, _ hold: StoreHold?) throws {
    guard let last = journal.last else { preconditionFailure("no hop is done") }
    let new = session.work.url.appending(path: last.file)
    try addLargeValues(journal.addedFiles, of: new)
    let provenance = session.leftProvenance(journal)
    guard let hold else { return try provenance?.leave { try place(new) } ?? place(new) }
    try hold.makeExclusive()
    try provenance?.leave { try replaceStore(by: new) } ?? replaceStore(by: new)
  }

  private func replaceStore(by new: URL) throws {
    guard let backup = session.options.backup else { return try files.replace(session.target, by: new) }
    try makeBackup(backup)
    do {
      try files.replace(session.target, by: new)
    } catch {
      // Not now: it would be one of a store that has not changed.
      try? removeBackup(backup)
      throw error
    }
  }

  private func addLargeValues(_ names: [String], of new: URL) throws {
    guard !names.isEmpty else { return }
    let (source, destination) = (ExternalDataFolder(store: new), ExternalDataFolder(store: session.target))
    try copying.makeFolder(destination)
    for name in names where !files.exists(destination.file(named: name)) {
      try files.move(source.file(named: name), to: destination.file(named: name))
    }
    try files.synchronize(destination.url)
  }

  /// Gives the new store its name, if nobody has taken that meanwhile.
  private func place(_ new: URL) throws {
    do {
      try files.link(new, to: session.target)
    } catch let error as POSIXError where error.meansNoLinks {
      // A disk without second names.
      try files.move(new, to: session.target)
    } catch let error as POSIXError where error.code == .EEXIST {
      throw IncrementalMigrationError.destinationExists(session.target)
    }
  }

  /// Leaves the old store, which is in one file now, under another name.
  private func makeBackup(_ backup: URL) throws {
    // The journal says that nothing was there: what is there now is of an earlier run.
    try removeBackup(backup)
    do {
      try copying.shareLargeValues(of: session.store, with: backup)
      do {
        try files.link(session.store, to: backup)
      } catch let error as POSIXError where error.meansNoLinks {
        let copy = backup.appendingToName(".new")
        try files.remove(copy)
        try files.copy(session.store, to: copy)
        try files.move(copy, to: backup)
      }
      try files.synchronize(backup.deletingLastPathComponent())
    } catch {
      try? removeBackup(backup)
      throw error
    }
  }

  private func removeBackup(_ backup: URL) throws {
    try files.remove(backup)
    try files.remove(WorkFolder.supportFolder(of: backup))
  }
}
