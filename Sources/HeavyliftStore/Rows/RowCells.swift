import Foundation
import HeavyliftSQLite

/// A column's value in SQLite's own form, regardless of where its bytes are.
protocol CellView {
  var type: SQLiteType { get }
  /// The value as an integer by SQLite's conversion rules.
  var integer: Int64 { get }
  /// The value as a floating-point number by SQLite's conversion rules.
  var double: Double { get }
  /// The text, or nil if it is not valid UTF-8.
  var text: String? { get }
  /// The bytes of a text or a blob.
  var bytes: UnsafeRawBufferPointer { get }
  /// A copy of the value, or nil if it is text that is not valid UTF-8.
  var owned: SQLiteValue? { get }
}

extension ValueView: CellView {}

/// A row whose columns have positions: a query's current row, or a copy of one.
protocol RowCells: ~Copyable {
  associatedtype Cell: CellView

  func cell(at position: Int) -> Cell
}

extension RowView: RowCells {
  @inline(__always)
  func cell(at position: Int) -> ValueView { view(at: position) }
}
