import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Copies a store as it is, including the contents of its log and its large values.
struct StoreCopy {
  let files: FileOperations
  /// The cancellation that stops the copy, if there is one.
  var cancellation: MigrationCancellation?

  /// Creates a copy. The original may be in use; it is only read.
  func copy(_ store: URL, to target: URL) throws {
    try files.interceptor?(.copy(from: store, to: target))
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    if let cancellation { file.database.interrupt { cancellation.isCancelled } }
    // Creates an empty file that only users who can read the store can read; SQLite then writes into that file.
    try FileRights(of: store)?.makeFile(at: target)
    do throws(SQLiteError) {
      // Only the copy is written, but SQLite treats the connection as a writer.
      try file.database.execute("PRAGMA query_only = OFF")
      try file.database.run("VACUUM INTO ?", .text(target.path))
    } catch {
      throw Diagnostic(
        .error, code: "store.not-copied", problem: "store '\(store.path)' cannot be copied: \(error.message)",
        remedy: "make sure that the disk has enough space")
    }
    try shareLargeValues(of: store, with: target)
  }

  /// Gives another store's folder the same large values, as hard links if the disk supports them.
  ///
  /// - Parameter others: The names of files in the store's folder that belong to another store.
  func shareLargeValues(of store: URL, with target: URL, except others: [String] = []) throws {
    let (source, destination) = (ExternalDataFolder(store: store), ExternalDataFolder(store: target))
    let names = Set(try source.fileNames()).subtracting(others).sorted()
    guard !names.isEmpty else { return }
    try makeFolder(destination)
    for name in names where try !files.exists(destination.file(named: name)) {
      try share(source.file(named: name), as: destination.file(named: name))
    }
    try files.synchronize(destination.url)
  }

  /// Creates a hard link to a file, or a copy if the disk does not support hard links, or if the file is a symbolic link.
  func share(_ file: URL, as target: URL) throws {
    do {
      try files.link(file, to: target)
    } catch let error as POSIXError where error.meansNoLinks {
      try files.copy(file.resolvingSymlinksInPath(), to: target)
    }
  }

  /// Creates the folder for a store's large values, with the store's rights.
  func makeFolder(_ folder: ExternalDataFolder) throws {
    try files.interceptor?(.makeFolder(folder.url))
    try folder.makeFolder()
  }
}

/// Creates a store from everything that can be read from a damaged one.
struct StoreSalvage {
  /// The maximum number of losses that are listed individually.
  private static let listed = 50

  let store: URL
  let findings: [String]
  let files: FileOperations

  /// Creates the new store, and returns a diagnostic for each part of the old one that was lost.
  func make(at target: URL) throws -> [Diagnostic] {
    try files.interceptor?(.copy(from: store, to: target))
    try FileRights(of: store)?.makeFile(at: target)
    let losses: [Salvage.Loss]
    do throws(SQLiteError) {
      let database = try Database(path: target.path, mode: .create)
      losses = try Salvage(of: store.path, into: database).run()
      try database.close()
    } catch {
      throw Diagnostic(
        .error, code: "store.not-salvaged",
        problem: "store '\(store.path)' is damaged, and the parts that can be read are not usable: \(error.message)",
        remedy: "restore it from a backup")
    }
    try StoreCopy(files: files).shareLargeValues(of: store, with: target)
    return diagnostics(losses)
  }

  /// The result in words if no loss is known. SQLite lists only some findings.
  private var resultWithoutLoss: String {
    findings.count < 5 && findings.allSatisfy { $0.contains("index") }
      ? "every row could be read"
      : "no row is known to be lost; rows of lost pages, or of a lost -wal, cannot be listed"
  }

  private func diagnostics(_ losses: [Salvage.Loss]) -> [Diagnostic] {
    let whole = Diagnostic(
      .warning, code: "store.damaged",
      problem: "store '\(store.path)' is damaged (\(findings.joined(separator: "; "))), and was migrated as far as "
        + "possible: "
        + (losses.isEmpty
          ? resultWithoutLoss : "\(losses.count == 1 ? "one part is" : "\(losses.count.grouped) parts are") lost"),
      remedy: "compare the new store with a backup")
    var lost = losses.prefix(Self.listed).map { loss in
      if case .object(let name, let reason) = loss {
        return Diagnostic(
          .warning, code: "store.unreadable", problem: "'\(name)' could not be recreated: \(reason)",
          remedy: "no row is lost; recreate it with the program that created it")
      }
      return Diagnostic(.warning, code: "store.unreadable", problem: "\(loss) cannot be read")
    }
    if losses.count > Self.listed {
      lost.append(
        Diagnostic(
          .warning, code: "store.unreadable",
          problem: "\((losses.count - Self.listed).grouped) more parts cannot be read"))
    }
    return [whole] + lost
  }
}
