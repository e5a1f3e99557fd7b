import HeavyliftArchive
import HeavyliftModel

/// Builds the element tree of a text that libxml2 found to be well-formed, with the location of everything in it.
///
/// libxml2 decides whether the text is well-formed, but reports no columns, quotes or white space between attributes.
/// This scanner walks over the same bytes once. Anything unexpected is an error, never a guess: the two parsers must
/// agree.
struct XMLScanner {
  private let bytes: [UInt8]
  private let file: String?
  private var position: Int
  /// The line and column of `position`.
  private var cursor = XMLCursor()
  /// The open elements, the root first.
  private var open: [XMLElement] = []

  /// Starts at the beginning of the bytes; `start` is their line and column if they are part of a larger file.
  init(bytes: [UInt8], file: String?, at start: XMLCursor = XMLCursor()) {
    self.bytes = bytes
    self.file = file
    position = bytes.byteOrderMarkLength
    cursor = start
  }

  /// Reads the text before or after a root element; returns its nodes, and the location of a document type.
  mutating func surroundings() throws(DiagnosticList) -> (nodes: [XMLNode], documentType: DiagnosticLocation?) {
    var nodes: [XMLNode] = []
    var documentType: DiagnosticLocation?
    while position < bytes.count {
      let start = place
      if let node = try markupOrText() { nodes.append(node) } else { documentType = start }
    }
    return (nodes, documentType)
  }

  mutating func document() throws(DiagnosticList) -> XMLDocument {
    while !isElementStart {
      guard position < bytes.count else { throw unexpected() }
      _ = try markupOrText()
    }
    let start = position
    let root = try rootElement()
    let end = position
    return XMLDocument(
      root: root, prologue: String(decoding: bytes[..<start], as: UTF8.self),
      epilogue: String(decoding: bytes[end...], as: UTF8.self))
  }

  private mutating func rootElement() throws(DiagnosticList) -> XMLElement {
    while true {
      if isElementStart {
        if let element = try startTag() {
          guard !open.isEmpty else { return element }
          append(.element(element))
        }
      } else if starts(with: "</") {
        let element = try endTag()
        guard !open.isEmpty else { return element }
        append(.element(element))
      } else if position < bytes.count {
        if let node = try markupOrText() { append(node) }
      } else {
        throw unexpected()
      }
    }
  }

  private mutating func append(_ node: XMLNode) { open[open.count - 1].children.append(node) }

  /// Reads a start tag and opens its element, or returns the element if the tag also ends it.
  private mutating func startTag() throws(DiagnosticList) -> XMLElement? {
    let location = place
    advance(to: position + 1)
    var element = XMLElement(name(), location: location)
    while true {
      let before = position
      skipSpace()
      guard let byte = current else { throw unexpected() }
      guard byte != 0x3E, byte != 0x2F else {
        let isEmpty = byte == 0x2F
        advance(to: position + (isEmpty ? 2 : 1))
        let written = text(before..<position)
        if isEmpty {
          if written != "/>" { element.startTagEnd = written }
          return element
        }
        // Keeps `<a></a>` distinct from `<a/>`.
        if written != ">" || starts(with: "</") { element.startTagEnd = written }
        open.append(element)
        return nil
      }
      element.attributes.append(try attribute(writtenFrom: before))
    }
  }

  private mutating func attribute(writtenFrom start: Int) throws(DiagnosticList) -> XMLAttribute {
    let nameLocation = place
    let name = name()
    skipSpace()
    guard !name.isEmpty, current == 0x3D else { throw unexpected() }
    advance(to: position + 1)
    skipSpace()
    guard let quote = current, quote == 0x22 || quote == 0x27 else { throw unexpected() }
    advance(to: position + 1)
    let (valueStart, valueLocation) = (position, place)
    guard let end = bytes.firstIndex(of: quote, from: position) else { throw unexpected() }
    let isPlain = isPlain(valueStart..<end, isAttribute: true)
    let value = isPlain ? text(valueStart..<end) : try decode(valueStart..<end, isAttribute: true)
    advance(to: end + 1)
    let hasUsualForm =
      bytes[start] == 0x20 && quote == 0x22 && valueStart == start + name.utf8.count + 3
      && (isPlain || text(valueStart..<end) == XMLText.escapeAttribute(value))
    return XMLAttribute(
      name: name, value: value, nameLocation: nameLocation, valueLocation: valueLocation,
      written: hasUsualForm ? nil : text(start..<position))
  }

  private mutating func endTag() throws(DiagnosticList) -> XMLElement {
    guard var element = open.popLast() else { throw unexpected() }
    let start = position
    try advance(behind: ">")
    let written = text(start..<position)
    if written != "</\(element.name)>" { element.endTag = written }
    return element
  }

