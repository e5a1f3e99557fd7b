/// The vectors that are not followed, each with the reason. None of them was seen to run on Apple's Foundation.
enum VectorDeviation {
  static let all: [Int: String] = [
    410: "brackets stand for themselves in LIKE; only Cappuccino reads them as a set of characters",
    462: "a variable within a key path is an extension of Cappuccino's",
    463: "a variable within a key path is an extension of Cappuccino's",
    681: "'NOT IN' between two sides is an extension of MIOCoreData's; the language has NOT (a IN b)",
    682: "'NOT IN' between two sides is an extension of MIOCoreData's; the language has NOT (a IN b)",
    684: "a text has no order against a number: Foundation raises, and only MIOCoreData gives false",
    946: "LIKE with nil on a side does not hold; only Realm takes nil for a pattern that matches nil",
    1114: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
    1117: "@avg of an empty collection is 0 in key-value coding, and nil only in Realm",
  ]
}
