extension String {
  /// The name in quotes as messages show it: shortened, with control characters escaped.
  ///
  /// A name from a damaged or hostile file must not flood a terminal or send it control sequences.
  package var quotedName: String { quoted(limit: 80) }

  fileprivate func quoted(limit: Int) -> String {
    if utf8.count <= limit, isPlainASCII { return "'" + self + "'" }
    var shown = ""
    for scalar in unicodeScalars.prefix(limit) {
      if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.count > limit ? "'\(shown)…'" : "'\(shown)'"
  }
}

extension String {
  /// True for ASCII without control characters, the fast path for nearly every name.
  package var isPlainASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Sequence<String> {
  /// The names in words, such as "'a', 'b' and 'c'"; after twelve names, only the number of the remaining ones.
  package var quotedList: String { quotedList(limit: 80) }

  /// Paths in words; they are not shortened, because their ends tell files apart.
  package var quotedPaths: String { quotedList(limit: 4096) }

  private func quotedList(limit: Int) -> String {
    let shown = prefix(12).map { $0.quoted(limit: limit) }
    let hidden = Array(self).count - shown.count
    if hidden > 0 { return "\(shown.joined(separator: ", ")) and \(hidden) more" }
    guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
    return "\(shown.dropLast().joined(separator: ", ")) and \(last)"
  }
}
