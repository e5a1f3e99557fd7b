/// A comparison operator.
package enum PredicateOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case `in` = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
}

/// The elements of a collection that must match.
package enum Quantifier: String, Hashable, Sendable {
  case any = "ANY"
  case all = "ALL"
}

/// The options of a comparison of strings, written as letters in brackets after the operator.
package struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `[n]`: strings are compared as they are, without normalization.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `[l]`
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// An operation that combines two collections.
package enum SetOperator: String, Hashable, Sendable, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}
