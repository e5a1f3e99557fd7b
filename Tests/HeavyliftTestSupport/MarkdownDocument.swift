public import Foundation

/// A page of the project's documentation, parsed so that tests can verify it.
public struct MarkdownDocument: Sendable {
  /// The code between two fences.
  public struct CodeBlock: Hashable, Sendable, CustomStringConvertible {
    /// The word after the opening fence.
    public var language: String
    /// The line number of its first line of code, starting at 1.
    public var firstLine: Int
    public var lines: [String]
    /// The name in code at the end of the text before the block, if there is one.
    public var fileName: String?

    public var text: String { lines.joined(separator: "\n") + "\n" }
    public var description: String { "\(language) block at line \(firstLine)" }
  }

  public private(set) var codeBlocks: [CodeBlock] = []
  /// The rows of its tables without headers and rules, one string per cell.
  public private(set) var tableRows: [[String]] = []

  /// Reads a page.
  public init(contentsOf url: URL) throws {
    self.init(try String(contentsOf: url, encoding: .utf8))
  }

  /// Parses a page's text.
  public init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var open: CodeBlock?
    var table: [[String]] = []
    var paragraph: [String] = []
    for (offset, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          codeBlocks.append(block)
          open = nil
        } else {
          let name = Self.fileName(endOf: paragraph.joined(separator: " "))
          open = CodeBlock(language: String(line.dropFirst(3)), firstLine: offset + 2, lines: [], fileName: name)
          paragraph = []
        }
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("|") {
        table.append(Self.cells(line))
      } else {
        tableRows += table.dropFirst(2)
        table = []
        if line.isEmpty, lines.indices.contains(offset + 1), !lines[offset + 1].hasPrefix("```") { paragraph = [] }
        if !line.isEmpty { paragraph.append(line) }
      }
    }
    tableRows += table.dropFirst(2)
  }

  private static func fileName(endOf paragraph: String) -> String? {
    guard let match = paragraph.firstMatch(of: /`([^`]+)`(, which replaces [^:]*)?:$/) else { return nil }
    return String(match.1)
  }

  /// `\|` is a bar inside a cell.
  private static func cells(_ line: String) -> [String] {
    line.replacing("\\|", with: "\u{0}").split(separator: "|").map {
      $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
    }
  }

  /// Removes rows that a test does not look at.
  public mutating func removeRows(where isOther: ([String]) -> Bool) { tableRows.removeAll(where: isOther) }

  /// The first code span in a cell: `1 + 1` of "`1 + 1` or so".
  public static func code(in cell: String) -> String? {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.count >= 3 ? String(parts[1]) : nil
  }
}
