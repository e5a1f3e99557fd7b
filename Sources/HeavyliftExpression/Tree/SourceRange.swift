/// A range in the text of an expression, in Unicode scalars counted from 0.
///
/// If the text is part of a file, the caller converts an offset to a line and a column.
public struct SourceRange: Hashable, Sendable {
  public var lowerBound: Int
  public var upperBound: Int

  /// Creates a range; an empty one at 0 means that the text is missing.
  public init(_ lowerBound: Int = 0, _ upperBound: Int = 0) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }
}
