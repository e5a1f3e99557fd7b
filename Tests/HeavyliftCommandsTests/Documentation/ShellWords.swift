/// Splits a shell line into words, with the syntax that the documentation uses: quotes, backslashes and comments.
struct ShellWords {
  private(set) var words: [String] = []

  init(_ line: String) {
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): word = (word ?? "") + (rest.popFirst().map(String.init) ?? "")
      case (quote, _) where quote != nil: quote = nil
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (" ", nil):
        if let word { words.append(word) }
        word = nil
      case ("#", nil) where word == nil: return
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
  }

  /// The arguments of `heavylift`, if the line runs it.
  var toolArguments: [String]? { arguments(of: "heavylift") }

  /// The arguments of a tool, if the line runs it.
  func arguments(of tool: String) -> [String]? {
    let line = words.starts(with: ["swift", "run"]) ? words.dropFirst(2) : words[...]
    return line.first == tool ? Array(line.dropFirst()) : nil
  }
}
