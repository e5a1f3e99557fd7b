/// An `NSPredicate` from a keyed archive, as a tree.
package indirect enum ArchivedPredicate: Hashable, Sendable {
  /// The quantifier of a comparison whose left side is to-many, `ANY` or `ALL`; otherwise `direct`. The raw values are
  /// Foundation's.
  package enum Modifier: Int64, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2
  }

  /// A comparison operator. The raw values are Foundation's.
  package enum Operator: Int64, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case contains = 99
    case between = 100
  }

  /// String comparison options. The bits are Foundation's.
  package struct Options: OptionSet, Hashable, Sendable {
    package var rawValue: Int64

    /// Creates options from their bits.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    package static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)
  }

  case literal(Bool)
  case comparison(
    ArchivedExpression, Operator, ArchivedExpression, modifier: Modifier = .direct, options: Options = [])
  case not(ArchivedPredicate)
  case and([ArchivedPredicate])
  case or([ArchivedPredicate])
}
