/// A range in the text of an expression, in Unicode scalars counted from 0.
///
/// If the text is part of a file, the caller converts an offset to a line and a column.
public struct SourceRange: Hashable, Sendable {
  public var lowerBound: Int
  public var upperBound: Int

  /// Creates a range. The default, an empty range at 0, means that there is no text.
  public init(_ lowerBound: Int = 0, _ upperBound: Int = 0) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }
}
