/// Where the characters of a text stand in the file that it was read from.
///
/// A text inside an XML attribute is not the file's own text: `&quot;` is one character of it and six of the file, and it
/// may go over several lines. A mistake inside an expression is told at its true place all the same.
public struct TextPlaces: Hashable, Sendable {
  /// A character that does not stand right behind the one before it.
  public struct Jump: Hashable, Sendable {
    /// Of the character, counted in Unicode scalars from the text's start.
    public var offset: Int
    public var line: Int
    public var column: Int

    /// Creates a jump.
    public init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }
  }

  /// Where the first character stands.
  public let start: SourceLocation
  private let jumps: [Jump]

  /// Creates the places of a text; without jumps its characters stand side by side.
  public init(start: SourceLocation, jumps: [Jump] = []) {
    self.start = start
    self.jumps = jumps
  }

  /// The place of a character, counted in Unicode scalars; one behind the end is the place behind the text.
  public func location(ofScalarAt offset: Int) -> SourceLocation {
    var (low, high) = (0, jumps.count)
    while low < high {
      let middle = (low + high) / 2
      if jumps[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else {
      return SourceLocation(file: start.file, line: start.line, column: start.column + offset)
    }
    let jump = jumps[low - 1]
    return SourceLocation(file: start.file, line: jump.line, column: jump.column + offset - jump.offset)
  }
}
