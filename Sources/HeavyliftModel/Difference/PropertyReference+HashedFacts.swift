extension PropertyReference {
  /// Whether both go into their entities' version hashes with the same facts.
  package func hasSameVersionHash(as other: PropertyReference) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)): one.hashedFacts == two.hashedFacts
    case (.relationship(let one), .relationship(let two)): one.hashedFacts == two.hashedFacts
    case (.fetched, .fetched): true
    default: false
    }
  }
}
