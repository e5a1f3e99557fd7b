/// The facts about a property that its entity's version hash includes: equal if and only if the hashed bytes are equal.
struct HashedFacts: Hashable {
  /// Bytes instead of strings: Swift considers strings equal even if they encode a letter differently.
  let text: [[UInt8]]
  let flags: [Bool]
  let numbers: [Int32]

  init(text: [String], flags: [Bool], numbers: [Int32]) {
    self.text = text.map { Array($0.utf8) }
    self.flags = flags
    self.numbers = numbers
  }

  /// Creates the facts of a composite or derived attribute: only its elements or its expression are hashed.
  init(digest: AttributeHasher.Digest) {
    text = [digest.bytes]
    flags = []
    numbers = []
  }
}
