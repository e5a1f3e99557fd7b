/// The line of a text that contains a range, with a mark below it.
///
/// ```swift
/// print(SourceExcerpt("title CONTAIN 'x'", marking: SourceRange(6, 13)))
/// // title CONTAIN 'x'
/// //       ^~~~~~~
/// ```
///
/// Tabs become spaces, unprintable characters become `·`, and a long line is cut on both sides.
package struct SourceExcerpt: Hashable, Sendable, CustomStringConvertible {
  /// The visible part of the line.
  package let line: String
  /// The marks below the line: spaces, `^`, and a `~` for every further column.
  package let marks: String

  /// The maximum width in columns.
  static let width = 100

  /// Creates an excerpt with the line in which a range begins.
  package init(_ text: String, marking range: SourceRange) {
    let scalars = Array(text.unicodeScalars)
    let lower = min(max(0, range.lowerBound), scalars.count)
    let upper = min(max(lower, range.upperBound), scalars.count)
    var start = lower
    while start > 0, !scalars[start - 1].endsLine { start -= 1 }
    var end = lower
    while end < scalars.count, !scalars[end].endsLine { end += 1 }

    // A line can be as long as the whole text, so only a few hundred characters on either side are examined.
    let reach = 4 * Self.width
    let markEnd = min(upper, end)
    let before = Self.cells(scalars[max(start, lower - reach)..<lower])
    let marked = Self.cells(scalars[lower..<min(markEnd, lower + reach)])
    let after = Self.cells(scalars[markEnd..<min(end, markEnd + reach)])

    // The marked part takes precedence; the remaining width shows its surroundings.
    let shownMarked = Self.prefix(marked, columns: Self.width - 20)
    let left = Self.suffix(before, columns: max(10, Self.width / 2 - Self.columns(shownMarked) / 2))
    let right = Self.prefix(
      shownMarked.count < marked.count ? [] : after,
      columns: max(10, Self.width - Self.columns(left) - Self.columns(shownMarked)))
    let cutLeft = left.count < before.count ? "…" : ""
    let cutRight = shownMarked.count < marked.count || right.count < after.count ? "…" : ""

    line = cutLeft + (left + shownMarked + right).map(\.text).joined() + cutRight
    let indent = String(repeating: " ", count: Self.columns(left) + cutLeft.count)
    marks = indent + "^" + String(repeating: "~", count: max(0, Self.columns(shownMarked) - 1))
  }

  /// The line, and the marks below it.
  package var description: String { "\(line)\n\(marks)" }

  /// The printed form of a character, and its width in a terminal.
  private struct Cell {
    var text: String
    var columns: Int
  }

  private static func cells(_ scalars: ArraySlice<Unicode.Scalar>) -> [Cell] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text).map { character in
      guard let scalar = character.unicodeScalars.first else { return Cell(text: "", columns: 0) }
      switch scalar.properties.generalCategory {
      case _ where scalar == "\t": return Cell(text: "  ", columns: 2)
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return Cell(text: "·", columns: 1)
      // A combining mark without a letter would attach to the character printed before it.
      case .nonspacingMark, .enclosingMark: return Cell(text: "\u{25CC}\(character)", columns: 1)
      default: return Cell(text: String(character), columns: scalar.isWide ? 2 : 1)
      }
    }
  }

  private static func columns(_ cells: [Cell]) -> Int { cells.reduce(0) { $0 + $1.columns } }

  private static func prefix(_ cells: [Cell], columns: Int) -> [Cell] {
    var left = columns
    return Array(
      cells.prefix {
        left -= $0.columns
        return left >= 0
      })
  }

  private static func suffix(_ cells: [Cell], columns: Int) -> [Cell] {
    Array(prefix(cells.reversed(), columns: columns).reversed())
  }
}

extension Unicode.Scalar {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\u{85}" || self == "\u{2028}" }
}
