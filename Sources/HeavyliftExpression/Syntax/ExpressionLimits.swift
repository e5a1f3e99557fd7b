/// The maximum size of an expression's text and of its tree, to reject hostile input.
///
/// Parsing, printing, comparing and destroying a tree recurse as deeply as the tree is nested, so limiting the depth
/// limits the stack.
public struct ExpressionLimits: Hashable, Sendable {
  /// The maximum length of the text, in Unicode scalars.
  public var length: Int
  /// The maximum depth of a tree; a chain of sums has one level for every operator.
  public var depth: Int

  /// Creates limits.
  public init(length: Int = 1_000_000, depth: Int = 128) {
    self.length = length
    self.depth = depth
  }

  /// The maximum number of open brackets. Canonical text needs at most one per level of the tree.
  var nesting: Int { depth + 8 }
}
