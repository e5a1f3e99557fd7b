import CSQLite
import Foundation

/// One value in SQLite's own memory: a column of a row, or an argument of a function.
///
/// `sqlite3_value_…` expects "protected" values, and a column's value is unprotected. The difference is the
/// connection's mutex, which Heavylift's connections do not have because they belong to one thread at a time. Getting
/// a column's value once is cheaper than getting its type, bytes and length separately, each of which looks the
/// column up again.
@usableFromInline
package struct ValueView {
  @usableFromInline let value: OpaquePointer?

  @inlinable
  init(_ value: OpaquePointer?) { self.value = value }

  package var type: SQLiteType { SQLiteType(sqlite3_value_type(value)) }

  /// The text as UTF-8, converted by SQLite if it is stored in another encoding, or a blob's bytes; empty for NULL.
  @inlinable
  package var utf8: UnsafeBufferPointer<UInt8> {
    // SQLite would convert the blob to text in place, and report it as text from then on.
    if sqlite3_value_type(value) == SQLITE_BLOB { return bytes.bindMemory(to: UInt8.self) }
    // Gets the pointer before the length: the first call may convert the value to text, which changes the length.
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// The bytes as stored; empty for NULL.
  @inlinable
  package var bytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// The text, or nil if it is not valid UTF-8: repairing it would change the stored data.
  package var text: String? {
    let utf8 = utf8
    if utf8.isEmpty { return "" }
    return UnsafeRawBufferPointer(utf8).isASCII
      ? String(decoding: utf8, as: UTF8.self) : String(validating: utf8, as: UTF8.self)
  }

  /// The value as an integer by SQLite's conversion rules.
  package var integer: Int64 { sqlite3_value_int64(value) }

  /// The value as a floating-point number by SQLite's conversion rules.
  package var double: Double { sqlite3_value_double(value) }

  package var data: Data { Data(bytes) }

  /// A copy of the value, or nil if it is text that is not valid UTF-8.
  package var owned: SQLiteValue? {
    switch type {
    case .null: .null
    case .integer: .integer(sqlite3_value_int64(value))
    case .real: .real(sqlite3_value_double(value))
    case .text: text.map(SQLiteValue.text)
    case .blob: .blob(data)
    }
  }
}
