extension SQLiteError: CustomStringConvertible {
  /// The database, the problem and the code's name, followed by the SQL, shortened if it is long, and the remedy.
  public var description: String {
    let subject = path.map { "database '\($0)': " } ?? ""
    var lines = ["\(subject)\(message) (\(extendedCode))"]
    if let sql { lines.append("in: \(SQLiteError.shortened(sql))") }
    if let remedy { lines.append(remedy) }
    return lines.joined(separator: "\n  ")
  }

  /// Returns the SQL on one line, shortened in the middle: the verb is at the start, the important condition often at
  /// the end.
  static func shortened(_ sql: String) -> String {
    let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard words.count > longestSQLShown else { return words }
    let start = words.prefix(longestSQLShown * 3 / 4)
    let end = words.suffix(longestSQLShown / 4)
    let wholeStart = start[..<(start.lastIndex(of: " ") ?? start.endIndex)]
    let wholeEnd = end[(end.firstIndex(of: " ") ?? end.startIndex)...].drop(while: \.isWhitespace)
    return "\(wholeStart) … \(wholeEnd)"
  }

  private static let longestSQLShown = 240
}

extension SQLiteError {
  /// The remedy, for errors that usually have one.
  public var remedy: String? {
    switch origin {
    case .closed: "keep the database open for as long as its statements are used"
    case .invalidText: "to get the stored bytes, use 'withUnsafeBytes(at:)'"
    case .function, .misuse: nil
    case .sqlite: remedies[extendedCode.rawValue] ?? remedies[code.rawValue]
    }
  }
}

/// Remedies by exact code or by primary code.
private let remedies: [Int32: String] = [
  5: "another connection or program is using the database: wait, or allow more time with the option 'busyTimeout'",
  517:
    "another connection wrote after this transaction began to read: roll back and try again, or begin it as 'immediate'",
  6: "another statement of this connection is using the table: finish or reset that statement first",
  7: "free some memory and try again",
  8: "open it for writing, and make sure that the file and its folder are writable",
  264:
    "its write-ahead log must be recovered first, which needs a writable folder: copy the database and its '-wal' to one",
  776: "a journal must be rolled back first: open the database once for writing",
  1032: "the file was moved or removed while it was open: open it again",
  1544: "its folder is not writable, and SQLite needs to write its journal there",
  9: "the work was interrupted on request; the connection can be used again",
  10: "the disk or the file system reported an error: check the system log and the disk",
  522: "the file is shorter than its header says: it was truncated; restore it from a backup",
  11: "it is damaged: restore it from a backup, or recover the readable parts with '.recover' in the 'sqlite3' shell",
  13: "free space on its disk, then try again",
  14:
    "check that the file and its folder exist and can be opened; with a write-ahead log, the folder must also be writable",
  15: "another program keeps changing its locks: close that program, then try again",
  26: "it is another kind of file, it is encrypted, or its first bytes are damaged",
]
