import HeavyliftExpression
import HeavyliftModel
import Testing

struct SourceExcerptTests {
  @Test(arguments: [
    ("title CONTAIN 'x'", 6, 13, "title CONTAIN 'x'\n      ^~~~~~~"),
    ("abc", 3, 3, "abc\n   ^"), ("abc", 0, 0, "abc\n^"), ("abc", 7, 9, "abc\n   ^"), ("abc", -3, -1, "abc\n^"),
    ("", 0, 0, "\n^"),
    // The line in which the range begins, up to its end.
    ("a == 1\nAND b\nOR c", 11, 18, "AND b\n    ^"), ("a\r\nb c", 5, 6, "b c\n  ^"), ("a\nb", 1, 1, "a\n ^"),
    // A tab is two columns.
    ("\ta\tb", 3, 4, "  a  b\n     ^"), ("a\tb", 1, 2, "a  b\n ^~"),
    // East Asian characters and emoji are two columns, combining marks none.
    ("日本 x", 3, 4, "日本 x\n     ^"), ("e\u{301}e x", 4, 5, "e\u{301}e x\n   ^"), ("👩‍👩‍👧 x", 6, 7, "👩‍👩‍👧 x\n   ^"),
    ("日本", 0, 2, "日本\n^~~~"),
    // Invisible characters become visible.
    ("a\u{0}b c", 4, 5, "a·b c\n    ^"), ("a\u{200B}b", 1, 2, "a·b\n ^"), ("\u{301}", 0, 1, "◌\u{301}\n^"),
  ]) func `a place is marked`(text: String, lower: Int, upper: Int, excerpt: String) {
    #expect(SourceExcerpt(text, marking: SourceRange(lower, upper)).description == excerpt)
  }

  @Test func `a long line is cut on both sides`() {
    let text = String(repeating: "a", count: 300) + "XYZ" + String(repeating: "b", count: 300)
    let excerpt = SourceExcerpt(text, marking: SourceRange(300, 303))
    #expect(excerpt.line == "…" + String(repeating: "a", count: 49) + "XYZ" + String(repeating: "b", count: 48) + "…")
    #expect(excerpt.marks == String(repeating: " ", count: 50) + "^~~")
  }

  @Test func `a long mark is cut`() {
    let excerpt = SourceExcerpt(String(repeating: "a", count: 100_000), marking: SourceRange(10, 90_000))
    #expect(excerpt.line == String(repeating: "a", count: 90) + "…")
    #expect(excerpt.marks == String(repeating: " ", count: 10) + "^" + String(repeating: "~", count: 79))
  }

  @Test func `mistakes are diagnostics at places in a file`() throws {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(parsing: "a CONTAIN 'x' OR b NOT IN {1}")
    }
    let diagnostics = try #require(error).diagnostics {
      DiagnosticLocation(file: "Map.xml", line: 7, column: 30 + $0)
    }
    #expect(
      diagnostics.map(\.description) == [
        """
        Map.xml:7:32: error[expression.misspelt-operator]: 'CONTAIN' is not an operator
          did you mean 'CONTAINS'?
        """,
        """
        Map.xml:7:49: error[expression.negated-operator]: 'NOT IN' is not an operator
          put NOT before the comparison: NOT a IN b
        """,
      ])
    #expect(
      SourceRange(2, 9).location { DiagnosticLocation(line: 1, column: $0) } == DiagnosticLocation(line: 1, column: 2))
  }

  @Test func `a mistake lists the expected tokens`() throws {
    let error = #expect(throws: ExpressionSyntaxError.self) { try MappingPredicate(parsing: "title 3") }
    #expect(try #require(error).mistakes.map(\.expected) == [["an operator"]])
    let other = #expect(throws: ExpressionSyntaxError.self) { try MappingPredicate(parsing: "title") }
    #expect(
      try #require(other).mistakes.flatMap(\.expected) == [
        "'=='", "'!='", "'<'", "'<='", "'>'", "'>='", "'BETWEEN'", "'IN'", "'CONTAINS'", "'BEGINSWITH'", "'ENDSWITH'",
        "'LIKE'", "'MATCHES'",
      ])
  }
}
