import CSQLite

/// What a function threw, and the words that SQLite carries through its own code in the meantime.
struct FunctionFailure {
  let error: any Error
  let message: String
}

/// A Swift function as SQLite keeps it: retained when it is registered, released by SQLite's destructor call.
final class RegisteredFunction {
  private let name: String
  /// Unowned: the connection outlives its functions, and holds them through SQLite. Unsafe: a statement that calls them
  /// holds the connection, and to make sure of it once more would cost as much as the call.
  private unowned(unsafe) let connection: Connection
  private let body: Body

  typealias Body = (borrowing SQLiteArguments, borrowing SQLiteResult) throws -> Void

  init(name: String, connection: Connection, body: @escaping Body) {
    self.name = name
    self.connection = connection
    self.body = body
  }

  /// Never inlined: Swift 6.3.1 crashes where its optimizer inlines the making of a non-copyable value into a C callback.
  @inline(never)
  func call(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let arguments = SQLiteArguments(values, count: Int(count), function: name)
    let connection = connection
    connection.callDepth += 1
    defer { connection.callDepth -= 1 }
    do {
      try body(arguments, SQLiteResult(context))
    } catch {
      fail(error, in: context)
    }
  }

  private func fail(_ error: any Error, in context: OpaquePointer?) {
    // An error of SQLite's is said in its words, which have no user's values in them; of others only the type is sure
    // to have none.
    let failure = error as? SQLiteError
    let reason = failure?.message ?? "it threw an error of type '\(type(of: error))'"
    let message = "function '\(name)' failed: \(reason)"
    connection.functionFailure = FunctionFailure(error: failure?.underlyingError ?? error, message: message)
    sqlite3_result_error(context, message, -1)
    // The code of an inner statement's error is kept: an interrupt is one for the outer statement too.
    if let failure, failure.origin == .sqlite {
      sqlite3_result_error_code(context, failure.extendedCode.rawValue)
    }
  }
}
