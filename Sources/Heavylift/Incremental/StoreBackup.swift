import Foundation
import HeavyliftStore

/// The backup of the old store, at the path where the user wants to keep it.
///
/// It is created next to its final path, in a folder whose name no other process can guess, and moved to that path when
/// it is complete. By then, the journal has the identities of its files, so a file of another process is never mistaken
/// for the backup.
struct StoreBackup {
  let backup: MigrationJournal.Backup
  let mark: String
  let files: FileOperations

  var place: URL { URL(filePath: backup.place, directoryHint: .notDirectory) }
  private var support: URL { ExternalDataFolder(store: place).supportFolder }
  private var stage: URL { place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(mark)") }
  private var staged: URL { stage.appending(path: place.lastPathComponent) }

  /// Throws if the backup's path, or that of its large values, is taken by a file that is not ours.
  func refuseOthers(besides store: URL) throws {
    if place == store { throw IncrementalMigrationError.isStore(place) }
    for (url, own) in [(place, backup.file), (support, backup.support)] {
      guard let found = try FileIdentity(url) else { continue }
      guard let own, own.isSameFile(as: found) else { throw IncrementalMigrationError.destinationExists(url) }
    }
    if backup.file == nil, let refusal = try IncrementalMigrationError.taken(place, besides: store, files) {
      throw refusal
    }
  }

  /// Creates the backup.
  ///
  /// - Parameters:
  ///   - added: Large values that are in the store's folder already, but belong to the new store.
  ///   - note: Records the proof that the files are ours, before they are moved to the final path.
  /// - Returns: The backup, which must be removed if the new store cannot be put in place.
  func make(
    of hold: StoreHold, besides new: URL, without added: [String], note: (MigrationJournal.Backup) throws -> Void
  ) throws -> StoreBackup {
    try takeBack()
    var made = self
    do {
      try files.makeFolder(stage)
      try makeFile(hold, new)
      try StoreCopy(files: files).shareLargeValues(of: hold.store, with: staged, except: added)
      let stagedSupport = ExternalDataFolder(store: staged).supportFolder
      let hasValues = try files.exists(stagedSupport)
      if hasValues { try files.synchronize(stagedSupport) }
      try files.synchronize(stage)
      var backup = backup
      backup.file = try FileIdentity(staged)
      backup.support = try FileIdentity(stagedSupport)
      try note(backup)
      made = StoreBackup(backup: backup, mark: mark, files: files)
      if hasValues { try made.move(stagedSupport, to: support) }
      try made.move(staged, to: place)
      try files.synchronize(place.deletingLastPathComponent())
      try files.remove(stage)
      return made
    } catch {
      try? made.takeBack()
      throw error
    }
  }

  /// Hard-links the store's file if no process can still write to it once it is the backup; otherwise copies it.
  private func makeFile(_ hold: StoreHold, _ new: URL) throws {
    guard try hold.mayBecomeBackup(besides: new) else { return try hold.copy(to: staged) }
    do {
      try files.link(hold.store, to: staged)
    } catch let error as POSIXError where error.meansNoLinks {
      try hold.copy(to: staged)
    }
  }

  private func move(_ url: URL, to place: URL) throws {
    do {
      try files.move(url, to: place)
    } catch let error as POSIXError where error.code == .EEXIST || error.code == .ENOTEMPTY {
      throw IncrementalMigrationError.destinationExists(place)
    }
  }

  /// Removes the backup, but not a file that another process put in its place.
  func takeBack() throws {
    try files.remove(stage)
    if let file = backup.file { try files.remove(place, ifStill: file) }
    if let folder = backup.support { try files.remove(support, ifStill: folder) }
  }
}
