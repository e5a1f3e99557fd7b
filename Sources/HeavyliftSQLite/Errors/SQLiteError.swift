import CSQLite
public import Foundation

/// An error with its cause, its location and its SQL.
///
/// Bound values are never part of an error: its message does not contain them, and its SQL shows only parameters.
/// Values that you write into the SQL itself do appear in errors, so use parameters for values.
///
/// ```swift
/// do {
///   try database.run("UPDATE ZBOOK SET ZTITLE = ?", .text(title))
/// } catch let error where error.isBusy {
///   // another process is writing: `error.description` says what can be done
/// }
/// ```
public struct SQLiteError: Error, Hashable, Sendable {
  /// The layer that detected the error.
  public enum Origin: Hashable, Sendable {
    /// SQLite itself; `code` and `message` are SQLite's.
    case sqlite
    /// A registered function; its own error is `underlyingError`.
    case function
    /// The Swift layer: the database is closed.
    case closed
    /// The Swift layer: text is not valid UTF-8. Its bytes can still be read.
    case invalidText
    /// The Swift layer: an invalid call, such as two statements instead of one.
    case misuse
  }

  /// The primary code, which most handlers check.
  public var code: ResultCode
  /// The exact code.
  public var extendedCode: ResultCode
  /// The problem, in SQLite's words if SQLite detected it.
  public var message: String
  /// The statement, with parameters and without their values.
  public var sql: String?
  /// The offset in `sql` at which SQLite stopped parsing, in bytes of UTF-8.
  public var offset: Int?
  /// The path of the database file; `:memory:` for an in-memory database.
  public var path: String?
  public var origin: Origin
  private var underlying: UnderlyingError?

  /// Creates an error from an exact code.
  public init(
    code extendedCode: ResultCode, message: String, sql: String? = nil, offset: Int? = nil, path: String? = nil,
    origin: Origin = .sqlite, underlyingError: (any Error)? = nil
  ) {
    self.code = extendedCode.primary
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.offset = offset
    self.path = path
    self.origin = origin
    underlying = underlyingError.map(UnderlyingError.init)
  }

  /// The error that a registered function threw, if any.
  public var underlyingError: (any Error)? { underlying?.error }
}

extension SQLiteError {
  /// Another connection holds a required lock, and the busy timeout has passed.
  public var isBusy: Bool { code == .busy || code == .locked }
  /// The file is damaged.
  public var isCorrupt: Bool { code == .corrupt }
  /// The file is not an SQLite database, or is encrypted.
  public var isNotADatabase: Bool { code == .notADatabase }
  /// The database or file is read-only.
  public var isReadOnly: Bool { code == .readOnly }
  /// The disk is full.
  public var isFull: Bool { code == .full }
  /// The change violates a constraint of the schema.
  public var isConstraint: Bool { code == .constraint }
  /// The statement was interrupted by `interrupt()`.
  public var isInterrupt: Bool { code == .interrupt }
  /// The file, its `-wal` or its `-shm` cannot be opened or created.
  public var isCantOpen: Bool { code == .cannotOpen }
  /// Reading or writing failed in the file system.
  public var isInputOutput: Bool { code == .inputOutput }
  /// The database is closed.
  public var isClosed: Bool { origin == .closed }
  /// The text is not valid UTF-8.
  public var isInvalidText: Bool { origin == .invalidText }
}

/// The error that a registered function threw, made comparable: it is equal only to the same occurrence of the error.
private struct UnderlyingError: Hashable, Sendable {
  private final class Occurrence: Sendable {
    let error: any Error
    init(_ error: any Error) { self.error = error }
  }

  private let occurrence: Occurrence
  var error: any Error { occurrence.error }

  init(_ error: any Error) { occurrence = Occurrence(error) }

  static func == (lhs: UnderlyingError, rhs: UnderlyingError) -> Bool { lhs.occurrence === rhs.occurrence }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(occurrence)) }
}

extension SQLiteError: LocalizedError {
  /// The problem, in SQLite's words if SQLite detected it.
  public var errorDescription: String? { message }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { remedy }
}
