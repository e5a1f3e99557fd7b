import HeavyliftModel

/// Parses JSON (RFC 8259) and keeps the location of every value, which Foundation's parser does not.
struct JSONParser {
  /// The maximum nesting depth: more than any graph needs, but not enough to overflow the stack.
  private static let deepest = 64

  private let file: String?
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// A position in the line and the number of scalars before it, remembered because a file may be one long line.
  private var (counted, scalars) = (0, 0)
  private var depth = 0

  private init(_ text: String, file: String?) {
    self.file = file
    bytes = Array(text.utf8)
  }

  /// Parses a complete text.
  static func parse(_ text: String, file: String?) throws(Diagnostic) -> JSONNode {
    do {
      return try parseWhole(text, file: file)
    } catch {
      throw MergeConflicts(in: text.utf8)?.diagnostic(file: file) ?? error
    }
  }

  private static func parseWhole(_ text: String, file: String?) throws(Diagnostic) -> JSONNode {
    var parser = JSONParser(text, file: file)
    if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    let node = try parser.value()
    parser.skipWhiteSpace()
    guard parser.position == parser.bytes.count else {
      throw parser.mistake("unexpected text after the end of the file's value", "remove it")
    }
    return node
  }

  private mutating func value() throws(Diagnostic) -> JSONNode {
    skipWhiteSpace()
    let start = location
    guard position < bytes.count else { throw mistake("the file ends where a value is expected", "write the value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return JSONNode(kind: .object(try nested(Self.members)), location: start)
    case UInt8(ascii: "["): return JSONNode(kind: .array(try nested(Self.elements)), location: start)
    case UInt8(ascii: "\""): return JSONNode(kind: .string(try string()), location: start)
    case UInt8(ascii: "t"): return try word("true", .bool(true), start)
    case UInt8(ascii: "f"): return try word("false", .bool(false), start)
    case UInt8(ascii: "n"): return try word("null", .null, start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(kind: .number(try number()), location: start)
    default:
      throw mistake("a value is expected", "write a string in double quotes, a number, true, false, null, [ or {")
    }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONParser) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    guard depth < Self.deepest else {
      throw mistake("values are nested more than \(Self.deepest) levels deep", "reduce the nesting")
    }
    depth += 1
    position += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private static func members(_ parser: inout JSONParser) throws(Diagnostic) -> [JSONNode.Member] {
    try parser.members()
  }

  private static func elements(_ parser: inout JSONParser) throws(Diagnostic) -> [JSONNode] { try parser.elements() }

  private mutating func members() throws(Diagnostic) -> [JSONNode.Member] {
    let start = line
    var members: [JSONNode.Member] = []
    if take("}") { return members }
    repeat {
      skipWhiteSpace()
      let place = location
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw mistake(
          "a name in double quotes is expected",
          members.isEmpty
            ? "write the name, or '}' for an empty object" : "write the name, or remove the comma before it")
      }
      let name = try string()
      guard take(":") else { throw mistake("':' is expected after \(name.quotedName)", "write ':' and a value") }
      members.append(JSONNode.Member(name: name, nameLocation: place, value: try value()))
    } while take(",")
    guard take("}") else { throw unclosed("object", "}", fromLine: start) }
    return members
  }

  private mutating func elements() throws(Diagnostic) -> [JSONNode] {
    let start = line
    var elements: [JSONNode] = []
    if take("]") { return elements }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw unclosed("array", "]", fromLine: start) }
    return elements
  }

  private mutating func word(
    _ word: String, _ kind: JSONNode.Kind, _ start: DiagnosticLocation
  ) throws(Diagnostic) -> JSONNode {
    guard bytes[position...].starts(with: word.utf8) else {
      throw mistake("a value is expected", "did you mean '\(word)'?")
    }
    position += word.utf8.count
    return JSONNode(kind: kind, location: start)
  }

