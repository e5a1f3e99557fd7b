/// A part of the text of an expression, in Unicode scalars counted from 0.
///
/// The text may itself stand in a file; whoever read it from there turns an offset into a line and a column.
public struct SourceRange: Hashable, Sendable {
  public var lowerBound: Int
  public var upperBound: Int

  /// Creates a range; an empty one at the start says that there is no text.
  public init(_ lowerBound: Int = 0, _ upperBound: Int = 0) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }
}
