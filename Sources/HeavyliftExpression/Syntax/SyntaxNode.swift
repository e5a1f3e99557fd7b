/// What the parser read, before it is known whether a predicate or an expression is wanted.
///
/// An opening parenthesis begins either. Reading it as one, giving up, and reading it as the other would take time
/// exponential in the depth; so it is read once, as what it turns out to be.
///
/// An object, as tokens are: the parser is recursive, and a node on every level of its stack would make the stack many
/// times as large.
final class SyntaxNode {
  enum Content {
    case expression(MappingExpression)
    case predicate(MappingPredicate)
    /// Something that was complained about already; nothing further is said of what holds it.
    case invalid
  }

  let content: Content
  var range: SourceRange
  /// How many levels the tree has.
  let depth: Int
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
    depth = 1
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
