import HeavyliftModel

extension String {
  /// The text for the terminal, on one line and with control characters escaped: names come from files that anyone may
  /// have written.
  var shown: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      case .format where scalar.properties.isBidiControl:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text for the terminal, with control characters escaped except line breaks, as for a diagnostic.
  var shownLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).shown }.joined(separator: "\n")
  }
}

extension BinaryInteger {
  /// The number with a noun: `1 object`, `2 objects`.
  func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? noun : plural ?? "\(noun)s")"
  }
}
