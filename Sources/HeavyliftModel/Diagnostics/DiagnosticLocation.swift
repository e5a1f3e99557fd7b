/// A place in a file that the user can open.
public struct DiagnosticLocation: Hashable, Codable, Sendable {
  /// The file, as the user named it; nil for text that is not from a file.
  public var file: String?
  /// The line number, starting at 1.
  public var line: Int
  /// The column number in Unicode scalars, starting at 1.
  public var column: Int

  /// Creates a location.
  public init(file: String? = nil, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension DiagnosticLocation: Comparable {
  /// Orders by file, then line, then column.
  public static func < (lhs: DiagnosticLocation, rhs: DiagnosticLocation) -> Bool {
    (lhs.file ?? "", lhs.line, lhs.column) < (rhs.file ?? "", rhs.line, rhs.column)
  }
}

extension DiagnosticLocation: CustomStringConvertible {
  /// `file:line:column`, which terminals and editors turn into a link.
  public var description: String { "\(file ?? "<input>"):\(line):\(column)" }
}
