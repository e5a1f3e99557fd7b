/// A text in lines of a width: broken at spaces, and where there is none, wherever it must be.
struct WrappedText {
  let lines: [String]

  init(_ text: String, width: Int) {
    guard width > 0, text.count > width else {
      lines = [text]
      return
    }
    var lines: [String] = []
    var line: [Character] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var rest = Array(word)
      if !line.isEmpty, line.count + 1 + rest.count <= width {
        line.append(" ")
        line += rest
        continue
      }
      if !line.isEmpty { lines.append(String(line)) }
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest.removeFirst(width)
      }
      line = rest
    }
    if !line.isEmpty || lines.isEmpty { lines.append(String(line)) }
    self.lines = lines
  }
}