  /// Reads anything that is not a tag; returns nil for a document type.
  private mutating func markupOrText() throws(DiagnosticList) -> XMLNode? {
    let (start, location) = (position, place)
    guard current == 0x3C else { return .text(try plainText()) }
    if starts(with: "<!--") {
      try advance(behind: "-->", from: 4)
      return .comment(node(start, trimming: (4, 3), location))
    }
    if starts(with: "<![CDATA[") {
      try advance(behind: "]]>", from: 9)
      return .text(node(start, trimming: (9, 3), location, keepsForm: true))
    }
    if starts(with: "<?") {
      try advance(behind: "?>", from: 2)
      return .processingInstruction(node(start, trimming: (2, 2), location))
    }
    if starts(with: "<!") {
      try skipDocumentType()
      return nil
    }
    throw unexpected()
  }

  private mutating func plainText() throws(DiagnosticList) -> XMLText {
    let (start, location) = (position, place)
    advance(to: bytes.firstIndex(of: 0x3C, from: position) ?? bytes.count)
    let written = text(start..<position)
    if isPlain(start..<position, isAttribute: false) { return XMLText(written, location: location) }
    let value = try decode(start..<position, isAttribute: false)
    return XMLText(value, written: written == XMLText.escape(value) ? nil : written, location: location)
  }

  private func node(
    _ start: Int, trimming: (Int, Int), _ location: DiagnosticLocation, keepsForm: Bool = false
  ) -> XMLText {
    let written = text(start..<position)
    let inner = text((start + trimming.0)..<(position - trimming.1))
    let value = inner.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return XMLText(value, written: keepsForm || value != inner ? written : nil, location: location)
  }

  /// Skips a document type. It contains no declarations: `XMLWellFormedness` rejects document types that do.
  private mutating func skipDocumentType() throws(DiagnosticList) {
    while let byte = current, byte != 0x3E {
      if byte == 0x22 || byte == 0x27 {
        guard let end = bytes.firstIndex(of: byte, from: position + 1) else { throw unexpected() }
        advance(to: end + 1)
      } else {
        advance(to: position + 1)
      }
    }
    advance(to: position + 1)
  }

  private func decode(_ range: Range<Int>, isAttribute: Bool) throws(DiagnosticList) -> String {
    do {
      return try XMLReferenceDecoder.decode(bytes[range], isAttribute: isAttribute)
    } catch {
      // libxml2 accepts the entity if the document type names a file that might declare it; that file is never
      // fetched.
      let cursor = XMLCursor(of: error.position, in: bytes)
      throw DiagnosticList([
        Diagnostic(
          .error, code: "xml.unknown-entity", problem: "entity '&\(error.name);' is not declared",
          remedy: "write the text itself, or '&amp;' for '&'",
          location: DiagnosticLocation(file: file, line: cursor.line, column: cursor.column))
      ])
    }
  }
}

extension XMLScanner {
  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var place: DiagnosticLocation { DiagnosticLocation(file: file, line: cursor.line, column: cursor.column) }

  private var isElementStart: Bool {
    guard current == 0x3C, position + 1 < bytes.count else { return false }
    return ![0x21, 0x2F, 0x3F].contains(bytes[position + 1])
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// True if nothing in the text has to be decoded or, in its usual form, escaped.
  private func isPlain(_ range: Range<Int>, isAttribute: Bool) -> Bool {
    bytes[range].withUnsafeBufferPointer { bytes in
      !bytes.contains { byte in
        switch byte {
        case 0x26, 0x3C, 0x3E, 0x0D: true
        case 0x09, 0x0A, 0x22: isAttribute
        default: false
        }
      }
    }
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func advance(to end: Int) {
    let end = min(end, bytes.count)
    cursor.advance(over: bytes, from: position, to: end)
    position = end
  }

  /// Moves past the next occurrence of the text.
  private mutating func advance(behind text: StaticString, from offset: Int = 0) throws(DiagnosticList) {
    let end = text.withUTF8Buffer { wanted -> Int? in
      var index = position + offset
      while index + wanted.count <= bytes.count {
        if bytes[index...].starts(with: wanted) { return index + wanted.count }
        index += 1
      }
      return nil
    }
    guard let end else { throw unexpected() }
    advance(to: end)
  }

  private mutating func skipSpace() {
    while let byte = current, byte.isXMLSpace { advance(to: position + 1) }
  }

  private mutating func name() -> String {
    let start = position
    let end =
      bytes[position...].firstIndex { $0.isXMLSpace || $0 == 0x2F || $0 == 0x3D || $0 == 0x3E } ?? bytes.count
    advance(to: end)
    return text(start..<position)
  }

  private func unexpected() -> DiagnosticList {
    DiagnosticList([
      Diagnostic(
        .error, code: "xml.unexpected", problem: "this text is not allowed here in XML",
        remedy: "write the file as plain, well-formed XML", location: place)
    ])
  }
}
