import CSQLite

/// What went wrong, where, and in which SQL.
///
/// Values that were bound are never part of it: neither of the message nor of the SQL, which is the text with its
/// parameters. Text that a caller writes into the SQL itself is, so values belong in parameters.
///
/// ```swift
/// do {
///   try database.run("UPDATE ZBOOK SET ZTITLE = ?", .text(title))
/// } catch let error where error.isBusy {
///   // another process is writing: `error.description` says what can be done
/// }
/// ```
public struct SQLiteError: Error, Hashable, Sendable {
  /// Who noticed.
  public enum Origin: Hashable, Sendable {
    /// SQLite itself; `code` and `message` are its own.
    case sqlite
    /// A function that was registered; its own error is `underlyingError`.
    case function
    /// This layer: the database is closed.
    case closed
    /// This layer: a text is not valid UTF-8. Its bytes can still be read.
    case invalidText
    /// This layer: a call that cannot be carried out, such as two statements where one was expected.
    case misuse
  }

  /// The family of the code, which is what most handlers ask for.
  public var code: ResultCode
  /// The exact code.
  public var extendedCode: ResultCode
  /// What is so, in SQLite's words where SQLite noticed.
  public var message: String
  /// The statement, with parameters and without their values.
  public var sql: String?
  /// Where in `sql` SQLite stopped understanding, in bytes of UTF-8.
  public var offset: Int?
  /// The database file; `:memory:` for one that has none.
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

  /// What a registered function threw, if one did.
  public var underlyingError: (any Error)? { underlying?.error }
}

extension SQLiteError {
  /// Another connection holds a lock that is needed, and the busy timeout has passed.
  public var isBusy: Bool { code == .busy || code == .locked }
  /// The file is damaged.
  public var isCorrupt: Bool { code == .corrupt }
  /// The file is something else than an SQLite database, or is encrypted.
  public var isNotADatabase: Bool { code == .notADatabase }
  /// Something was to be written that may only be read.
  public var isReadOnly: Bool { code == .readOnly }
  /// There is no room on the disk.
  public var isFull: Bool { code == .full }
  /// A rule of the schema forbids the change.
  public var isConstraint: Bool { code == .constraint }
  /// Somebody called `interrupt()`.
  public var isInterrupt: Bool { code == .interrupt }
  /// The file, its `-wal` or its `-shm` cannot be opened or created.
  public var isCantOpen: Bool { code == .cannotOpen }
  /// Reading or writing failed below SQLite.
  public var isInputOutput: Bool { code == .inputOutput }
  /// The database was closed before.
  public var isClosed: Bool { origin == .closed }
  /// A text is not valid UTF-8.
  public var isInvalidText: Bool { origin == .invalidText }
}

/// An error of somebody else's, as a part of a value that can be compared: equal means the same occurrence.
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
