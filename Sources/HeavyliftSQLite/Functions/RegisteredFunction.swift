import CSQLite

/// The error that a function threw, and the message that SQLite passes along in its place.
struct FunctionFailure {
  let error: any Error
  let message: String
}

/// A Swift function registered with SQLite: retained by registration, released by SQLite's destructor call.
final class RegisteredFunction {
  let name: String
  /// Unmanaged: the connection outlives its functions, which SQLite retains, and the statement that calls a function
  /// retains the connection. Retaining it again would cost as much as the call.
  private let connection: Unmanaged<Connection>
  private let body: Body

  typealias Body = (borrowing SQLiteArguments, borrowing SQLiteResult) throws -> Void

  init(name: String, connection: Connection, body: @escaping Body) {
    self.name = name
    self.connection = .passUnretained(connection)
    self.body = body
  }

  /// Never inlined: the Swift 6.3.1 compiler crashes if it inlines the creation of a noncopyable value into a C
  /// callback.
  @inline(never)
  func call(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let arguments = SQLiteArguments(values, count: Int(count), of: self)
    connection._withUnsafeGuaranteedRef { $0.callDepth += 1 }
    defer { connection._withUnsafeGuaranteedRef { $0.callDepth -= 1 } }
    do {
      try body(arguments, SQLiteResult(context))
    } catch {
      fail(error, in: context)
    }
  }

  private func fail(_ error: any Error, in context: OpaquePointer?) {
    // SQLite's own errors keep their message, which contains no user values; for other errors, only the type is safe to
    // show.
    let failure = error as? SQLiteError
    let reason = failure?.message ?? "it threw an error of type '\(type(of: error))'"
    let message = "function '\(name)' failed: \(reason)"
    connection.takeUnretainedValue().functionFailure = FunctionFailure(
      error: failure?.underlyingError ?? error, message: message)
    sqlite3_result_error(context, message, -1)
    // Keeps the code of an inner statement's error, so that an interrupt also interrupts the outer statement.
    if let failure, failure.origin == .sqlite {
      sqlite3_result_error_code(context, failure.extendedCode.rawValue)
    }
  }
}
