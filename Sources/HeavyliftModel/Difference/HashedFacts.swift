/// The facts about a property that its entity's version hash includes: equal exactly if the hashed bytes are equal.
struct HashedFacts: Hashable {
  /// Bytes instead of strings, because strings with different encodings of a letter are equal.
  let text: [[UInt8]]
  let flags: [Bool]
  let numbers: [Int32]

  init(text: [String], flags: [Bool], numbers: [Int32]) {
    self.text = text.map { Array($0.utf8) }
    self.flags = flags
    self.numbers = numbers
  }

  /// Creates the facts of a composite attribute: only its elements are hashed.
  init(elements: AttributeHasher.Digest) {
    text = [Array(elements.bytes)]
    flags = []
    numbers = []
  }
}
