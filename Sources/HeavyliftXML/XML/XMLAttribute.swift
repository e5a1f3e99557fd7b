import HeavyliftModel

/// An attribute of an element.
public struct XMLAttribute: Hashable, Sendable {
  public var name: String {
    didSet { written = nil }
  }
  /// The value: references replaced, white space made spaces as XML demands.
  public var value: String {
    didSet { written = nil }
  }
  public var nameLocation: SourceLocation?
  /// Where the value's first character stands, behind the quote.
  public var valueLocation: SourceLocation?
  /// The attribute as it stood in the file, white space before it and quotes included, where a writer would not
  /// write it so.
  public var written: String?

  /// Creates an attribute.
  public init(
    name: String, value: String, nameLocation: SourceLocation? = nil, valueLocation: SourceLocation? = nil,
    written: String? = nil
  ) {
    self.name = name
    self.value = value
    self.nameLocation = nameLocation
    self.valueLocation = valueLocation
    self.written = written
  }

  /// Where the value's characters stand in the file; nil for an attribute that was not read from one.
  ///
  /// `&quot;` is one character of the value and six of the file: a mistake inside an expression is found by its true
  /// column. Made in one walk over the value, however many places are asked for afterwards.
  public var valuePlaces: TextPlaces? {
    guard let valueLocation else { return nil }
    let source = writtenValue
    // Without references and line ends the characters stand side by side.
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

  /// The place in the file of a character of the value, counted in Unicode scalars from the value's start.
  ///
  /// An offset behind the end is the place of the closing quote. Whoever asks for many places asks `valuePlaces`.
  public func location(ofScalarAt offset: Int) -> SourceLocation? {
    valuePlaces?.location(ofScalarAt: min(max(offset, 0), value.unicodeScalars.count))
  }

  /// The place in the file of a character of the value.
  public func location(of index: String.Index) -> SourceLocation? {
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
