/// Changes XML so that it mostly stays XML: elements, attributes and values are moved, repeated and removed.
///
/// One mutation in three is libFuzzer's own, for everything that is not well-formed.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateMarkup(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var random = FuzzRandom(seed: seed)
  if Int.random(in: 0..<3, using: &random) == 0 { return mutateBytes(data, count, capacity) }
  var markup = Markup(Array(UnsafeBufferPointer(start: data, count: count)))
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    if !markup.mutate(&random) { return mutateBytes(data, count, capacity) }
  }
  return store(markup.bytes, in: data, capacity)
}

/// The bytes of an XML file, divided into its parts.
private struct Markup {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns `false` if the file has no part of the kind that was to be changed.
  mutating func mutate(_ random: inout FuzzRandom) -> Bool {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      // An element disappears.
      guard let element = elements().randomElement(using: &random) else { return false }
      bytes.removeSubrange(element)
    case 1:
      // An element is repeated, right after itself or after another.
      let found = elements()
      guard let element = found.randomElement(using: &random), let place = found.randomElement(using: &random) else {
        return false
      }
      bytes.insert(contentsOf: Array(bytes[element]), at: place.upperBound)
    case 2:
      // An attribute disappears.
      guard let attribute = attributes().randomElement(using: &random) else { return false }
      bytes.removeSubrange(attribute.whole)
    case 3:
      // An attribute is repeated in another element.
      let found = attributes()
      guard let attribute = found.randomElement(using: &random), let place = found.randomElement(using: &random) else {
        return false
      }
      bytes.insert(contentsOf: Array(bytes[attribute.whole]), at: place.whole.lowerBound)
    case 4:
      // A value takes the place of another.
      let found = attributes()
      guard let value = found.randomElement(using: &random), let place = found.randomElement(using: &random) else {
        return false
      }
      bytes.replaceSubrange(place.value, with: Array(bytes[value.value]))
    case 5:
      guard let place = attributes().randomElement(using: &random),
        let value = Self.values.randomElement(using: &random)
      else { return false }
      bytes.replaceSubrange(place.value, with: Array(value.utf8))
    default:
      // A value gains or loses a character.
      guard let place = attributes().randomElement(using: &random)?.value else { return false }
      if !place.isEmpty, Bool.random(using: &random) {
        bytes.remove(at: Int.random(in: place, using: &random))
      } else if let character = Self.characters.randomElement(using: &random) {
        bytes.insert(
          contentsOf: Array(character.utf8), at: Int.random(in: place.lowerBound...place.upperBound, using: &random))
      }
    }
    return true
  }

  private static let values = [
    "", "0", "1", "-1", "2", "YES", "NO", "nil", "1e400", "-0", "nan", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "4294967296", "0.1", "Integer 64", "Decimal", "Date", "Transformable", "Composite", "URI",
    "UUID", "$source", "$source.title", "$manager", "TRUEPREDICATE", "1 + 1", "a.b.c", "Music 1", "Track", "Artist",
    "x y", "&#10;", "&#x1F600;", "&#xFFFF;", "e\u{301}", "\u{FEFF}", "&lt;&gt;&amp;&quot;&apos;", "%@", "custom",
    "remove",
  ]

  private static let characters = [
    " ", "\t", "\n", "\r\n", "&#13;", "&#x85;", "&lt;", "'", "(", ")", "%", "$", "@", ".", ",", ":", "/", "-", "0", "9",
    "\u{301}", "é", "\u{2028}", "😀", "&#0;", "\\",
  ]

  /// Elements, each with its children, as far as tags match.
  private func elements() -> [Range<Int>] {
    var found: [Range<Int>] = []
    var open: [Int] = []
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    {
      index = end + 1
      switch bytes[start + 1] {
      case UInt8(ascii: "/"): if let opening = open.popLast() { found.append(opening..<index) }
      case UInt8(ascii: "?"), UInt8(ascii: "!"): break
      default: if bytes[end - 1] == UInt8(ascii: "/") { found.append(start..<index) } else { open.append(start) }
      }
    }
    return found
  }

  private struct Attribute {
    /// Includes the white space before its name and the quotes around its value.
    var whole: Range<Int>
    var value: Range<Int>
  }

  private func attributes() -> [Attribute] {
    var found: [Attribute] = []
    var index = 0
    while let equals = bytes[index...].firstIndex(of: UInt8(ascii: "=")), equals + 1 < bytes.count {
      index = equals + 1
      let quote = bytes[index]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = bytes[(index + 1)...].firstIndex(of: quote),
        let blank = bytes[..<equals].lastIndex(where: { $0 <= 0x20 })
      else { continue }
      found.append(Attribute(whole: blank..<(end + 1), value: (index + 1)..<end))
      index = end + 1
    }
    return found
  }
}
