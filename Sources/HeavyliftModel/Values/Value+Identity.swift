extension Value {
  /// Returns true if both are stored as the same bytes.
  ///
  /// `==` compares as a person would: strings of different code points that look the same are equal, and so are the two
  /// zeros. A store distinguishes them, and so must any code that decides whether a value changed.
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
