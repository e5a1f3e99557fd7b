/// How much text is read before it counts as hostile.
///
/// Reading, printing, comparing and destroying a tree go as deep as the tree; a bounded depth is a bounded stack.
public struct ExpressionLimits: Hashable, Sendable {
  /// How long a text may be, in Unicode scalars.
  public var length: Int
  /// How many levels a tree may have; a chain of sums has one for every sign.
  public var depth: Int

  /// Creates limits.
  public init(length: Int = 1_000_000, depth: Int = 128) {
    self.length = length
    self.depth = depth
  }

  /// How many brackets may be open at once. A canonical text needs at most one for a level of the tree.
  var nesting: Int { depth + 8 }
}
