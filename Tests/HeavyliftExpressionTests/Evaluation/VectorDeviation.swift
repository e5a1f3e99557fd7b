/// The vectors that are not followed, each with the reason; `Decisions.md` has the same list.
enum VectorDeviation {
  static let all = values.merging(texts) { reason, _ in reason }

  /// Vectors with a different value. None of them has been seen to run on Apple's Foundation.
  static let values: [Int: String] = [
    410: "brackets are literal in LIKE; only Cappuccino treats them as a set of characters",
    684: "a string cannot be ordered against a number: Foundation raises, and only MIOCoreData gives false",
    946: "LIKE with a nil operand does not hold; only Realm treats nil as a pattern that matches nil",
    1114: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
    1117: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
  ]

  /// Vectors for a text that is accepted, refused or printed differently.
  static let texts: [Int: String] = [
    346: "GNUstep prints '=', Foundation '=='",
    462: "a variable within a key path is a Cappuccino extension",
    463: "a variable within a key path is a Cappuccino extension",
    681: "'NOT IN' as an operator is a MIOCoreData extension; the language has NOT (a IN b)",
    682: "'NOT IN' as an operator is a MIOCoreData extension; the language has NOT (a IN b)",
    1253: "a Foundation bug: a top-level call name(args) fails for functions that a project adds",
  ]
}
