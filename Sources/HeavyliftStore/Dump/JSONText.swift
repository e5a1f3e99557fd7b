import HeavyliftModel

/// Pieces of JSON that are prepared once and written many times.
package enum JSONText {
  /// A member's name with what stands before and after it: `{"title":` or `,"title":`.
  static func member(_ name: String, isFirst: Bool) -> [UInt8] {
    [UInt8(ascii: isFirst ? "{" : ",")] + string(name) + [UInt8(ascii: ":")]
  }

  /// A string with its quotes, as text.
  package static func quoted(_ text: String) -> String { String(decoding: string(text), as: UTF8.self) }

  /// A value in the form that it has in a dump.
  package static func value(_ value: Value) -> String {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // Nothing is handed over, and so nothing can fail.
    try? writer.value(value)
    return String(decoding: writer.buffer, as: UTF8.self)
  }

  /// A string with its quotes.
  static func string(_ text: String) -> [UInt8] {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // Nothing is handed over, and so nothing can fail.
    try? writer.string(text)
    return writer.buffer
  }
}
