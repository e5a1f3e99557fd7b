import Foundation
import HeavyliftModel
import HeavyliftStore

/// Puts the new store in its place.
///
/// Before the one step that does it, everything that the new store needs is there, and the old one is whole; after it,
/// there is only tidying up. Each step can be done again by another run, and is taken back by this one if it fails.
struct StoreSwap {
  let session: MigrationSession
  private var files: FileOperations { session.files }

  init(session: MigrationSession) { self.session = session }

  func run(_ journal: inout MigrationJournal, _ hold: StoreHold?) throws {
    guard let last = journal.last else { preconditionFailure("no hop is done") }
    let new = session.work.url.appending(path: last.file)
    let values = MovedValues(names: journal.addedFiles, from: new, to: session.target, files: files)
    do {
      if let hold { try merge(&journal, hold) }
      try values.move()
      let backup = try hold.flatMap { try makeBackup(&journal, $0, new) }
      let provenance = session.leftProvenance(journal)
      do {
        try provenance?.leave()
        try hold?.exchange(with: new) ?? place(new)
      } catch {
        try? provenance?.takeBack()
        // It would be one of a store that has not changed.
        try? backup?.takeBack()
        throw error
      }
    } catch {
      try? values.moveBack()
      throw error
    }
  }

  /// Leaves the store in one file. It is the same store still, and what is done serves another run.
  private func merge(_ journal: inout MigrationJournal, _ hold: StoreHold) throws {
    try hold.merge()
    guard let source = try StoreFingerprint(session.store), source != journal.source else { return }
    journal.source = source
    try session.work.write(journal)
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

  /// Leaves the old store, which is in one file by now, under another name.
  private func makeBackup(_ journal: inout MigrationJournal, _ hold: StoreHold, _ new: URL) throws -> StoreBackup? {
    guard let backup = session.backup(journal) else { return nil }
    return try backup.make(of: hold, besides: new) { made in
      journal.backup = made
      try session.work.write(journal)
    }
  }
}

/// Large values of the new store that the store's folder does not have: they are there before the new store is.
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

  /// Leaves nothing in the store's folder that was not there before.
  func moveBack() throws {
    for name in names where try files.exists(destination.file(named: name)) {
      try files.move(destination.file(named: name), to: source.file(named: name))
    }
    try removeEmptyFolders()
  }

  /// Removes the values that got to the store's folder, and those alone.
  func remove() throws {
    for name in names { try files.remove(destination.file(named: name)) }
    try removeEmptyFolders()
  }

  /// An empty folder may have been there before; one that was not is no harm.
  private func removeEmptyFolders() throws {
    let support = destination.url.deletingLastPathComponent()
    for folder in [destination.url, support] where try !names.isEmpty && files.exists(folder) {
      guard try files.names(in: folder).isEmpty else { return }
      try files.remove(folder)
    }
  }
}
