/// What stands between the two sides of a comparison.
public enum PredicateOperator: String, Hashable, Sendable, CaseIterable {
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

/// Which elements of a collection must compare.
public enum Quantifier: String, Hashable, Sendable {
  case any = "ANY"
  case all = "ALL"
}

/// What a comparison of texts overlooks; the letters in brackets behind an operator.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `[n]`: texts are compared as they are.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `[l]`
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// How two collections become one.
public enum SetOperator: String, Hashable, Sendable, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}
