import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Copies a store as it is, with all that is still in its log, and with its large values.
struct StoreCopy {
  let files: FileOperations
  /// Cancels the run.
  var cancellation: MigrationCancellation?

  /// Makes a new store; the other one may be in use, and is only read.
  func copy(_ store: URL, to target: URL) throws {
    try files.interceptor?(.copy(from: store, to: target))
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    if let cancellation { file.database.interrupt { cancellation.isCancelled } }
    // SQLite writes into an empty file, which nobody can read who cannot read the store.
    try FileRights(of: store)?.makeFile(at: target)
    do throws(SQLiteError) {
      // It writes to the copy alone, and yet is a writer to SQLite.
      try file.database.execute("PRAGMA query_only = OFF")
      try file.database.run("VACUUM INTO ?", .text(target.path))
    } catch {
      throw Diagnostic(
        .error, code: "store.not-copied", problem: "store '\(store.path)' cannot be copied: \(error.message)",
        remedy: "make sure that there is enough room")
    }
    try shareLargeValues(of: store, with: target)
  }

  /// Gives another store's folder the same large values, without copying their bytes where the disk allows that.
  func shareLargeValues(of store: URL, with target: URL) throws {
    let (source, destination) = (ExternalDataFolder(store: store), ExternalDataFolder(store: target))
    let names = try source.fileNames()
    guard !names.isEmpty else { return }
    try makeFolder(destination)
    for name in names where try !files.exists(destination.file(named: name)) {
      try share(source.file(named: name), as: destination.file(named: name))
    }
    try files.synchronize(destination.url)
  }

  /// Gives a file a second name, or copies it where the disk knows no such thing.
  func share(_ file: URL, as target: URL) throws {
    do {
      try files.link(file, to: target)
    } catch let error as POSIXError where error.meansNoLinks {
      try files.copy(file, to: target)
    }
  }

  /// Makes the folder for large values of a store, with the store's rights.
  func makeFolder(_ folder: ExternalDataFolder) throws {
    try files.interceptor?(.makeFolder(folder.url))
    try folder.makeFolder()
  }
}
