import HeavyliftExpression

extension MappingPredicate {
  /// The opposite condition, as an author would write it; nil for a literal.
  ///
  /// Ordering comparisons are wrapped in NOT, not reversed: nil passes neither `<` nor `>=`.
  var opposite: String? {
    switch kind {
    case .literal: return nil
    case .not(let negated): return negated.description
    case .comparison(var comparison) where comparison.quantifier == nil:
      switch comparison.comparator {
      case .equal: comparison.comparator = .notEqual
      case .notEqual: comparison.comparator = .equal
      default: return "NOT (\(self))"
      }
      return MappingPredicate(.comparison(comparison)).description
    default: return "NOT (\(self))"
    }
  }

  /// Returns the XML attribute `where` with a condition; nil if it is long or needs more than plain quotes.
  static func whereClause(_ condition: String) -> String? {
    guard condition.count <= 60, !condition.contains("'") || !condition.contains("\"") else { return nil }
    let written = condition.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return written.contains("\"") ? "where='\(written)'" : "where=\"\(written)\""
  }
}
