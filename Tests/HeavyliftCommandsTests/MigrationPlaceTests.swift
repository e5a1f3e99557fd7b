import Foundation
import HeavyliftTestSupport
import Testing

/// Unusable paths are reported before anything starts, also by `plan` and a dry run.
struct MigrationPlaceTests {
  private let music: MusicFixture

  init() throws { music = try MusicFixture() }

  /// The output of a migration, its plan and its dry run, none of which changes anything.
  private func refusals(_ options: String...) throws -> [String] {
    let before = try music.listing()
    let arguments = ["Music.sqlite", "--mappings", "Music"] + options
    let run = music.run(["migrate", "--quiet"] + arguments)
    let plan = music.run(["plan"] + arguments)
    let rehearsal = music.run(["migrate", "--dry-run"] + arguments)
    #expect(try music.listing() == before)
    #expect(run.code == .failure && run.output == "" && plan.code == .negative)
    let planned = plan.output.components(separatedBy: "\nthis would stop the migration:\n")
    // A dry run needs the new store's folder, and reports a missing backup folder.
    let rehearsed =
      rehearsal.code == .success
      ? rehearsal.output.components(separatedBy: "\nthis would stop the migration: ").dropFirst().joined()
      : rehearsal.errors
    return [run.errors, planned.count == 2 ? planned[1] : plan.output, rehearsed]
  }

  @Test(arguments: ["Music.sqlite", "./Music.sqlite", "Link.sqlite"])
  func `a new store in the old one's place is refused, however the path is written`(path: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: music.folder.appending("Link.sqlite").path, withDestinationPath: "Music.sqlite")
    let name = (path as NSString).lastPathComponent
    let expected = Self.refusal(of: name)
    #expect(try refusals("--to", path) == [expected, expected, expected])
  }

  private static func refusal(of name: String) -> String {
    let (problem, remedy) =
      name == "Music.sqlite"
      ? ("is the store itself", "choose another path for the new file")
      : ("already exists", "choose another path, or remove it first")
    return "error[migration.destination-exists]: 'FOLDER/\(name)' \(problem)\n  \(remedy); nothing was changed\n"
  }

  @Test func `a missing folder is reported, with the advice to create it`() throws {
    let expected = """
      error[migration.files]: 'FOLDER/none/New.sqlite' cannot be created: folder 'FOLDER/none': no such file or directory
        create the folder first, or choose another path; nothing was changed

      """
    #expect(try refusals("--to", "none/New.sqlite") == [expected, expected, expected])
    let backup = expected.replacing("New", with: "Old")
    #expect(
      try refusals("--backup", "none/Old.sqlite").prefix(2) == [backup, backup])
  }

  @Test func `a file in place of a folder is reported`() throws {
    try music.write("mine", to: "file")
    let expected = """
      error[migration.files]: 'FOLDER/file/New.sqlite' cannot be created: folder 'FOLDER/file': not a directory
        create the folder first, or choose another path; nothing was changed

      """
    #expect(try refusals("--to", "file/New.sqlite").prefix(2) == [expected, expected])
  }

  @Test func `a backup in the store's place, or over another file, is refused`() throws {
    try music.write("mine", to: "Mine.sqlite")
    for name in ["Music.sqlite", "Mine.sqlite"] {
      let expected = Self.refusal(of: name)
      #expect(try refusals("--backup", name).prefix(2) == [expected, expected])
    }
  }
}
