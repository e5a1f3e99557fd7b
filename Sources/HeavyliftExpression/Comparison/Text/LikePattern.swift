/// The compiled pattern of `LIKE`: `*` matches any run of characters, `?` matches one character, and `\` escapes
/// either.
///
/// Nothing else is special: brackets, percent signs and underscores are literal, and a newline is a character like any
/// other. A character is a grapheme: a letter with its accents, composed or not. The running time is at most
/// proportional to the product of the two lengths, because only the last run is ever extended.
struct LikePattern: Sendable {
  private enum Element: Hashable, Sendable {
    case run
    case anyCharacter
    case character(Character)
  }

  private let elements: [Element]
  /// The pattern as bytes, to match ASCII strings; nil if the pattern is not pure ASCII.
  private let bytes: [ByteElement]?
  private let folding: Folding

  private enum ByteElement: Sendable {
    case run
    case anyByte
    case byte(UInt8)
  }

  init(_ pattern: String, options: ComparisonOptions) {
    folding = Folding(options)
    var elements: [Element] = []
    var isEscaped = false
    func append(_ character: Character, _ folding: Folding) {
      for folded in folding.fold(String(character)) { elements.append(.character(folded)) }
    }
    for character in pattern {
      if isEscaped {
        append(character, folding)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "*" {
        if elements.last != .run { elements.append(.run) }
      } else if character == "?" {
        elements.append(.anyCharacter)
      } else {
        append(character, folding)
      }
    }
    // A trailing backslash has nothing to escape and is literal.
    if isEscaped { append("\\", folding) }
    self.elements = elements
    var bytes: [ByteElement] = []
    for element in elements {
      switch element {
      case .run: bytes.append(.run)
      case .anyCharacter: bytes.append(.anyByte)
      case .character(let character): bytes += character.utf8.map(ByteElement.byte)
      }
    }
    let isASCII = elements.allSatisfy { element in
      if case .character(let character) = element { character.isASCII && character != "\r\n" } else { true }
    }
    self.bytes = isASCII ? bytes : nil
  }

  func matches(_ text: String) -> Bool {
    if let bytes, let matched = matchASCII(text, bytes) { return matched }
    return matchCharacters(text)
  }

  private func matchASCII(_ text: String, _ pattern: [ByteElement]) -> Bool? {
    let folds = !folding.isIdentity && folding.fold("A") == "a"
    let result: Bool?? = text.utf8.withContiguousStorageIfAvailable { text in
      // A CR LF pair is one character, so strings with a CR are matched character by character.
      if !text.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) { return nil }
      return match(
        count: text.count, pattern: pattern.count, isRun: { if case .run = pattern[$0] { true } else { false } },
        step: { place, element in
          switch pattern[element] {
          case .run: return nil
          case .anyByte: return place + 1
          case .byte(let byte):
            let found = text[place]
            return byte == (folds && found &- 0x41 < 26 ? found | 0x20 : found) ? place + 1 : nil
          }
        })
    }
    return result ?? nil
  }

  private func matchCharacters(_ text: String) -> Bool {
    // Folding can turn one character into several; `?` matches all of them.
    var units: [Character] = []
    var ends: [Int] = []
    for character in text {
      if folding.isIdentity {
        units.append(character)
        ends.append(units.count)
      } else {
        let folded = Array(folding.fold(String(character)))
        units += folded
        for place in folded.indices { ends.append(place == 0 ? units.count : -1) }
      }
    }
    return match(
      count: units.count, pattern: elements.count, isRun: { elements[$0] == .run },
      step: { place, element in
        switch elements[element] {
        case .run: nil
        // `?` never matches from the middle of the folded form of a character.
        case .anyCharacter: ends[place] < 0 ? nil : ends[place]
        case .character(let wanted): units[place] == wanted ? place + 1 : nil
        }
      })
  }
}

/// Matches from the left, and extends the last run on failure. Earlier runs never need to be extended, because the text
/// after them was found at the first possible place.
private func match(
  count: Int, pattern: Int, isRun: (Int) -> Bool, step: (_ place: Int, _ element: Int) -> Int?
) -> Bool {
  var (place, element) = (0, 0)
  var retry: (place: Int, element: Int)?
  while place < count {
    if element < pattern, isRun(element) {
      retry = (place, element + 1)
      element += 1
    } else if element < pattern, let next = step(place, element) {
      place = next
      element += 1
    } else if let last = retry {
      retry = (last.place + 1, last.element)
      (place, element) = (last.place + 1, last.element)
    } else {
      return false
    }
  }
  while element < pattern, isRun(element) { element += 1 }
  return element == pattern
}
