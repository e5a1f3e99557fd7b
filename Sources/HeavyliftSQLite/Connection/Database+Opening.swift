import CSQLite
import Foundation

extension Database {
  /// What may be done with the file.
  public enum Mode: Hashable, Sendable {
    /// It must exist and is left as it is.
    case readOnly
    /// It must exist and be writable.
    case readWrite
    /// Read-write, and made if it does not exist.
    case create

    var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// How it is opened.
  public struct Options: Hashable, Sendable {
    /// How long to wait for another connection's lock, in milliseconds, before giving up.
    public var busyTimeout: Int
    /// Promises that nobody writes to the file: SQLite then takes no lock and needs no `-shm`.
    ///
    /// For read-only media. The `-wal` is not read: with one that holds changes, this shows an old state or nonsense.
    /// `DatabaseFiles` says whether there is one.
    public var immutable: Bool
    /// How many compiled statements are kept for `cached(_:)` and `run(_:_:)`.
    public var statementCacheCapacity: Int

    /// Creates options.
    public init(busyTimeout: Int = 5_000, immutable: Bool = false, statementCacheCapacity: Int = 128) {
      self.busyTimeout = busyTimeout
      self.immutable = immutable
      self.statementCacheCapacity = statementCacheCapacity
    }
  }

  /// Reads the first page. SQLite opens files lazily, and opens a write-protected one for reading without a word.
  func probe(_ mode: Mode) throws(SQLiteError) {
    _ = try firstValue("PRAGMA schema_version")
    guard mode != .readOnly, isReadOnly else { return }
    throw SQLiteError(
      code: .readOnly, message: "the file is write-protected and was to be opened for writing", path: path)
  }

  /// SQLite opens a folder, and then reports that the disk fails.
  static func refuseFolder(_ path: String) throws(SQLiteError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return }
    throw cannotOpen(path, "it is a folder and not a file")
  }

  /// A `file:` URI, which no path is mistaken in: neither one named `:memory:` nor one with a question mark.
  static func uri(_ path: String, parameters: [String]) throws(SQLiteError) -> String {
    guard !path.isEmpty else { throw cannotOpen(path, "the path is empty") }
    try refuseFolder(path)
    var uri = "file:"
    // A path that began with two slashes would be taken for a host.
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
