import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// The file of findings that a team has accepted.
struct AcceptedFindingsTests {
  private func fixture(accepting lines: String) throws -> GitFixture {
    let fixture = try GitFixture()
    try fixture.remove("Library.xcdatamodeld/Library.xcdatamodel")
    try fixture.history.library.write(lines, to: ".heavylift-check")
    return fixture
  }

  @Test(
    arguments: [
      "history.removed-version ./Library.xcdatamodeld  # retired",
      "# a comment\n\nhistory.removed-version *.xcdatamodeld # retired",
      "history.removed-version ./Library.xcdatamodeld \"'Library'\" # retired",
    ])
  func `an accepted finding is counted, not listed`(lines: String) throws {
    let run = try fixture(accepting: lines).check()
    #expect(run.code == .success)
    #expect(run.output.hasSuffix("\nno errors, no warnings\n1 finding accepted in .heavylift-check\n"), "\(run.output)")
  }

  @Test(
    arguments: [
      "history.removed-model ./Library.xcdatamodeld # why", "history.removed-version ./Other.xcdatamodeld # why",
      "history.removed-version ./Library.xcdatamodeld \"'Library 9'\" # why",
    ])
  func `a line accepts only what it names, and one that accepts nothing is reported`(lines: String) throws {
    let run = try fixture(accepting: lines).check()
    #expect(run.code == .negative)
    #expect(run.output.contains("error[history.removed-version]"))
    #expect(run.output.contains(".heavylift-check:1:1: note[accepted.unused]: there is no finding '"), "\(run.output)")
  }

  @Test func `a line without a reason or without a code is an error`() throws {
    let run = try fixture(
      accepting: "history.removed-version ./Library.xcdatamodeld\nLibrary.xcdatamodeld # fine"
    ).check()
    #expect(
      run.output.contains(".heavylift-check:1:1: error[accepted.no-reason]: a finding is accepted without a reason"))
    #expect(run.output.contains(".heavylift-check:2:1: error[accepted.malformed]: this line does not name a finding"))
  }
}
