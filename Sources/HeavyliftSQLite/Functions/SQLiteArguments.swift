import CSQLite
import Foundation

/// The arguments of a call to a registered function, read in SQLite's own memory.
///
/// The arguments cannot be copied or stored: they are gone when the function returns. Indexes start at 0.
package struct SQLiteArguments: ~Copyable {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  package let count: Int
  // Unsafe, because SQLite retains the function during the call, and retaining it again would take time.
  private unowned(unsafe) let function: RegisteredFunction

  init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int, of function: RegisteredFunction) {
    self.values = values
    self.count = count
    self.function = function
  }

  /// Returns the storage class of an argument.
  package func type(at index: Int) -> SQLiteType { view(at: index).type }

  /// Returns true if the argument is NULL.
  package func isNull(at index: Int) -> Bool { type(at: index) == .null }

  /// Returns the argument as an integer by SQLite's conversion rules: NULL and text that is not a number read as 0.
  package func integer(at index: Int) -> Int64 { sqlite3_value_int64(view(at: index).value) }

  /// Returns the argument as a floating-point number by SQLite's conversion rules: NULL and text that is not a number
  /// read as 0.
  package func double(at index: Int) -> Double { sqlite3_value_double(view(at: index).value) }

  /// Returns the argument as text, or nil for NULL. Numbers are converted to text; bytes that are not UTF-8 are an
  /// error.
  package func text(at index: Int) throws(SQLiteError) -> String? {
    let view = view(at: index)
    if view.type == .null { return nil }
    guard let text = view.text else { throw invalidText(at: index) }
    return text
  }

  /// Returns the argument's bytes, or nil for NULL.
  package func blob(at index: Int) -> Data? {
    let view = view(at: index)
    return view.type == .null ? nil : view.data
  }

  /// Returns a copy of the argument as it is stored.
  package func value(at index: Int) throws(SQLiteError) -> SQLiteValue {
    guard let value = view(at: index).owned else { throw invalidText(at: index) }
    return value
  }

  /// Calls `body` with the argument as UTF-8, neither copied nor checked; empty for NULL.
  @inlinable
  package func withUnsafeText<R, E: Error>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: index).utf8)
  }

  /// Calls `body` with the argument's bytes as stored, not copied; empty for NULL.
  @inlinable
  package func withUnsafeBytes<R, E: Error>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(view(at: index).bytes)
  }

  @usableFromInline
  func view(at index: Int) -> ValueView {
    precondition(index >= 0 && index < count, "argument \(index) of \(count)")
    return ValueView(values?[index])
  }

  /// Returns the SQLite value, for SQLite's functions.
  func pointer(at index: Int) -> OpaquePointer? { view(at: index).value }

  private func invalidText(at index: Int) -> SQLiteError {
    SQLiteError(
      code: .mismatch, message: "argument \(index) of '\(function.name)' is text that is not valid UTF-8",
      origin: .invalidText)
  }
}
