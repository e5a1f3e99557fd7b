import CSQLite
import Foundation

/// Compares two rows in SQLite's own memory, without creating values.
extension RowView {
  /// Returns the storage class of a column and of another row's column if both have the same value, that is, the same
  /// type and the same bits.
  ///
  /// Numbers of different types are not equal, and neither are 0.0 and -0.0.
  package func sharedType(at column: Int, as other: borrowing RowView, at otherColumn: Int) -> SQLiteType? {
    let (left, right) = (view(at: column), other.view(at: otherColumn))
    let type = sqlite3_value_type(left.value)
    guard type == sqlite3_value_type(right.value) else { return nil }
    let isSame =
      switch type {
      case SQLITE_INTEGER: sqlite3_value_int64(left.value) == sqlite3_value_int64(right.value)
      case SQLITE_FLOAT:
        sqlite3_value_double(left.value).bitPattern == sqlite3_value_double(right.value).bitPattern
      case SQLITE_TEXT: UnsafeRawBufferPointer(left.utf8).holdsSame(as: UnsafeRawBufferPointer(right.utf8))
      case SQLITE_BLOB: left.bytes.holdsSame(as: right.bytes)
      default: true
      }
    return isSame ? SQLiteType(type) : nil
  }

  /// Returns true if the column holds exactly the bytes of this text.
  package func holds(text: String, at column: Int) -> Bool {
    let view = view(at: column)
    guard sqlite3_value_type(view.value) == SQLITE_TEXT else { return false }
    var text = text
    return text.withUTF8 { UnsafeRawBufferPointer($0).holdsSame(as: UnsafeRawBufferPointer(view.utf8)) }
  }

  /// Returns true if the column's text is valid UTF-8.
  package func isValidText(at column: Int) -> Bool {
    UnsafeRawBufferPointer(view(at: column).utf8).isUTF8
  }

  /// Returns the column's first byte and number of bytes; nil if there are no bytes.
  package func firstByte(at column: Int) -> (byte: UInt8, count: Int)? {
    let bytes = view(at: column).bytes
    return bytes.first.map { ($0, bytes.count) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func holdsSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count > 0, let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}
