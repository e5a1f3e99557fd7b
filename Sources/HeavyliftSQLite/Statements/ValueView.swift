import CSQLite
import Foundation

/// One value in SQLite's own memory: a column of a row, or an argument of a function.
///
/// `sqlite3_value_…` wants "protected" values, and a column's is an unprotected one: the difference is the connection's
/// mutex, which ours do not have since they belong to one thread at a time. Asking a column for its value once is cheaper
/// than asking it for type, bytes and length one by one, each of which looks the column up again.
@usableFromInline
package struct ValueView {
  @usableFromInline let value: OpaquePointer?

  @inlinable
  init(_ value: OpaquePointer?) { self.value = value }

  package var type: SQLiteType { SQLiteType(sqlite3_value_type(value)) }

  /// The text as UTF-8, converted by SQLite if it is stored otherwise, or a blob's bytes; empty for NULL.
  @inlinable
  package var utf8: UnsafeBufferPointer<UInt8> {
    // SQLite would make a text of the blob where it lies, and say from then on that it is one.
    if sqlite3_value_type(value) == SQLITE_BLOB { return bytes.bindMemory(to: UInt8.self) }
    // The pointer before the length: the length counts bytes of what the pointer call left behind.
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// The bytes as they are stored; empty for NULL.
  @inlinable
  package var bytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// The text, or nil if it is not valid UTF-8: repairing it would lose what is stored.
  package var text: String? {
    let utf8 = utf8
    if utf8.isEmpty { return "" }
    return utf8.isASCII ? String(decoding: utf8, as: UTF8.self) : String(validating: utf8, as: UTF8.self)
  }

  /// Whether the text is valid UTF-8.
  package var isWholeText: Bool {
    let utf8 = utf8
    return utf8.isASCII || String(validating: utf8, as: UTF8.self) != nil
  }

  /// By SQLite's rules of conversion.
  package var integer: Int64 { sqlite3_value_int64(value) }

  /// By SQLite's rules of conversion.
  package var double: Double { sqlite3_value_double(value) }

  package var data: Data { Data(bytes) }

  /// The whole value as its own, or nil if it is text that is not valid UTF-8.
  var owned: SQLiteValue? {
    switch type {
    case .null: .null
    case .integer: .integer(sqlite3_value_int64(value))
    case .real: .real(sqlite3_value_double(value))
    case .text: text.map(SQLiteValue.text)
    case .blob: .blob(data)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Most texts have no other letters, and need no more than a look to be found valid.
  fileprivate var isASCII: Bool {
    var all: UInt8 = 0
    for byte in self { all |= byte }
    return all < 0x80
  }
}
