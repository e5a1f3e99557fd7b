import HeavyliftModel

/// Pieces of JSON that are prepared once and written many times.
package enum JSONText {
  /// A member's name with its punctuation: `{"title":` or `,"title":`.
  static func member(_ name: String, isFirst: Bool) -> [UInt8] {
    [UInt8(ascii: isFirst ? "{" : ",")] + string(name) + [UInt8(ascii: ":")]
  }

  /// A JSON string, including the quotes, as text.
  package static func quoted(_ text: String) -> String { String(decoding: string(text), as: UTF8.self) }

  /// A value as a dump writes it.
  package static func value(_ value: Value) -> String {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // The buffer is never flushed to the sink, so this cannot fail.
    try? writer.value(value)
    return String(decoding: writer.buffer, as: UTF8.self)
  }

  /// A JSON string, including the quotes.
  static func string(_ text: String) -> [UInt8] {
    var writer = JSONWriter(MemorySink(), capacity: .max >> 1, reserving: 0)
    // The buffer is never flushed to the sink, so this cannot fail.
    try? writer.string(text)
    return writer.buffer
  }
}
