import CSQLite
import Foundation

extension Database {
  /// The permitted access to a database file.
  package enum Mode: Hashable, Sendable {
    /// Read-only: the file must exist and is not changed.
    case readOnly
    /// Read-write: the file must exist and be writable.
    case readWrite
    /// Read-write; a missing file is created.
    case create

    var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// Options for opening a database.
  package struct Options: Hashable, Sendable {
    /// The time to wait for another connection's lock, in milliseconds, before giving up.
    package var busyTimeout: Int
    /// A promise that no process writes to the file: SQLite then takes no lock and needs no `-shm`.
    ///
    /// For read-only media. The `-wal` is not read: if it holds changes, you read an old state or inconsistent data.
    /// Use `DatabaseFiles` to check for a `-wal`.
    package var immutable: Bool
    /// The number of compiled statements that `cached(_:)` and `run(_:_:)` keep.
    package var statementCacheCapacity: Int

    /// Creates options.
    package init(busyTimeout: Int = 5_000, immutable: Bool = false, statementCacheCapacity: Int = 128) {
      self.busyTimeout = busyTimeout
      self.immutable = immutable
      self.statementCacheCapacity = statementCacheCapacity
    }
  }

  /// Reads the first page. SQLite opens files lazily, and silently opens a write-protected file read-only.
  func probe(_ mode: Mode) throws(SQLiteError) {
    _ = try firstValue("PRAGMA schema_version")
    guard mode != .readOnly, isReadOnly else { return }
    throw SQLiteError(
      code: .readOnly, message: "the file is write-protected and cannot be opened for writing", path: path)
  }

  /// Rejects a folder, which SQLite would open only to report a disk error.
  static func refuseFolder(_ path: String) throws(SQLiteError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return }
    throw cannotOpen(path, "it is a folder and not a file")
  }

  /// Returns the path as a `file:` URI, so that no path is misinterpreted, not even `:memory:` or one with a question
  /// mark.
  static func uri(_ path: String, parameters: [String]) throws(SQLiteError) -> String {
    guard !path.isEmpty else { throw cannotOpen(path, "the path is empty") }
    try refuseFolder(path)
    var uri = "file:"
    // Otherwise, a path that starts with two slashes would be parsed as a host.
    if path.hasPrefix("/") { uri += "//" }
    for byte in path.utf8 {
      switch byte {
      case 0: throw cannotOpen(path, "the path contains U+0000")
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return parameters.isEmpty ? uri : "\(uri)?\(parameters.joined(separator: "&"))"
  }

  static func cannotOpen(_ path: String, _ message: String) -> SQLiteError {
    SQLiteError(code: .cannotOpen, message: message, path: path)
  }
}
