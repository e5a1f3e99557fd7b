/// The vectors that are not followed, each with the reason; `Decisions.md` has the same list.
enum VectorDeviation {
  static let all = values.merging(texts) { reason, _ in reason }

  /// Vectors with a different value. None of them was seen to run on Apple's Foundation.
  static let values: [Int: String] = [
    410: "brackets are literal in LIKE; only Cappuccino reads them as a set of characters",
    684: "a string has no order relative to a number: Foundation raises, and only MIOCoreData gives false",
    946: "LIKE with nil on a side does not hold; only Realm takes nil for a pattern that matches nil",
    1114: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
    1117: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
  ]

  /// Vectors for a text that is accepted, refused or printed differently.
  static let texts: [Int: String] = [
    346: "GNUstep prints '=', Foundation '=='",
    462: "a variable within a key path is an extension of Cappuccino's",
    463: "a variable within a key path is an extension of Cappuccino's",
    681: "'NOT IN' between two sides is an extension of MIOCoreData's; the language has NOT (a IN b)",
    682: "'NOT IN' between two sides is an extension of MIOCoreData's; the language has NOT (a IN b)",
    1253: "a bug of Foundation: a call name(args) at the top level fails for functions that a project adds",
  ]
}
