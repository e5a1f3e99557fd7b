/// A word of the language, in whatever case it is written.
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

  /// Looks up a word; most words are keys, and longer ones than any keyword need no folding.
  init?(word: String) {
    guard word.utf8.count <= 15, let found = Self.byName[word.lowercased()] else { return nil }
    self = found
  }

  /// As messages and canonical texts spell it.
  var spelling: String { rawValue.uppercased() }

  /// Whether a key of this name cannot begin an expression without a `#`.
  ///
  /// `FIRST`, `LAST` and `SIZE` mean something in brackets alone, the others something only where an operator or an
  /// opening parenthesis stands; all of those are common names of attributes.
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

  /// Whether the word stands between two sides of a comparison.
  var isComparison: Bool {
    comparator != nil || self == .tokenmatches || self == .conformsToUTI || self == .equalsUTI
  }

  /// Whether the word is an operator that only a program can give a meaning.
  var isCustomComparison: Bool { isComparison && comparator == nil }

  /// Whether a function of this name can be called by it.
  var isCallable: Bool { !isReservedAsKey && self != .function && self != .ternary }
}
