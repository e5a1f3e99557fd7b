/// Text broken into lines at spaces, but never inside anything that a reader may copy.
///
/// A quoted name, a string literal or an XML tag is one word. A word longer than a line stays whole.
package struct WrappedText {
  package let lines: [String]

  package init(_ text: String, width: Int) {
    let isLong = width > 0 && text.terminalColumns > width
    self.init(words: isLong ? Self.words(of: text) : [text], firstWidth: width, width: width)
  }

  private init(words: some Sequence<String>, firstWidth: Int, width: Int) {
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in words {
      let wordColumns = word.terminalColumns
      if line.isEmpty {
        (line, columns) = (word, wordColumns)
      } else if columns + 1 + wordColumns <= (lines.isEmpty ? firstWidth : width) {
        line += " " + word
        columns += 1 + wordColumns
      } else {
        lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        (line, columns) = (word, wordColumns)
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    self.lines = lines
  }

  /// The parts between spaces that stay whole; empty ones between adjacent spaces. The first one includes the spaces
  /// before it.
  package static func words(of text: String) -> [String] {
    let scanner = WordScanner(characters: Array(text))
    let characters = scanner.characters
    var words: [String] = []
    var (start, position) = (0, characters.prefix { $0 == " " }.count)
    while position < characters.count {
      if characters[position] == " " {
        words.append(String(characters[start..<position]))
        position += 1
        start = position
      } else {
        position = scanner.end(ofUnitAt: position)
      }
    }
    words.append(String(characters[start...]))
    return joiningUnits(words)
  }

  /// Joins numbers and their units: `0.1 s`.
  private static func joiningUnits(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      let unit = word.prefix { $0.isLetter || $0 == "%" }
      if units.contains(unit), let number = joined.last, number.last?.isNumber == true {
        joined[joined.count - 1] = "\(number) \(word)"
      } else {
        joined.append(word)
      }
    }
  }

  private static let units: Set<Substring> = [
    "%", "s", "min", "h", "byte", "bytes", "kB", "MB", "GB", "TB", "PB", "EB",
  ]

  // MARK: Whole messages

  /// Wraps the lines that are too long. What continues a line is indented below its text.
  ///
  /// Source text with marks below it stays as it is.
  package static func fit(_ text: String, width: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.indices.map { index in
      let line = lines[index]
      let isMarked = index + 1 < lines.count && lines[index + 1].isLineOfMarks
      guard !isMarked, !line.isLineOfMarks, line.terminalColumns > width else { return line }
      return hanging(line, width: width)
    }.joined(separator: "\n")
  }

  private static func hanging(_ line: String, width: Int) -> String {
    let indentation = line.prefix { $0 == " " }.count
    let words = joiningPlace(words(of: line))
    // The text begins after the last gap, as in 'size    37 kB'.
    if let gap = words.lastIndex(of: "") {
      let label = words[...gap].map { "\($0) " }.joined()
      let column = label.terminalColumns
      if column <= width * 3 / 5, gap + 1 < words.count {
        let text = WrappedText(words: words[(gap + 1)...], firstWidth: width - column, width: width - column)
        return label + text.lines.joined(separator: "\n" + String(repeating: " ", count: column))
      }
    }
    let column = min(indentation + 4, max(indentation, width / 2))
    let text = WrappedText(words: words, firstWidth: width, width: width - column)
    return text.lines.joined(separator: "\n" + String(repeating: " ", count: column))
  }

  /// Joins the words of a diagnostic's place, whose path can contain spaces.
  private static func joiningPlace(_ words: [String]) -> [String] {
    let kinds = Diagnostic.Severity.allCases.map { "\($0.rawValue)[" }
    guard
      let kind = words.firstIndex(where: { word in word.hasSuffix(":") && kinds.contains { word.contains($0) } }),
      kind > 0, words[kind - 1].hasSuffix(":")
    else { return words }
    return [words[..<kind].joined(separator: " ")] + words[kind...]
  }
}

/// Finds the ends of quotations, string literals and tags.
private struct WordScanner {
  let characters: [Character]

  /// Returns the end of the character at a position, or of what starts with it and must stay whole.
  func end(ofUnitAt start: Int) -> Int {
    switch characters[start] {
    // An expression cannot go on after a string that does not end.
    case "\"": endOfString(at: start) ?? characters.count
    case "'" where opensQuotation(start): endOfQuotation(at: start) ?? start + 1
    case "<": endOfTag(at: start) ?? start + 1
    default: start + 1
    }
  }

  private func character(_ position: Int) -> Character? {
    characters.indices.contains(position) ? characters[position] : nil
  }

  /// False for the apostrophe of "the store's".
  private func opensQuotation(_ position: Int) -> Bool {
    guard let next = character(position + 1), next != " " else { return false }
    return character(position - 1).map { !$0.isLetter && !$0.isNumber } ?? true || endsColor(position - 1)
  }

  /// True for the last character of a control sequence that changes the color, such as `ESC[1m`.
  private func endsColor(_ position: Int) -> Bool {
    let start = characters[..<position].lastIndex { !$0.isNumber && $0 != ";" && $0 != "[" }
    return characters[position] == "m" && start.map { characters[$0] == "\u{1B}" } ?? false
  }

  private func closesQuotation(_ position: Int) -> Bool {
    character(position + 1).map { !$0.isLetter && !$0.isNumber && !"$@_<(".contains($0) } ?? true
  }

  private func endOfString(at start: Int) -> Int? {
    var position = start + 1
    while let character = character(position) {
      if character == "\"" { return position + 1 }
      position += character == "\\" ? 2 : 1
    }
    return nil
  }

  /// Returns `nil` if the quotation has no end. Code in it can contain quotation marks.
  private func endOfQuotation(at start: Int) -> Int? {
    if character(start + 2) == "'", closesQuotation(start + 2) { return start + 3 }
    var position = start + 1
    while let character = character(position) {
      switch character {
      case "'" where closesQuotation(position): return position + 1
      case "'" where opensQuotation(position): position = endOfQuotation(at: position) ?? position + 1
      case "\"": position = endOfString(at: position) ?? position + 1
      case "<": position = endOfTag(at: position) ?? position + 1
      case "\\": position += 2
      default: position += 1
      }
    }
    return nil
  }

  private func endOfTag(at start: Int) -> Int? {
    guard let first = character(start + 1), first.isLetter || "/!?".contains(first) else { return nil }
    var position = start + 1
    while let character = character(position) {
      switch character {
      case ">": return position + 1
      case "<": return nil
      case "\"":
        guard let end = endOfString(at: position) else { return nil }
        position = end
      default: position += 1
      }
    }
    return nil
  }
}

extension String {
  /// True for `  ^~~~`, which marks a part of the line above.
  fileprivate var isLineOfMarks: Bool { contains("^") && allSatisfy { " ^~".contains($0) } }
}
