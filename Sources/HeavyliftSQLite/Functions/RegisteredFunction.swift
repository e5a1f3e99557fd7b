import CSQLite

/// What a function threw, and the words that SQLite carries through its own code in the meantime.
struct FunctionFailure {
  let error: any Error
  let message: String
}

/// A Swift function as SQLite keeps it: retained when it is registered, released by SQLite's destructor call.
final class RegisteredFunction {
  private let name: String
  /// Unowned: the connection outlives its functions, and holds them through SQLite.
  private unowned let connection: Connection
  private let body: (borrowing SQLiteArguments) throws -> SQLiteValue

  init(name: String, connection: Connection, body: @escaping (borrowing SQLiteArguments) throws -> SQLiteValue) {
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
      RegisteredFunction.setResult(try body(arguments), in: context)
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

  private static func setResult(_ value: SQLiteValue, in context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var text):
      text.withUTF8 { utf8 in
        guard let start = utf8.baseAddress, !utf8.isEmpty else {
          sqlite3_result_text64(context, "", 0, transient, UInt8(SQLITE_UTF8))
          return
        }
        start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { start in
          sqlite3_result_text64(context, start, UInt64(utf8.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          sqlite3_result_zeroblob(context, 0)
          return
        }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), transient)
      }
    }
  }
}
