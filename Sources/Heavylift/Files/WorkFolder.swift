import Foundation
import HeavyliftStore

/// The folder next to a store in which the store is migrated: `.Library.sqlite.heavylift`.
struct WorkFolder: Sendable {
  /// The final path of the store.
  let store: URL
  let url: URL
  let files: FileOperations

  init(for store: URL, files: FileOperations) {
    self.store = store
    self.files = files
    url = store.deletingLastPathComponent().appending(path: ".\(store.lastPathComponent).heavylift")
  }

  func exists() throws -> Bool { try files.exists(url) }
  var journalFile: URL { url.appending(path: "journal.json") }
  var lockFile: URL { url.appending(path: "lock") }

  /// The copy of a source store that must be copied before it is read.
  var source: URL { url.appending(path: "source.sqlite") }

  /// The store that a hop writes; hops are numbered from 1.
  func hop(_ number: Int) -> URL { url.appending(path: Self.hopName(number)) }

  /// The copy of a hop's source that a stage's handler changes before the hop starts.
  func handledSource(_ number: Int) -> URL { url.appending(path: "hop-\(number).source.sqlite") }

  /// The provenance of one hop.
  func hopProvenance(_ number: Int) -> URL { url.appending(path: "hop-\(number).origins.sqlite") }

  /// The combined provenance of the hop and all hops before it. Only the last hop's can be JSON lines.
  func provenance(_ number: Int, as form: ProvenanceForm = .database) -> URL {
    url.appending(path: Self.provenanceNames(hop(number))[form == .lines ? 1 : 0])
  }

  private static func provenanceNames(_ hop: URL) -> [String] {
    let base = hop.deletingPathExtension().lastPathComponent
    return ["sqlite", "jsonl"].map { "\(base).provenance.\($0)" }
  }

  static func hopName(_ number: Int) -> String { "hop-\(number).sqlite" }

  /// Creates the folder if it is missing, and takes its lock.
  ///
  /// - Throws: an error if other users have access to the folder, because its contents are trusted and later removed.
  func lock() throws -> MigrationLock {
    while true {
      if try !exists() {
        do {
          try files.makeFolder(url)
        } catch let error as POSIXError where error.code == .EEXIST {
          // Another process started at the same time; the lock shows which one.
        }
      }
      try refuseForeign()
      // Without syncing the folder's own name to disk, a power failure could lose the folder, and with it the proof of
      // which files elsewhere are ours.
      try files.synchronize(store.deletingLastPathComponent())
      if let lock = try MigrationLock.take(lockFile, store: store, files: files) { return lock }
    }
  }

  private func refuseForeign() throws {
    var status = stat()
    guard lstat(url.path, &status) == 0 else {
      let error = POSIXError(number: errno)
      guard error.meansAbsence else { throw error }
      return
    }
    let reason: String? =
      if status.st_mode & S_IFMT != S_IFDIR {
        "it is not a folder"
      } else if status.st_uid != geteuid() {
        "it belongs to user \(status.st_uid)"
      } else if status.st_mode & 0o077 != 0 {
        "other users can access it"
      } else if let link = [lockFile, journalFile].first(where: Self.isSymbolicLink) {
        "'\(link.lastPathComponent)' in it is a symbolic link"
      } else {
        nil
      }
    if let reason { throw MigrationError.foreignWorkFolder(url, for: store, reason) }
  }

  private static func isSymbolicLink(_ file: URL) -> Bool {
    var status = stat()
    return lstat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The journal of the last migration; `nil` if there is none that can be trusted.
  ///
  /// - Throws: an error if there is a journal that cannot be read, because the state of the last migration is then
  ///   unknown.
  func journal() throws -> MigrationJournal? { try files.contents(of: journalFile).flatMap { MigrationJournal($0) } }

  func write(_ journal: MigrationJournal) throws { try files.write(try journal.data(), to: journalFile) }

  /// Removes everything except the lock, the journal and the files of the given stores.
  func clear(keeping stores: [URL] = []) throws {
    var kept: Set<String> = ["lock", "journal.json"]
    for hop in stores {
      kept.insert(hop.lastPathComponent)
      kept.insert(ExternalDataFolder(store: hop).supportFolder.lastPathComponent)
      kept.formUnion(Self.provenanceNames(hop))
    }
    for name in try files.names(in: url) where !kept.contains(name) { try files.remove(url.appending(path: name)) }
  }

  /// Removes the folder with all its contents, the lock last.
  ///
  /// The journal is removed after all files that it describes, because files without a journal count as garbage.
  func remove() throws {
    try clear()
    try files.remove(journalFile)
    try files.remove(lockFile)
    try files.remove(url)
  }
}
