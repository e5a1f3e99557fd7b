import Foundation

extension UInt8 {
  @inlinable package var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

/// Reads the XML form of a property list. Supports only the few elements that property lists need, and no XML feature
/// that could do harm.
///
/// A document type is skipped and never fetched, and its declarations are ignored: only the five predefined entities
/// and character references are supported.
struct XMLPropertyListReader {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private struct Frame {
    var isDictionary: Bool
    var elements: [PropertyList] = []
    var entries: [String: PropertyList] = [:]
    var key: String?
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(ArchiveMistake) -> PropertyList {
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
    var frames: [Frame] = []
    var isInPlist = false
    while true {
      try skipToTag()
      let tag = try tag()
      var value: PropertyList?
      switch tag.name {
      case "plist": isInPlist = true
      case "/plist": throw .damaged("it has no value")
      case _ where !isInPlist: throw .notAPropertyList
      case "dict", "array":
        if tag.isEmpty {
          value = tag.name == "dict" ? .dictionary([:]) : .array([])
        } else {
          guard frames.count < PropertyList.depthLimit else { throw .tooDeep(PropertyList.depthLimit) }
          frames.append(Frame(isDictionary: tag.name == "dict"))
        }
      case "/dict", "/array":
        guard let frame = frames.popLast(), frame.isDictionary == (tag.name == "/dict"), frame.key == nil else {
          throw .damaged("</\(tag.name.dropFirst())> closes an element that is not open")
        }
        value = frame.isDictionary ? try Self.dictionary(frame.entries) : .array(frame.elements)
      case "key":
        guard var frame = frames.popLast(), frame.isDictionary, frame.key == nil else {
          throw .damaged("there is a <key> where no key belongs")
        }
        frame.key = tag.isEmpty ? "" : try text(upTo: "key")
        frames.append(frame)
      default: value = try scalar(tag.name, isEmpty: tag.isEmpty)
      }
      guard let value else { continue }
      guard var frame = frames.popLast() else { return value }
      if frame.isDictionary {
        guard let key = frame.key else { throw .damaged("a value of a dictionary has no key") }
        frame.entries[key] = value
        frame.key = nil
      } else {
        frame.elements.append(value)
      }
      frames.append(frame)
    }
  }

  /// Reads a dictionary, or a reference, which the XML form writes as a dictionary.
  private static func dictionary(_ entries: [String: PropertyList]) throws(ArchiveMistake) -> PropertyList {
    guard entries.count == 1, case .integer(let number)? = entries["CF$UID"] else { return .dictionary(entries) }
    guard number >= 0 else { throw .damaged("it has a reference past the last object") }
    return .uid(Int(number))
  }

  private mutating func scalar(_ name: String, isEmpty: Bool) throws(ArchiveMistake) -> PropertyList {
    guard ["true", "false", "string", "integer", "real", "date", "data"].contains(name) else {
      throw .damaged("<\(name.prefix(32))> is not an element of a property list")
    }
    let text = isEmpty ? "" : try text(upTo: name)
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let value: PropertyList? =
      switch name {
      case "true": .boolean(true)
      case "false": .boolean(false)
      case "string": .string(text)
      case "integer": Self.integer(trimmed)
      case "real": Double(trimmed).map { .real($0) }
      case "date": Self.date(trimmed).map { .date($0) }
      default: Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map { .data($0) }
      }
    guard let value else { throw .damaged("the contents of an element <\(name)> do not match its type") }
    return value
  }

  private static func integer(_ text: String) -> PropertyList? {
    let digits = text.lowercased()
    if digits.hasPrefix("0x") { return Int64(digits.dropFirst(2), radix: 16).map { .integer($0) } }
    return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
  }

  /// Reads the only form of a date: 2001-01-01T00:00:00Z.
  private static func date(_ text: String) -> Date? {
    try? Date(text, strategy: Date.ISO8601FormatStyle())
  }

  // MARK: Tags and text

  private struct Tag {
    var name: String
    var isEmpty: Bool
  }

  /// Moves past white space, comments, processing instructions and a document type.
  private mutating func skipToTag() throws(ArchiveMistake) {
    while true {
      while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
      if accept("<!--") {
        try skip(past: "-->")
      } else if accept("<?") {
        try skip(past: "?>")
      } else if accept("<!") {
        try skipDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func skipDocumentType() throws(ArchiveMistake) {
    var isInSubset = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "["): isInSubset = true
      case UInt8(ascii: "]"): isInSubset = false
      case UInt8(ascii: ">") where !isInSubset: return
      default: break
      }
    }
    throw .truncated
  }

  private mutating func tag() throws(ArchiveMistake) -> Tag {
    guard position < bytes.count else { throw .truncated }
    guard accept("<") else { throw .damaged("there is text where an element belongs") }
    let start = position
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { throw .truncated }
    position = end + 1
    let isEmpty = end > start && bytes[end - 1] == UInt8(ascii: "/")
    let content = bytes[start..<(isEmpty ? end - 1 : end)]
    let name = content.prefix { !$0.isXMLSpace }
    guard !name.isEmpty else { throw .damaged("an element has no name") }
    return Tag(name: String(decoding: name, as: UTF8.self), isEmpty: isEmpty)
  }

  /// Returns the text of an element without children, and moves past its end tag.
  private mutating func text(upTo name: String) throws(ArchiveMistake) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      if accept("</") {
        let end = try closingName()
        guard end == name else { throw .damaged("<\(name)> is closed by </\(end.prefix(32))>") }
        guard let result = String(validating: text, as: UTF8.self) else { throw .damaged("it has invalid text") }
        return result
      } else if accept("<![CDATA[") {
        let start = position
        try skip(past: "]]>")
        text += bytes[start..<(position - 3)]
      } else if accept("<!--") {
        try skip(past: "-->")
      } else if bytes[position] == UInt8(ascii: "<") {
        throw .damaged("there is an element within <\(name)>")
      } else if accept("&") {
        text += try entity()
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    throw .truncated
  }

  private mutating func closingName() throws(ArchiveMistake) -> String {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { throw .truncated }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end].prefix { !$0.isXMLSpace }, as: UTF8.self)
  }

  private mutating func entity() throws(ArchiveMistake) -> [UInt8] {
    guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw .damaged("'&' does not begin an entity")
    }
    let name = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    if let text = known[name] { return Array(text.utf8) }
    let digits = name.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
      throw .damaged("the entity '\(name)' is not known")
    }
    return Array(String(scalar).utf8)
  }

  private mutating func accept(_ text: StaticString) -> Bool {
    let matches = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if matches { position += text.utf8CodeUnitCount }
    return matches
  }

  private mutating func skip(past text: StaticString) throws(ArchiveMistake) {
    while position < bytes.count {
      if accept(text) { return }
      position += 1
    }
    throw .truncated
  }
}
