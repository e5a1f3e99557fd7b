import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Opens a store's database, and says what is wrong with one that cannot be opened.
enum StoreOpening {
  static func open(_ url: URL, mode: Database.Mode, busyTimeout: Int) throws -> Database {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    guard !isFolder.boolValue else { throw StoreMistake.isFolder.diagnostic(url) }
    if mode == .create {
      guard !exists else { throw StoreMistake.alreadyExists.diagnostic(url) }
    } else {
      guard exists else { throw StoreMistake.notFound.diagnostic(url) }
      try checkHeader(of: url)
    }
    do {
      return try Database(path: url.path, mode: mode, options: .init(busyTimeout: busyTimeout))
    } catch {
      guard mode == .readOnly, error.isCantOpen || error.isReadOnly else { throw error }
      return try openImmutable(url, busyTimeout: busyTimeout)
    }
  }

  /// On read-only media SQLite cannot make the files by which it coordinates readers of a write-ahead log. If there is
  /// nothing to merge nobody needs them; if there is, reading without it would show an old state.
  private static func openImmutable(_ url: URL, busyTimeout: Int) throws -> Database {
    for suffix in ["-wal", "-journal"] where size(of: URL(filePath: url.path + suffix)) ?? 0 > 0 {
      throw StoreMistake.needsRecovery.diagnostic(url)
    }
    return try Database(path: url.path, mode: .readOnly, options: .init(busyTimeout: busyTimeout, immutable: true))
  }

  /// Words an error of SQLite as one about the store.
  static func diagnostic(for error: SQLiteError, url: URL) -> Diagnostic {
    if error.isNotADatabase { return StoreMistake.notADatabase.diagnostic(url) }
    if error.isBusy { return StoreMistake.locked.diagnostic(url) }
    if error.isReadOnly || error.isCantOpen {
      return StoreMistake.readOnlyFolder(reason: error.message).diagnostic(url)
    }
    return StoreMistake.unreadable(error).diagnostic(url)
  }

  /// SQLite notices a missing tail only when it comes to the pages that are gone; the header knows their number
  /// (https://sqlite.org/fileformat2.html#in_header_database_size).
  private static func checkHeader(of url: URL) throws {
    guard let handle = try? FileHandle(forReadingFrom: url), let header = try? handle.read(upToCount: 100),
      let actual = size(of: url)
    else {
      throw Diagnostic(
        .error, code: "store.unreadable", problem: "store '\(url.path)' cannot be read",
        remedy: "check that you may read the file")
    }
    try? handle.close()
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw StoreMistake.notADatabase.diagnostic(url)
    }
    func number(_ offset: Int, _ count: Int) -> Int64 {
      header[header.startIndex + offset..<header.startIndex + offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }
    let pageSize = number(16, 2) == 1 ? 65536 : number(16, 2)
    let isPageCountValid = number(24, 4) == number(92, 4)
    let hasLog = size(of: URL(filePath: url.path + "-wal")) ?? 0 > 0
    let expected = number(28, 4) * pageSize
    if isPageCountValid, !hasLog, expected > actual {
      throw StoreMistake.truncated(expected: expected, actual: actual).diagnostic(url)
    }
  }

  private static func size(of url: URL) -> Int64? {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.int64Value
  }
}
