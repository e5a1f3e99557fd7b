import HeavyliftModel

/// An attribute of an element.
package struct XMLAttribute: Hashable, Sendable {
  package var name: String {
    didSet { written = nil }
  }
  /// The value, with references resolved and white space normalized to spaces, as XML requires.
  package var value: String {
    didSet { written = nil }
  }
  package var nameLocation: DiagnosticLocation?
  /// The location of the value's first character, after the quote.
  package var valueLocation: DiagnosticLocation?
  /// The attribute's source text, including quotes and the white space before it; nil if a writer would produce
  /// the same text.
  package var written: String?

  /// Creates an attribute.
  package init(
    name: String, value: String, nameLocation: DiagnosticLocation? = nil, valueLocation: DiagnosticLocation? = nil,
    written: String? = nil
  ) {
    self.name = name
    self.value = value
    self.nameLocation = nameLocation
    self.valueLocation = valueLocation
    self.written = written
  }

  /// The locations of the value's characters in the file; nil for an attribute that was not read from a file.
  ///
  /// `&quot;` is one character of the value but six in the file; this maps a mistake inside an expression to its true
  /// column. One pass over the value serves any number of lookups.
  package var valuePlaces: TextPlaces? {
    guard let valueLocation else { return nil }
    let source = writtenValue
    // Without references and line breaks, the characters are contiguous.
    if source.elementsEqual(value.utf8) { return TextPlaces(start: valueLocation) }
    var jumps: [TextPlaces.Jump] = []
    var cursor = XMLCursor(line: valueLocation.line, column: valueLocation.column)
    var expected = cursor
    var decoder = XMLReferenceDecoder(source[...], isAttribute: true)
    var offset = 0
    while true {
      if cursor != expected { jumps.append(TextPlaces.Jump(offset: offset, line: cursor.line, column: cursor.column)) }
      let start = decoder.position
      guard (try? decoder.next()).flatMap({ $0 }) != nil else { break }
      expected = XMLCursor(line: cursor.line, column: cursor.column + 1)
      cursor.advance(over: source, from: start, to: decoder.position)
      offset += 1
    }
    return TextPlaces(start: valueLocation, jumps: jumps)
  }

  /// Returns the location of the Unicode scalar at an offset in the value.
  ///
  /// An offset past the end yields the location of the closing quote. For many lookups, use `valuePlaces`.
  package func location(ofScalarAt offset: Int) -> DiagnosticLocation? {
    valuePlaces?.location(ofScalarAt: min(max(offset, 0), value.unicodeScalars.count))
  }

  /// Returns the location of a character of the value.
  package func location(of index: String.Index) -> DiagnosticLocation? {
    location(ofScalarAt: value.unicodeScalars.distance(from: value.startIndex, to: index))
  }

  /// The bytes between the quotes.
  private var writtenValue: [UInt8] {
    let text = Array((written ?? XMLText.attribute(name: name, value: value)).utf8)
    guard let open = text.firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
      let close = text.lastIndex(of: text[open]), open < close
    else { return Array(value.utf8) }
    return Array(text[(open + 1)..<close])
  }
}
