import HeavyliftModel
import Testing

@testable import HeavyliftCommands

struct TextTableTests {
  private func lines(_ width: Int?) -> String {
    var table = TextTable([
      ("entity mapping", .left), ("to", .left), ("rows", .right), ("objects", .left), ("reason", .left),
    ])
    table.add([
      "TrackToTrack", "Track", "about 1\u{202F}157", "SQL with functions", "the policy works with objects, not in SQL",
    ])
    table.add(["  Indented", "A", "3", "-", ""])
    return table.lines(style: TextStyle(isOn: false, width: width)).joined(separator: "\n")
      .replacing("\u{202F}", with: "_")
  }

  @Test func `a table is as wide as its cells if it fits or is not for a terminal`() {
    let table = """
        entity mapping  to            rows  objects             reason
        TrackToTrack    Track  about 1_157  SQL with functions  the policy works with objects, not in SQL
          Indented      A                3  -
      """
    #expect(lines(nil) == table)
    #expect(lines(120) == table)
  }

  @Test func `the widest columns are wrapped at words`() {
    #expect(
      lines(80) == """
          entity mapping  to            rows  objects             reason
          TrackToTrack    Track  about 1_157  SQL with functions  the policy works with
                                                                  objects, not in SQL
            Indented      A                3  -
        """)
    #expect(
      lines(57) == """
          entity        to           rows  objects     reason
          mapping
          TrackToTrack  Track       about  SQL with    the policy
                                    1_157  functions   works with
                                                       objects,
                                                       not in SQL
            Indented    A               3  -
        """)
  }

  @Test func `a table that is too wide for its words is a list`() {
    #expect(
      lines(40) == """
          entity mapping  TrackToTrack
          to              Track
          rows            about 1_157
          objects         SQL with functions
          reason          the policy works with objects, not in SQL

          entity mapping    Indented
          to              A
          rows            3
          objects         -
          reason
        """)
  }

  @Test func `colors take no columns`() {
    var table = TextTable([("a", .left), ("b", .left)])
    table.add(["x y", "z"])
    #expect(
      table.lines(style: TextStyle(isOn: true, width: 8))
        == ["  \u{1B}[2ma    b\u{1B}[0m", "  x y  z"].map {
          $0.replacing("  \u{1B}[2ma", with: "\u{1B}[2m  a")
        })
  }
}
