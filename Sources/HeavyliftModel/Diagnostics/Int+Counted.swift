extension BinaryInteger {
  /// The number in groups of three digits, separated by narrow no-break spaces: `1 000 000`.
  package var grouped: String {
    var digits = Array(String(magnitude))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert("\u{202F}", at: place) }
    return (self < 0 ? "-" : "") + String(digits)
  }
}

extension Int {
  /// The number with a noun: `1 row`, `2 000 rows`.
  package func counted(as noun: String) -> String { self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s" }
}
