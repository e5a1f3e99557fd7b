import CSQLite

/// A result code of SQLite, primary or extended, as in `https://sqlite.org/rescode.html`.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  /// Creates a code from SQLite's number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The primary code of an extended code: its low byte.
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  public static let ok = ResultCode(rawValue: SQLITE_OK)
  public static let error = ResultCode(rawValue: SQLITE_ERROR)
  public static let busy = ResultCode(rawValue: SQLITE_BUSY)
  public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
  public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  public static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  public static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  public static let full = ResultCode(rawValue: SQLITE_FULL)
  public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  public static let range = ResultCode(rawValue: SQLITE_RANGE)
  public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  static let row = ResultCode(rawValue: SQLITE_ROW)
  static let done = ResultCode(rawValue: SQLITE_DONE)
}

extension ResultCode: CustomStringConvertible {
  /// SQLite's name for the code; for an unknown newer code, the name of its primary code and the number.
  public var description: String {
    if let name = ResultCode.names[rawValue] { return name }
    guard rawValue > 0xFF, let family = ResultCode.names[rawValue & 0xFF] else { return "SQLITE_\(rawValue)" }
    return "\(family) (\(rawValue))"
  }
}
