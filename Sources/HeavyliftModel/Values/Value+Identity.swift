extension Value {
  /// Whether both are stored by the same bytes.
  ///
  /// `==` asks what a person asks: a text that is composed of other code points but looks the same is equal, and so are
  /// the two zeros. A store keeps them apart, and so must whoever decides whether a value changed.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.double(let left), .double(let right)):
      left.bitPattern == right.bitPattern
    case (.composite(let left), .composite(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in right[name].map { value.isIdentical(to: $0) } ?? false }
    default: self == other
    }
  }
}
