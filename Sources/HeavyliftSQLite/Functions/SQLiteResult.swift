import CSQLite

/// The result of a registered function, in SQLite's own memory; NULL unless it is set.
///
/// The result cannot be copied or stored: it is gone when the function returns.
package struct SQLiteResult: ~Copyable {
  private let context: OpaquePointer?

  init(_ context: OpaquePointer?) { self.context = context }

  /// Sets the result to an integer.
  package func set(integer number: Int64) { sqlite3_result_int64(context, number) }

  /// Sets the result to an argument, unchanged.
  package func set(_ arguments: borrowing SQLiteArguments, at index: Int) {
    sqlite3_result_value(context, arguments.pointer(at: index))
  }

  /// Sets the result to text of `count` bytes, all of which `fill` must write as UTF-8.
  package func setText(count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    guard count > 0 else { return set(.text("")) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
      // SQLite copies the bytes into memory that it reuses from row to row.
      fill(bytes)
      UnsafeBufferPointer(bytes).withMemoryRebound(to: CChar.self) { bytes in
        sqlite3_result_text64(context, bytes.baseAddress, UInt64(count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Sets the result to a value.
  package func set(_ value: SQLiteValue) {
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
