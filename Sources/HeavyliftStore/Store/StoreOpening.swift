import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Opens a store's database, or explains why it cannot be opened.
enum StoreOpening {
  static func open(_ url: URL, mode: Database.Mode, busyTimeout: Int) throws -> Database {
    guard url.isFileURL else { throw StoreMistake.notAFile.diagnostic(url) }
    let status = try status(of: url)
    guard status.map({ $0.st_mode & S_IFMT != S_IFDIR }) ?? true else { throw StoreMistake.isFolder.diagnostic(url) }
    if let special = status.flatMap({ SpecialFile(mode: $0.st_mode) }) {
      throw StoreMistake.special(special, part: nil).diagnostic(url)
    }
    try checkCompanions(of: url)
    guard status != nil else { throw StoreMistake.notFound.diagnostic(url) }
    try checkHeader(of: url)
    do {
      return try Database(path: url.path, mode: mode, options: .init(busyTimeout: busyTimeout))
    } catch {
      guard mode == .readOnly, error.isCantOpen || error.isReadOnly,
        let files = try? DatabaseFiles(path: url.path), (files.rollbackJournalSize ?? 0) > 0
      else { throw error }
      let isWritable = [url, url.deletingLastPathComponent()].allSatisfy { access($0.path, W_OK) == 0 }
      throw (isWritable ? StoreMistake.unfinishedChange : .needsRecovery).diagnostic(url)
    }
  }

  /// Rejects companion files that are special files: SQLite opens them, and would block on a pipe forever.
  private static func checkCompanions(of url: URL) throws {
    let path = url.resolvingSymlinksInPath().path
    for suffix in ["-wal", "-shm", "-journal"] {
      var status = stat()
      guard lstat(path + suffix, &status) == 0, let special = SpecialFile(mode: status.st_mode) else { continue }
      throw StoreMistake.special(special, part: suffix).diagnostic(url)
    }
  }

  /// Returns the status of a path; `nil` only if nothing exists there.
  private static func status(of url: URL) throws -> stat? {
    var status = stat()
    guard stat(url.path, &status) != 0 else { return status }
    guard POSIXError(number: errno).meansAbsence else { throw StoreMistake.unopenable.diagnostic(url) }
    return nil
  }

  /// Converts an SQLite error into one about the store.
  static func diagnostic(for error: SQLiteError, url: URL) -> Diagnostic {
    if error.isNotADatabase { return StoreMistake.notADatabase.diagnostic(url) }
    if error.isBusy { return StoreMistake.locked.diagnostic(url) }
    if error.isReadOnly || error.isCantOpen {
      return StoreMistake.readOnlyFolder(reason: error.message).diagnostic(url)
    }
    return StoreMistake.unreadable(error).diagnostic(url)
  }

  /// Rejects a truncated file: SQLite detects truncation only when it reaches the missing pages, but the header states
  /// the number of pages (https://sqlite.org/fileformat2.html#in_header_database_size).
  private static func checkHeader(of url: URL) throws {
    guard let files = try? DatabaseFiles(path: url.path), let actual = files.size else {
      throw StoreMistake.unopenable.diagnostic(url)
    }
    guard actual > 0 else { throw StoreMistake.empty.diagnostic(url) }
    let header = files.header
    guard header.count == DatabaseHeader.length, files.hasDatabaseHeader else {
      throw StoreMistake.notADatabase.diagnostic(url)
    }
    func number(_ offset: Int, _ count: Int) -> Int64 {
      header.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int64($1) }
    }
    let pageSize = number(16, 2) == 1 ? 65536 : number(16, 2)
    let isPageCountValid = number(24, 4) == number(92, 4)
    let expected = number(28, 4) * pageSize
    if isPageCountValid, !files.mayHoldUnmergedChanges, expected > actual {
      throw StoreMistake.truncated(expected: expected, actual: actual).diagnostic(url)
    }
  }
}

/// A store in WAL mode without a `-wal`.
///
/// That is its state after each clean close. But until then, the log has the latest changes, of a new store even all
/// tables. A copy of the store's file alone looks like a closed store, so this only matters if something is
/// missing.
package struct MissingLog {
  private let log: String

  /// Nil if the store has a `-wal`, or is not in WAL mode. An empty `-wal` may come from a connection of our own.
  package init?(_ store: URL) {
    guard let files = try? DatabaseFiles(path: store.path), files.usesWriteAheadLog, (files.writeAheadLogSize ?? 0) == 0
    else {
      return nil
    }
    log = (files.path as NSString).lastPathComponent + "-wal"
  }

  /// The sentence for the remedy of a diagnostic about contents that are missing.
  var remedy: String { "if the store was copied while its app was open, copy '\(log)', too" }

  /// A note about a store without objects.
  package var note: Diagnostic {
    Diagnostic(
      .note, code: "store.missing-log",
      problem: "the store has no objects; it uses a write-ahead log, and there is no '\(log)' next to it",
      remedy: remedy)
  }
}
