import Foundation
import HeavyliftModel
import HeavyliftStore

/// Puts the new store in place.
///
/// Before the one step that does so, everything that the new store needs is in place and the old store is intact; after
/// it, only cleanup remains. Another run can repeat each step, and if the swap fails, this run undoes the earlier
/// steps.
struct StoreSwap {
  let session: MigrationSession
  private var files: FileOperations { session.files }

  init(session: MigrationSession) { self.session = session }

  func run(_ journal: inout MigrationJournal, _ hold: StoreHold?) throws {
    guard let last = journal.last else { preconditionFailure("no hop is done") }
    let new = session.work.url.appending(path: last.file)
    let values = MovedValues(names: journal.addedFiles, from: new, to: session.target, files: files)
    do {
      if let hold {
        try merge(&journal, hold)
        journal.isSwapping = true
        try session.work.write(journal)
      }
      try values.move()
      let backup = try hold.flatMap { try makeBackup(&journal, $0, new) }
      let provenance = session.leftProvenance(journal)
      do {
        try provenance?.leave()
        try hold?.exchange(with: new) ?? place(new)
      } catch {
        try? provenance?.takeBack()
        // Otherwise, a backup would remain of a store that has not changed.
        try? backup?.takeBack()
        throw error
      }
    } catch {
      try? values.moveBack()
      if hold != nil { try? endSwapping(&journal) }
      throw error
    }
  }

  /// Records that the old store's file has its old name again. Otherwise, the next run would take it for a changed store,
  /// and would not use the finished hops.
  private func endSwapping(_ journal: inout MigrationJournal) throws {
    guard let source = try StoreFingerprint(session.store), source.isSameContent(as: journal.source) else { return }
    (journal.source, journal.isSwapping) = (source, false)
    try session.work.write(journal)
  }

  /// Merges the store's log into its file. The result is still the same store, so finished hops stay valid for another
  /// run.
  private func merge(_ journal: inout MigrationJournal, _ hold: StoreHold) throws {
    // The hold does not stop programs that write to the file without SQLite, such as a restore from a backup.
    guard try StoreFingerprint(session.store)?.isSameContent(as: journal.source) == true else {
      throw MigrationError.changedMeanwhile(session.store)
    }
    try hold.merge()
    guard let source = try StoreFingerprint(session.store), source != journal.source else { return }
    journal.source = source
    try session.work.write(journal)
  }

  /// Gives the new store its name, unless another process has taken the name in the meantime.
  private func place(_ new: URL) throws {
    do {
      try files.link(new, to: session.target)
    } catch let error as POSIXError where error.meansNoLinks {
      // The disk does not support hard links.
      try files.move(new, to: session.target)
    } catch let error as POSIXError where error.code == .EEXIST {
      throw MigrationError.destinationExists(session.target)
    }
  }

  /// Keeps the old store, which is in one file by now, under another name.
  private func makeBackup(_ journal: inout MigrationJournal, _ hold: StoreHold, _ new: URL) throws -> StoreBackup? {
    guard let backup = session.backup(journal) else { return nil }
    return try backup.make(of: hold, besides: new, without: journal.addedFiles) { made in
      journal.backup = made
      try session.work.write(journal)
    }
  }
}

/// Large values of the new store that are missing from the store's folder. They are moved there before the new store.
struct MovedValues {
  let names: [String]
  private let source: ExternalDataFolder
  private let destination: ExternalDataFolder
  private let files: FileOperations

  init(names: [String], from new: URL, to target: URL, files: FileOperations) {
    self.names = names
    (source, destination) = (ExternalDataFolder(store: new), ExternalDataFolder(store: target))
    self.files = files
  }

  func move() throws {
    guard !names.isEmpty else { return }
    try StoreCopy(files: files).makeFolder(destination)
    for name in names where try !files.exists(destination.file(named: name)) {
      try files.move(source.file(named: name), to: destination.file(named: name))
    }
    try files.synchronize(destination.url)
  }

  /// Moves the values back, and removes the folders if they are empty now.
  func moveBack() throws {
    for name in names where try files.exists(destination.file(named: name)) {
      try files.move(destination.file(named: name), to: source.file(named: name))
    }
    try removeEmptyFolders()
  }

  /// Removes the values that were moved to the store's folder, and no others.
  func remove() throws {
    for name in names { try files.remove(destination.file(named: name)) }
    try removeEmptyFolders()
  }

  /// Removes the folders if they are empty. Even if they existed before, that does no harm.
  private func removeEmptyFolders() throws {
    let support = destination.url.deletingLastPathComponent()
    for folder in [destination.url, support] where try !names.isEmpty && files.exists(folder) {
      guard try files.names(in: folder).isEmpty else { return }
      try files.remove(folder)
    }
  }
}

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
    if place == store { throw MigrationError.isStore(place) }
    for (url, own) in [(place, backup.file), (support, backup.support)] {
      guard let found = try FileIdentity(url) else { continue }
      guard let own, own.isSameFile(as: found) else { throw MigrationError.destinationExists(url) }
    }
    if backup.file == nil, let refusal = try MigrationError.taken(place, besides: store, files) {
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
      throw MigrationError.destinationExists(place)
    }
  }

  /// Removes the backup, but not a file that another process put in its place.
  func takeBack() throws {
    try files.remove(stage)
    if let file = backup.file { try files.remove(place, ifStill: file) }
    if let folder = backup.support { try files.remove(support, ifStill: folder) }
  }
}
