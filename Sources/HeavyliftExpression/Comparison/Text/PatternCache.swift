/// Compiled patterns whose text comes from data, cached for later rows.
package final class PatternCache {
  private struct Key: Hashable {
    var pattern: String
    var options: ComparisonOptions

    /// Compares scalars: a composed letter and its decomposed form are different patterns.
    static func == (lhs: Key, rhs: Key) -> Bool {
      lhs.options == rhs.options && hasSameScalars(lhs.pattern, rhs.pattern)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(options)
      hashScalars(of: pattern, into: &hasher)
    }
  }

  /// Patterns that change with every row must not accumulate.
  private static let limit = 64

  private var likes: [Key: LikePattern] = [:]
  private var regulars: [Key: RegularPattern] = [:]

  package init() {}

  func like(_ pattern: String, _ options: ComparisonOptions) -> LikePattern {
    let key = Key(pattern: pattern, options: options)
    if let known = likes[key] { return known }
    if likes.count >= PatternCache.limit { likes = [:] }
    let read = LikePattern(pattern, options: options)
    likes[key] = read
    return read
  }

  func regular(_ pattern: String, _ options: ComparisonOptions) throws(EvaluationMistake) -> RegularPattern {
    let key = Key(pattern: pattern, options: options)
    if let known = regulars[key] { return known }
    if regulars.count >= PatternCache.limit { regulars = [:] }
    let read = try RegularPattern(pattern, options: options)
    regulars[key] = read
    return read
  }
}
