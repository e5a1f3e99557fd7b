import HeavyliftModel

/// A text value of one of Xcode's editing objects, with the location of each character.
struct XcodeText {
  let value: String
  let places: TextPlaces

  /// Reads the text between an element's tags.
  init(of element: XMLElement, file: String?) {
    let start = element.location ?? DiagnosticLocation(file: file, line: 1, column: 1)
    var characters = Characters()
    for case .text(let text) in element.children { characters.append(text) }
    characters.replaceEscapes()
    value = characters.text
    places = characters.places ?? TextPlaces(start: start)
  }
}

/// Characters with their locations.
private struct Characters {
  private var scalars: [(scalar: Unicode.Scalar, place: DiagnosticLocation)] = []

  mutating func append(_ text: XMLText) {
    guard let start = text.location else { return }
    let isCharacterData = text.written?.hasPrefix("<![CDATA[") == true
    let written = Array((isCharacterData ? text.value : text.written ?? XMLText.escape(text.value)).utf8)
    var cursor = XMLCursor(line: start.line, column: start.column + (isCharacterData ? 9 : 0))
    guard !isCharacterData else {
      return append(text.value.unicodeScalars, from: &cursor, file: start.file)
    }
    var decoder = XMLReferenceDecoder(written[...], isAttribute: false)
    var position = 0
    while let scalar = (try? decoder.next()).flatMap({ $0 }) {
      scalars.append((scalar, DiagnosticLocation(file: start.file, line: cursor.line, column: cursor.column)))
      cursor.advance(over: written, from: position, to: decoder.position)
      position = decoder.position
    }
  }

  private mutating func append(_ text: String.UnicodeScalarView, from cursor: inout XMLCursor, file: String?) {
    for scalar in text {
      scalars.append((scalar, DiagnosticLocation(file: file, line: cursor.line, column: cursor.column)))
      let bytes = Array(String(scalar).utf8)
      cursor.advance(over: bytes, from: 0, to: bytes.count)
    }
  }

  /// Replaces `\u3c00` with `<`: an XML store escapes special characters as numbers with swapped bytes.
  mutating func replaceEscapes() {
    guard scalars.contains(where: { $0.scalar == "\\" }) else { return }
    var result: [(scalar: Unicode.Scalar, place: DiagnosticLocation)] = []
    var index = 0
    while index < scalars.count {
      let (scalar, length) = replaced(at: index)
      result.append((scalar, scalars[index].place))
      index += length
    }
    scalars = result
  }

  /// Returns the character at an index, and the number of characters that represent it in the source text.
  private func replaced(at index: Int) -> (Unicode.Scalar, Int) {
    guard let unit = escape(at: index) else { return (scalars[index].scalar, 1) }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard UTF16.isLeadSurrogate(unit), let trail = escape(at: index + 6), UTF16.isTrailSurrogate(trail),
      case .scalarValue(let scalar) = Self.decode(unit, trail)
    else { return (scalars[index].scalar, 1) }
    return (scalar, 12)
  }

  private static func decode(_ lead: UInt16, _ trail: UInt16) -> UnicodeDecodingResult {
    var codec = UTF16()
    var units = [lead, trail].makeIterator()
    return codec.decode(&units)
  }

  /// Returns the UTF-16 code unit of `\uXXXX`.
  private func escape(at index: Int) -> UInt16? {
    guard index + 6 <= scalars.count, scalars[index].scalar == "\\", scalars[index + 1].scalar == "u" else {
      return nil
    }
    var unit: UInt16 = 0
    for place in (index + 2)..<(index + 6) {
      guard let digit = Character(scalars[place].scalar).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit.byteSwapped
  }

  var text: String {
    var view = String.UnicodeScalarView()
    for (scalar, _) in scalars { view.append(scalar) }
    return String(view)
  }

  /// The locations; nil for an empty text.
  var places: TextPlaces? {
    guard let first = scalars.first?.place else { return nil }
    var jumps: [TextPlaces.Jump] = []
    for (offset, pair) in zip(scalars, scalars.dropFirst()).enumerated() {
      let (before, after) = (pair.0.place, pair.1.place)
      if after.line != before.line || after.column != before.column + 1 {
        jumps.append(TextPlaces.Jump(offset: offset + 1, line: after.line, column: after.column))
      }
    }
    return TextPlaces(start: first, jumps: jumps)
  }
}
