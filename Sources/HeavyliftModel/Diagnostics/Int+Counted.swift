extension Int {
  /// The number with a noun: `1 row`, `2 rows`.
  package func counted(as noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
