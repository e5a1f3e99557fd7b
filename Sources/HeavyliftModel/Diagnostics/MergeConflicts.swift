/// The conflicts that a merge left in a file, as Git marks them.
package struct MergeConflicts: Equatable {
  /// The number of the line where the first conflict begins.
  package var firstLine: Int
  package var count: Int

  /// Returns `nil` if the text has no complete conflict.
  package init?(in bytes: some Sequence<UInt8>) {
    let markers = [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")]
    var (line, column, run, marker) = (1, 0, 0, UInt8(0))
    var (first, count, next) = (0, 0, 0)
    for byte in bytes {
      if byte == 0x0A {
        (line, column, run) = (line + 1, 0, 0)
        continue
      }
      column += 1
      // A marker is the same character seven times at the start of a line; a conflict has the markers in the order of
      // `markers`.
      if column == 1 { marker = markers.contains(byte) ? byte : 0 }
      run = byte == marker && marker != 0 && run == column - 1 ? run + 1 : run
      guard column == 7, run == 7, marker == markers[next] else { continue }
      if next == 0, first == 0 { first = line }
      if next == 2 { count += 1 }
      next = (next + 1) % 3
    }
    guard count > 0 else { return nil }
    (firstLine, self.count) = (first, count)
  }

  /// Returns the error to report instead of the syntax errors that the conflict markers cause.
  package func diagnostic(file: String?) -> Diagnostic {
    Diagnostic(
      .error, code: "file.merge-conflict",
      problem: "the file has \(count == 1 ? "an unresolved merge conflict" : "\(count) unresolved merge conflicts")",
      remedy: "keep the right parts of both sides, and delete the lines that start with "
        + "'<<<<<<<', '=======' and '>>>>>>>'",
      location: DiagnosticLocation(file: file, line: firstLine, column: 1))
  }
}
