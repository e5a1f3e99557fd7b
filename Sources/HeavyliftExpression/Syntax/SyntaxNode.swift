/// A parsed node that may become a predicate or an expression.
///
/// Both can start with an opening parenthesis. Trying one and then the other would take time exponential in the depth,
/// so each node is parsed once, as whichever it turns out to be.
///
/// A class, like `Token`: the parser is recursive, and a struct on every level would multiply the stack size.
final class SyntaxNode {
  enum Content {
    case expression(MappingExpression)
    case predicate(MappingPredicate)
    /// Already reported as a mistake; nothing more is reported about its parent.
    case invalid
  }

  let content: Content
  var range: SourceRange
  /// The depth of the tree.
  let depth: Int
  /// True for a lone placeholder, `%@`.
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
  /// Returns the range from the start of this range to the end of the other.
  func through(_ other: SourceRange) -> SourceRange { SourceRange(lowerBound, max(lowerBound, other.upperBound)) }
}