  private mutating func number() throws(Diagnostic) -> String {
    let start = position
    func isDigit(_ at: Int) -> Bool { at < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) }
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    guard isDigit(position) else { throw mistake("a digit is expected", "write the number") }
    if bytes[position] == UInt8(ascii: "0"), isDigit(position + 1) {
      throw mistake("a number begins with 0", "remove the 0")
    }
    while isDigit(position) { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard isDigit(position) else {
        throw mistake("a digit is expected after the decimal point", "write the digit, or remove the point")
      }
      while isDigit(position) { position += 1 }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) { position += 1 }
      guard isDigit(position) else {
        throw mistake("a digit is expected in the exponent", "write the digits, or remove the exponent")
      }
      while isDigit(position) { position += 1 }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(Diagnostic) -> String {
    let start = location
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try text.append(contentsOf: escape())
      case 0..<0x20: throw mistake("a string contains a control character", "write it as \\n, \\t or \\u00XX")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw Diagnostic(
      .error, code: "json.syntax", problem: "the file ends inside a string", remedy: "close it with a double quote",
      location: start)
  }

  private mutating func escape() throws(Diagnostic) -> [UInt8] {
    guard position + 1 < bytes.count else {
      throw mistake("the file ends inside a string", "close it with a double quote")
    }
    let letter = bytes[position + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return plain(letter)
    case UInt8(ascii: "b"): return plain(0x08)
    case UInt8(ascii: "f"): return plain(0x0C)
    case UInt8(ascii: "n"): return plain(0x0A)
    case UInt8(ascii: "r"): return plain(0x0D)
    case UInt8(ascii: "t"): return plain(0x09)
    case UInt8(ascii: "u"):
      var unit = try codeUnit()
      var scalar = UInt32(unit)
      if UTF16.isLeadSurrogate(unit), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      {
        let lead = unit
        unit = try codeUnit()
        guard UTF16.isTrailSurrogate(unit) else { throw loneSurrogate() }
        scalar = 0x10000 + (UInt32(lead) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(scalar) else { throw loneSurrogate() }
      return Array(String(Character(scalar)).utf8)
    default: throw mistake("a string contains an unknown escape", "write \\\\ for a backslash")
    }
  }

  private mutating func plain(_ byte: UInt8) -> [UInt8] {
    position += 2
    return [byte]
  }

  /// Reads the four digits after `\u`.
  private mutating func codeUnit() throws(Diagnostic) -> UInt16 {
    let digits = bytes[min(position + 2, bytes.count)..<min(position + 6, bytes.count)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw mistake("four hexadecimal digits are expected after \\u", "write four digits, such as \\u00e9") }
    position += 6
    return unit
  }

  private mutating func loneSurrogate() -> Diagnostic {
    mistake("a string contains half of a surrogate pair", "write both halves, or the character itself")
  }

  /// Skips white space and takes the character if it comes next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipWhiteSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x0A:
        line += 1
        (counted, scalars) = (position + 1, 0)
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      position += 1
    }
  }

  /// Columns are counted in Unicode scalars, as in all messages.
  private var location: DiagnosticLocation {
    mutating get {
      let end = min(position, bytes.count)
      scalars += bytes[counted..<end].count { $0 & 0xC0 != 0x80 }
      counted = end
      return DiagnosticLocation(file: file, line: line, column: scalars + 1)
    }
  }

  /// The mistake where an object or array neither continues nor ends.
  private mutating func unclosed(_ whole: String, _ end: String, fromLine line: Int) -> Diagnostic {
    guard position < bytes.count else {
      return mistake("the file ends inside the \(whole) that begins on line \(line)", "add the missing '\(end)'")
    }
    return mistake(
      "',' or '\(end)' is expected before this",
      "add the ',' if the \(whole) that begins on line \(line) continues here, or '\(end)' if it ends")
  }

  private mutating func mistake(_ problem: String, _ remedy: String) -> Diagnostic {
    Diagnostic(.error, code: "json.syntax", problem: problem, remedy: remedy, location: location)
  }
}
