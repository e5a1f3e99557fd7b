import Foundation
import HeavyliftStore

/// The folder beside a store in which it is migrated: `.Library.sqlite.heavylift`.
struct WorkFolder: Sendable {
  /// The store that is to be there in the end.
  let store: URL
  let url: URL
  let files: FileOperations

  init(for store: URL, files: FileOperations) {
    self.store = store
    self.files = files
    url = store.deletingLastPathComponent().appending(path: ".\(store.lastPathComponent).heavylift")
  }

  var exists: Bool { files.exists(url) }
  var journalFile: URL { url.appending(path: "journal.json") }
  var lockFile: URL { url.appending(path: "lock") }

  /// The store that a hop makes, the first is 1.
  func hop(_ number: Int) -> URL { url.appending(path: Self.hopName(number)) }

  /// What a hop alone tells of objects' origins.
  func hopProvenance(_ number: Int) -> URL { url.appending(path: "hop-\(number).origins.sqlite") }

  /// What it tells together with all hops before it; in the form of lines only behind the last one.
  func provenance(_ number: Int, as form: ProvenanceForm = .database) -> URL {
    url.appending(path: Self.provenanceNames(hop(number))[form == .lines ? 1 : 0])
  }

  private static func provenanceNames(_ hop: URL) -> [String] {
    let base = hop.deletingPathExtension().lastPathComponent
    return ["sqlite", "jsonl"].map { "\(base).provenance.\($0)" }
  }

  static func hopName(_ number: Int) -> String { "hop-\(number).sqlite" }

  /// Makes the folder if it is not there, and takes its lock.
  func lock() throws -> MigrationLock {
    while true {
      if !exists {
        do {
          try files.makeFolder(url)
        } catch  where SystemErrorNumber(error)?.value == EEXIST || exists {
          // Somebody else begins at the same instant; the lock tells who.
        }
      }
      if let lock = try MigrationLock.take(lockFile, store: store, files: files) { return lock }
    }
  }

  /// What the last migration has noted; nil if there is nothing that can be believed.
  func journal() -> MigrationJournal? {
    guard let data = try? Data(contentsOf: journalFile) else { return nil }
    return MigrationJournal(data)
  }

  func write(_ journal: MigrationJournal) throws { try files.write(try journal.data(), to: journalFile) }

  /// Removes everything but the lock and the journal and, if a hop is named, what belongs to its store.
  func clear(keeping hop: URL? = nil) throws {
    var kept: Set<String> = ["lock", "journal.json"]
    if let hop {
      kept.insert(hop.lastPathComponent)
      kept.insert(Self.supportFolder(of: hop).lastPathComponent)
      kept.formUnion(Self.provenanceNames(hop))
    }
    for name in try files.names(in: url) where !kept.contains(name) { try files.remove(url.appending(path: name)) }
  }

  /// Removes the folder and, last, the lock.
  ///
  /// The journal goes after all that it speaks of: without it, whatever is left is rubbish.
  func remove() throws {
    try clear()
    try files.remove(journalFile)
    try files.remove(lockFile)
    try files.remove(url)
  }

  /// The folder that holds a store's large values, and nothing else.
  static func supportFolder(of store: URL) -> URL {
    ExternalDataFolder(store: store).url.deletingLastPathComponent()
  }
}
