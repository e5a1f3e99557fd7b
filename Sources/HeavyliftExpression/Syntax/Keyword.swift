/// A keyword of the language; case does not matter.
enum Keyword: String, Hashable, Sendable, CaseIterable {
  case and, or, not
  case any, all
  case someOf = "some"
  case noneOf = "none"
  case `in`, between, contains, beginswith, endswith, like, matches, tokenmatches
  case conformsToUTI = "uti-conforms-to"
  case equalsUTI = "uti-equals"
  case union, intersect, minus
  case caseinsensitive, ci
  case null, `nil`, `self`, `true`, yes, `false`, no, anykey
  case first, last, size
  case truepredicate, falsepredicate
  case function, cast, ternary, subquery, fetch

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// Looks up a word. Most words are property keys; a word that is longer than any keyword needs no case folding.
  init?(word: String) {
    guard word.utf8.count <= 15, let found = Self.byName[word.lowercased()] else { return nil }
    self = found
  }

  /// The spelling in messages and canonical texts.
  var spelling: String { rawValue.uppercased() }

  /// True if a key with this name needs a `#` at the start of an expression.
  ///
  /// `FIRST`, `LAST` and `SIZE` are special only in brackets; the other words for which this is false are special only
  /// where an operator can appear or before an opening parenthesis. Such words are useful as attribute names.
  var isReservedAsKey: Bool {
    switch self {
    case .first, .last, .size, .union, .intersect, .minus, .tokenmatches, .function, .ternary: false
    default: true
    }
  }

  var quantifier: Quantifier? {
    switch self {
    case .any, .someOf, .noneOf: .any
    case .all: .all
    default: nil
    }
  }

  var comparator: PredicateOperator? {
    switch self {
    case .in: .in
    case .between: .between
    case .contains: .contains
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .like: .like
    case .matches: .matches
    default: nil
    }
  }

  var setOperator: SetOperator? {
    switch self {
    case .union: .union
    case .intersect: .intersect
    case .minus: .minus
    default: nil
    }
  }

  /// True for the operator of a comparison.
  var isComparison: Bool {
    comparator != nil || self == .tokenmatches || self == .conformsToUTI || self == .equalsUTI
  }

  /// True for an operator whose meaning only a program can define.
  var isCustomComparison: Bool { isComparison && comparator == nil }

  /// True if a function can have this name.
  var isCallable: Bool { !isReservedAsKey && self != .function && self != .ternary }
}
