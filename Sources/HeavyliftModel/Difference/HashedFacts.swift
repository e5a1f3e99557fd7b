/// What of a property goes into its entity's version hash: equal exactly where the hashed bytes are.
struct HashedFacts: Hashable {
  /// Bytes and not strings, for which two spellings of one letter are equal.
  let text: [[UInt8]]
  let flags: [Bool]
  let numbers: [Int32]

  init(text: [String], flags: [Bool], numbers: [Int32]) {
    self.text = text.map { Array($0.utf8) }
    self.flags = flags
    self.numbers = numbers
  }

  /// What the version hash has of a composite attribute: the elements, and nothing of its own.
  init(elements: AttributeHasher.Digest) {
    text = [Array(elements.bytes)]
    flags = []
    numbers = []
  }
}
