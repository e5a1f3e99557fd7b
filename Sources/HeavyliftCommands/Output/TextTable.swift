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
  func lines(indentation: String = "  ", style: TextStyle) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let isLast = column == cells.count - 1
        line += alignments[column] == .right ? padding + cell : isLast ? cell : cell + padding
        if !isLast { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return indentation + line
    }
    return [style.faint(line(header))] + rows.map(line)
  }
}
