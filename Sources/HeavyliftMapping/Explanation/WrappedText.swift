/// Text wrapped to a width, but never within a string literal.
///
/// A word longer than a line stays whole, so that you can copy expressions from the text.
struct WrappedText {
  let lines: [String]

  init(_ text: String, width: Int) {
    guard width > 0, text.count > width else {
      lines = [text]
      return
    }
    var lines: [String] = []
    var line = ""
    for word in Self.words(of: text) {
      if line.isEmpty {
        line = word
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = word
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    self.lines = lines
  }

  /// Returns the words between spaces; a string literal is part of one word.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var (isInString, isEscaped) = (false, false)
    for character in text {
      if character == " ", !isInString {
        words.append(word)
        word = ""
        continue
      }
      word.append(character)
      if character == "\"", !isEscaped { isInString.toggle() }
      isEscaped = isInString && character == "\\" && !isEscaped
    }
    words.append(word)
    return words
  }
}
