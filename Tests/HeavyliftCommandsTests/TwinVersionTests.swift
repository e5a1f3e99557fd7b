import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Versions that a store cannot tell apart are one version to every command.
struct TwinVersionTests {
  /// The second version differs from the first in a default value only, the third is the second, copied to be edited.
  private func fixture(current: String = "Library 2") throws -> ToolFixture {
    let library = try ToolFixture()
    var second = ToolFixture.firstModel
    second.entities[1].attributes[0].defaultValue = .integer(7)
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: second),
        .init(name: "Library 3", model: second),
      ], currentVersionName: current
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    return library
  }

  @Test func `every command accepts the store`() throws {
    let library = try fixture()
    let model = ["-m", "Library.xcdatamodeld"]
    for command in [
      ["inspect", "Library.sqlite"], ["dump", "Library.sqlite"], ["diff", "Library.sqlite", "Library.sqlite"],
      ["plan", "Library.sqlite"], ["migrate", "Library.sqlite"], ["migrate", "Library.sqlite", "--dry-run"],
      ["graph", "export", "Library.sqlite"], ["evaluate", "title", "-s", "Library.sqlite", "-e", "Book"],
    ] {
      let run = library.run(command + model)
      #expect(!(run.output + run.errors).contains("ambiguous"), "\(command): \(run)")
      #expect(run.code != .failure, "\(command): \(run)")
    }
  }

  @Test func `the current version is used, and all are named`() throws {
    let inspected = try fixture().run("inspect", "Library.sqlite", "-m", "Library.xcdatamodeld")
    #expect(
      inspected.output.contains(
        "\n  version     'Library 2' of Library.xcdatamodeld, the same version as 'Library' of Library.xcdatamodeld, "
          + "'Library 3' of Library.xcdatamodeld, according to its version hashes\n"), "\(inspected.output)")
    let planned = try fixture(current: "Library 3").run("plan", "Library.sqlite", "-m", "Library.xcdatamodeld")
    #expect(
      planned.output.hasPrefix(
        "Library.sqlite already has version 'Library 3' (the same as 'Library', 'Library 2'), according to its version hashes: "
          + "nothing to do\n"), "\(planned.output)")
  }

  @Test func `an ID that distinguishes versions is shown`() throws {
    let library = try fixture()
    let model = ["-m", "Library.xcdatamodeld"]
    #expect(!library.run(["inspect", "Library.sqlite"] + model).output.contains("version ID"))
    let store = try PersistentStore(url: library.folder.appending("Library.sqlite"), models: [ToolFixture.firstModel])
    try store.updateMetadata { $0.values[StoreMetadata.Key.versionID] = .string("2b") }
    try store.close()
    #expect(library.run(["inspect", "Library.sqlite"] + model).output.contains("\n  version ID  2b\n"))
    let json = library.run(["inspect", "Library.sqlite", "--json"] + model).output
    #expect(json.contains("\n  \"versionID\": \"2b\",\n"), "\(json)")
  }
}
