/// Maps the characters of a string to their places in the file that it was read from.
///
/// The text of an XML attribute differs from the file's own text: `&quot;` is one character of the attribute and six of
/// the file, and an attribute can span several lines. With this map, mistakes inside expressions are still reported at
/// their true location.
package struct TextPlaces: Hashable, Sendable {
  /// A character that, in the file, does not directly follow the character before it.
  package struct Jump: Hashable, Sendable {
    /// The character's offset from the start of the text, in Unicode scalars.
    package var offset: Int
    /// The character's line in the file, starting at 1.
    package var line: Int
    /// The character's column in the file, starting at 1.
    package var column: Int

    /// Creates a jump.
    package init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }
  }

  /// The location of the first character.
  package let start: DiagnosticLocation
  private let jumps: [Jump]

  /// Creates the places of a string. Without jumps, its characters are contiguous in the file.
  package init(start: DiagnosticLocation, jumps: [Jump] = []) {
    self.start = start
    self.jumps = jumps
  }

  /// Returns the location of a character, counted in Unicode scalars; the offset may be the end of the text.
  package func location(ofScalarAt offset: Int) -> DiagnosticLocation {
    var (low, high) = (0, jumps.count)
    while low < high {
      let middle = (low + high) / 2
      if jumps[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else {
      return DiagnosticLocation(file: start.file, line: start.line, column: start.column + offset)
    }
    let jump = jumps[low - 1]
    return DiagnosticLocation(file: start.file, line: jump.line, column: jump.column + offset - jump.offset)
  }
}
