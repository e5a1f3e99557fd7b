import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct NewVersionTests {
  private func bytes(_ version: String, _ fixture: ToolFixture) throws -> Data {
    try Data(contentsOf: fixture.folder.appending("Library.xcdatamodeld/\(version).xcdatamodel/contents"))
  }

  @Test func `the current version is copied byte for byte, and stays the current one`() throws {
    let fixture = try ToolFixture()
    // An unusual layout stays, too.
    let url = fixture.folder.appending("Library.xcdatamodeld/Library 2.xcdatamodel/contents")
    try String(contentsOf: url, encoding: .utf8).replacing("<entity", with: "<!-- kept -->\n<entity")
      .write(to: url, atomically: true, encoding: .utf8)
    #expect(
      fixture.run("schema", "new-version", "Library.xcdatamodeld", "Library 3")
        == .init(
          code: .success,
          output: """
            Library.xcdatamodeld/Library 3.xcdatamodel/contents: a copy of 'Library 2'; the current version is 'Library 2'

            """,
          errors: ""))
    #expect(try bytes("Library 3", fixture) == bytes("Library 2", fixture))
    #expect(String(decoding: try bytes("Library 3", fixture), as: UTF8.self).contains("<!-- kept -->"))
  }

  @Test func `another version is copied, and becomes the current one if wanted`() throws {
    let fixture = try ToolFixture()
    #expect(
      fixture.run(
        "schema", "new-version", "Library.xcdatamodeld", "Next", "--from", "Library", "--current", "--json")
        == .init(
          code: .success,
          output: """
            {
              "file": "Library.xcdatamodeld/Next.xcdatamodel/contents",
              "copyOf": "Library",
              "current": "Next"
            }

            """,
          errors: ""))
    #expect(try bytes("Next", fixture) == bytes("Library", fixture))
    let bundle = try ModelBundle(contentsOf: fixture.folder.appending("Library.xcdatamodeld"))
    #expect(bundle.currentVersionName == "Next")
  }

  @Test func `a copy of an older current version says how to copy the newest`() throws {
    let fixture = try ToolFixture()
    var bundle = try ModelBundle(contentsOf: fixture.folder.appending("Library.xcdatamodeld"))
    bundle.currentVersionName = "Library"
    try bundle.write(to: fixture.folder.appending("Library.xcdatamodeld"))
    #expect(
      fixture.run("schema", "new-version", "Library.xcdatamodeld", "Library 3").output == """
        Library.xcdatamodeld/Library 3.xcdatamodel/contents: a copy of 'Library'; the current version is 'Library'
        to copy another version, such as 'Library 2', use --from

        """)
  }

  @Test func `a new current version replaces one that was deleted`() throws {
    let fixture = try ToolFixture()
    #expect(fixture.run("schema", "new-version", "Library.xcdatamodeld", "Library 3").code == .success)
    try FileManager.default.removeItem(at: fixture.folder.appending("Library.xcdatamodeld/Library 2.xcdatamodel"))
    let command = ["schema", "new-version", "Library.xcdatamodeld", "Next", "--from", "Library 3"]
    let refused = fixture.run(command)
    #expect(refused.code == .failure)
    #expect(refused.errors.hasPrefix("error[model-file.unknown-current-version]: "), "\(refused)")
    let run = fixture.run(command + ["--current"])
    #expect(run.code == .success && run.errors == "", "\(run)")
    #expect(try bytes("Next", fixture) == bytes("Library 3", fixture))
    let bundle = try ModelBundle(contentsOf: fixture.folder.appending("Library.xcdatamodeld"))
    #expect(bundle.currentVersionName == "Next" && !bundle.diagnostics.hasErrors)
  }

  @Test(arguments: [
    (
      ["Library.xcdatamodeld", "library 2"],
      "error[schema.version-exists]: 'Library.xcdatamodeld' already has a version 'Library 2'\n  choose another name\n"
    ),
    (
      ["Library.xcdatamodeld", "Library\n3"],
      "error[schema.impossible-version-name]: a version cannot be named 'Library\\u{a}3'\n"
        + "  choose a name that has no line breaks and does not begin with a space\n"
    ),
    (
      ["Library.xcdatamodeld", "../x"],
      "error[model-file.unwritable-bundle]: version '../x' cannot be the name of a folder\n"
        + "  choose a name that is not empty, '.' or '..', and contains no '/'\n"
    ),
    (
      ["Library.xcdatamodeld/Library.xcdatamodel", "x"],
      "error[schema.not-a-bundle]: 'Library.xcdatamodeld/Library.xcdatamodel' is not a bundle of models\n"
        + "  pass an .xcdatamodeld\n"
    ),
    (
      ["Library.xcdatamodeld", "x", "--from", "Library 7"],
      "error[model-file.unknown-version]: 'Library.xcdatamodeld' has no version 'Library 7'\n"
        + "  available: 'Library', 'Library 2'\n"
    ),
  ])
  func `a mistake gets a remedy, and no file changes`(arguments: [String], errors: String) throws {
    let fixture = try ToolFixture()
    let before = try fixture.files("Library.xcdatamodeld")
    #expect(
      fixture.run(["schema", "new-version"] + arguments) == .init(code: .failure, output: "", errors: errors))
    #expect(try fixture.files("Library.xcdatamodeld") == before)
  }
}
