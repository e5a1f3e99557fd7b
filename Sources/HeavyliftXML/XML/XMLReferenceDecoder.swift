/// Decodes the characters of text in a file one by one: references are resolved, line endings become line feeds, and
/// inside an attribute white space becomes spaces (XML 1.0 §2.11, §3.3.3).
struct XMLReferenceDecoder {
  /// An undeclared or malformed reference.
  struct UnknownReference: Error {
    var name: String
    /// The position of the reference's `&`.
    var position: Int
  }

  private let bytes: ArraySlice<UInt8>
  private let isAttribute: Bool
  /// The index of the next byte.
  private(set) var position: Int

  /// Starts at the first byte.
  init(_ bytes: ArraySlice<UInt8>, isAttribute: Bool) {
    self.bytes = bytes
    self.isAttribute = isAttribute
    position = bytes.startIndex
  }

  /// Decodes the whole text.
  static func decode(_ bytes: ArraySlice<UInt8>, isAttribute: Bool) throws(UnknownReference) -> String {
    let needsWork = bytes.contains { $0 == 0x26 || $0 == 0x0D || (isAttribute && ($0 == 0x09 || $0 == 0x0A)) }
    guard needsWork else { return String(decoding: bytes, as: UTF8.self) }
    var decoder = XMLReferenceDecoder(bytes, isAttribute: isAttribute)
    var text = String.UnicodeScalarView()
    while let scalar = try decoder.next() { text.append(scalar) }
    return String(text)
  }

  /// Returns the next character, or nil at the end.
  mutating func next() throws(UnknownReference) -> Unicode.Scalar? {
    guard position < bytes.endIndex else { return nil }
    switch bytes[position] {
    case 0x26: return try reference()
    case 0x0D:
      position += 1
      if position < bytes.endIndex, bytes[position] == 0x0A { position += 1 }
      return isAttribute ? " " : "\n"
    case 0x09 where isAttribute, 0x0A where isAttribute:
      position += 1
      return " "
    default:
      return plainScalar()
    }
  }

  private mutating func plainScalar() -> Unicode.Scalar {
    var end = position + 1
    while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end
    return text.unicodeScalars.first ?? "\u{FFFD}"
  }

  private mutating func reference() throws(UnknownReference) -> Unicode.Scalar {
    let start = position
    let end = bytes[start...].firstIndex(of: 0x3B) ?? bytes.endIndex
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard let scalar = Self.scalar(named: name) else { throw UnknownReference(name: name, position: start) }
    position = Swift.min(end + 1, bytes.endIndex)
    return scalar
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      return number.flatMap(Unicode.Scalar.init)
    }
  }
}
