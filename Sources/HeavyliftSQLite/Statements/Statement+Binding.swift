import CSQLite
import Foundation

/// Makes SQLite copy the value before the call returns. The header's macro is a cast that Swift does not import.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Statement {
  /// Binds any value.
  package func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value): try bind(value, at: index)
    case .text(let value): try bind(text: value, at: index)
    case .blob(let value): try bind(blob: value, at: index)
    }
  }

  /// Binds values to parameters 1, 2, 3 …; there must be one for each parameter.
  package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == parameterCount || handle.pointer == nil else {
      throw misuse("the number of values (\(values.count)) differs from the number of parameters (\(parameterCount))")
    }
    for (offset, value) in values.enumerated() { try bind(value, at: offset + 1) }
  }

  /// Binds NULL.
  package func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle.pointer, parameter(index)), at: index)
  }

  /// Binds an integer.
  package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle.pointer, parameter(index), value), at: index)
  }

  /// Binds a floating-point number; SQLite stores NaN as NULL.
  package func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle.pointer, parameter(index), value), at: index)
  }

  /// Binds text; U+0000 in it is kept.
  package func bind(text: String, at index: Int) throws(SQLiteError) {
    var text = text
    let result = text.withUTF8 { utf8 in bindResult(text: utf8, at: index, destructor: transient) }
    try check(result, at: index)
  }

  /// Binds text that is already UTF-8; it is copied, but not checked.
  package func bind(text utf8: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try check(bindResult(text: utf8, at: index, destructor: transient), at: index)
  }

  /// Binds bytes; empty data is an empty blob, not NULL.
  package func bind(blob: Data, at index: Int) throws(SQLiteError) {
    let result = blob.withUnsafeBytes { bytes in bindResult(blob: bytes, at: index, destructor: transient) }
    try check(result, at: index)
  }

  /// Binds a copy of the bytes.
  package func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try check(bindResult(blob: blob, at: index, destructor: transient), at: index)
  }

  /// Binds text without copying it: its memory must not change until this statement is reset and this parameter is
  /// bound again or cleared.
  package func bind(borrowedText utf8: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try check(bindResult(text: utf8, at: index, destructor: nil), at: index)
  }

  /// Binds bytes without copying them: their memory must not change until this statement is reset and this parameter
  /// is bound again or cleared.
  package func bind(borrowedBlob bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try check(bindResult(blob: bytes, at: index, destructor: nil), at: index)
  }

  /// Binds a column of another statement's row as it is, neither decoded nor checked.
  package func bind(copyOf row: borrowing RowView, column: Int, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_value(handle.pointer, parameter(index), row.view(at: column).value), at: index)
  }

  /// Binds a column of another statement's row without copying it: that statement must not move on before this one is
  /// reset and this parameter is bound again or cleared.
  package func bind(borrowed row: borrowing RowView, column: Int, at index: Int) throws(SQLiteError) {
    let view = row.view(at: column)
    let result =
      switch view.type {
      case .text: bindResult(text: view.utf8, at: index, destructor: nil)
      case .blob: bindResult(blob: view.bytes, at: index, destructor: nil)
      case .integer, .real, .null: sqlite3_bind_value(handle.pointer, parameter(index), view.value)
      }
    try check(result, at: index)
  }

  /// Sets all parameters to NULL.
  package func clearBindings() { handle.clearBindings() }

  private func bindResult(
    text: UnsafeBufferPointer<UInt8>, at index: Int, destructor: sqlite3_destructor_type?
  ) -> Int32 {
    // SQLite would treat a null pointer as NULL, and an empty buffer may have a null pointer.
    guard let start = text.baseAddress, !text.isEmpty else {
      return sqlite3_bind_text64(handle.pointer, parameter(index), "", 0, transient, UInt8(SQLITE_UTF8))
    }
    return start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
      sqlite3_bind_text64(
        handle.pointer, parameter(index), start, UInt64(text.count), destructor, UInt8(SQLITE_UTF8))
    }
  }

  private func bindResult(
    blob: UnsafeRawBufferPointer, at index: Int, destructor: sqlite3_destructor_type?
  ) -> Int32 {
    guard let start = blob.baseAddress, !blob.isEmpty else {
      return sqlite3_bind_zeroblob(handle.pointer, parameter(index), 0)
    }
    return sqlite3_bind_blob64(handle.pointer, parameter(index), start, UInt64(blob.count), destructor)
  }

  /// Returns the index for SQLite. An index that is too big for SQLite must not be truncated to a valid one.
  private func parameter(_ index: Int) -> Int32 { Int32(exactly: index) ?? -1 }

  private func check(_ result: Int32, at index: Int) throws(SQLiteError) {
    guard result != SQLITE_OK else { return }
    if result == SQLITE_RANGE {
      throw SQLiteError(
        code: .range, message: "there is no parameter \(index): the statement has \(parameterCount)", sql: sql,
        path: handle.connection.path, origin: .misuse)
    }
    if result == SQLITE_MISUSE, handle.pointer != nil {
      throw misuse("a parameter cannot be bound while the statement has a current row: reset it first")
    }
    throw handle.failure(result)
  }
}
