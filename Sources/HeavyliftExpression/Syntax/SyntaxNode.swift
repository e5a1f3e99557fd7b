/// What the parser read, before it is known whether a predicate or an expression is wanted.
///
/// An opening parenthesis begins either. Reading it as one, giving up, and reading it as the other would take time
/// exponential in the depth; so it is read once, as what it turns out to be.
struct SyntaxNode {
  enum Content {
    case expression(MappingExpression)
    case predicate(MappingPredicate)
    /// Something that was complained about already; nothing further is said of what holds it.
    case invalid
  }

  var content: Content
  var range: SourceRange
  /// How many levels the tree has.
  var depth = 1
  /// Whether it is a placeholder alone, `%@`.
  var isPlaceholder = false

  init(_ expression: MappingExpression, depth: Int = 1) {
    content = .expression(expression)
    range = expression.range
    self.depth = depth
  }

  init(_ predicate: MappingPredicate, depth: Int) {
    content = .predicate(predicate)
    range = predicate.range
    self.depth = depth
  }

  init(invalidAt range: SourceRange) {
    content = .invalid
    self.range = range
  }

  var isInvalid: Bool {
    if case .invalid = content { true } else { false }
  }

  var isPredicate: Bool {
    if case .predicate = content { true } else { false }
  }
}

extension SourceRange {
  /// From where this begins to where the other ends.
  func through(_ other: SourceRange) -> SourceRange { SourceRange(lowerBound, max(lowerBound, other.upperBound)) }
}
