import HeavyliftModel

/// A table of aligned columns.
struct TextTable {
  enum Alignment {
    case left, right
  }

  private let alignments: [Alignment]
  private let header: [String]
  private var rows: [[String]] = []

  init(_ columns: [(title: String, alignment: Alignment)]) {
    header = columns.map(\.title)
    alignments = columns.map(\.alignment)
  }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The indented lines; empty if there are no rows.
  ///
  /// On a terminal, cells are wrapped. If even the narrowest columns are too wide, each row is a list of its cells.
  func lines(indentation: String = "  ", style: TextStyle) -> [String] {
    guard !rows.isEmpty else { return [] }
    let natural = widths { $0.terminalColumns }
    guard let width = style.width else { return lines(natural, indentation, style) }
    let available = width - indentation.count - Self.gap.count * (header.count - 1)
    guard natural.reduce(0, +) > available else { return lines(natural, indentation, style) }
    let narrowest = widths { WrappedText.words(of: $0).map(\.terminalColumns).max() ?? 0 }
    guard narrowest.reduce(0, +) <= available else { return list(width, indentation, style) }
    var widths = natural
    while widths.reduce(0, +) > available {
      // The widest column gives way first, as long as its words fit.
      guard let widest = widths.indices.filter({ widths[$0] > narrowest[$0] }).max(by: { widths[$0] < widths[$1] })
      else { break }
      widths[widest] -= 1
    }
    return lines(widths, indentation, style)
  }

  private static let gap = "  "

  /// Returns the largest measure of each column's cells.
  private func widths(_ measure: (String) -> Int) -> [Int] {
    header.indices.map { column in ([header] + rows).map { measure($0[column]) }.max() ?? 0 }
  }

  private func lines(_ widths: [Int], _ indentation: String, _ style: TextStyle) -> [String] {
    func lines(_ cells: [String]) -> [String] {
      let wrapped = cells.enumerated().map { WrappedText($1, width: widths[$0]).lines }
      return (0..<(wrapped.map(\.count).max() ?? 0)).map { index in
        let parts = wrapped.enumerated().map { column, lines in
          let text = index < lines.count ? lines[index] : ""
          let padding = String(repeating: " ", count: max(0, widths[column] - text.terminalColumns))
          return alignments[column] == .right ? padding + text : text + padding
        }
        var line = parts.joined(separator: Self.gap)
        while line.last == " " { line.removeLast() }
        return indentation + line
      }
    }
    return lines(header).map(style.faint) + rows.flatMap(lines)
  }

  /// Returns a line for each cell, and an empty line between rows.
  private func list(_ width: Int, _ indentation: String, _ style: TextStyle) -> [String] {
    let titles = header.map(\.terminalColumns).max() ?? 0
    let blocks = rows.map { cells in
      zip(header, cells).map { title, cell in
        let padding = String(repeating: " ", count: titles - title.terminalColumns)
        return indentation + style.faint(title) + (cell.isEmpty ? "" : padding + Self.gap + cell)
      }
    }
    return Array(blocks.joined(separator: [""]))
  }
}
