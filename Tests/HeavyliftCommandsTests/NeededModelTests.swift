import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `plan` and `migrate` read only the models and mapping files that the store needs; `check` reads all.
@Suite struct NeededModelTests {
  private let tool: ToolFixture

  init() throws {
    tool = try ToolFixture()
    var third = ToolFixture.secondModel
    third.entities[1].attributes.append(AttributeDescription(name: "note", type: .string))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: ToolFixture.secondModel),
        .init(name: "Library 3", model: third),
      ], currentVersionName: "Library 3"
    ).write(to: tool.folder.appending("Library.xcdatamodeld"))
  }

  private func damage(_ version: String) throws {
    try tool.write("<model", to: "Library.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  @Test(arguments: [[], ["-m", "Library.xcdatamodeld"], ["-m", "."]])
  func `a damaged version matters to those who need it`(models: [String]) throws {
    try tool.copy("Library.sqlite", to: "New.sqlite")
    #expect(
      tool.run(["migrate", "New.sqlite", "--infer", "--quiet", "--version", "Library 2"] + models).code == .success)
    try damage("Library")
    #expect(tool.run(["plan", "New.sqlite", "--infer"] + models).code == .success)
    #expect(tool.run(["migrate", "New.sqlite", "--infer", "--quiet"] + models).code == .success)
    #expect(tool.run(["migrate", "New.sqlite", "--quiet"] + models) == .init(code: .success, output: "", errors: ""))
    for command in ["plan", "migrate"] {
      let old = tool.run([command, "Library.sqlite", "--infer"] + models)
      #expect(old.code == .failure, "\(old)")
      #expect(old.errors.contains("Library.xcdatamodel/contents:1:"), "\(old)")
      #expect(old.errors.contains("error[migration.unreadable-models]") == (models != ["-m", "Library.xcdatamodeld"]))
    }
    #expect(tool.run("check", "Library.xcdatamodeld").code != .success)
  }

  @Test func `a damaged mapping file does not matter to a current store`() throws {
    try tool.write("<mapping-model source='Library' destination='Library 2'>", to: "1-2.xml")
    #expect(tool.run("plan", "Library.sqlite", "--infer").code == .negative)
    try FileManager.default.moveItem(at: tool.folder.appending("1-2.xml"), to: tool.folder.appending("kept"))
    #expect(tool.run("migrate", "Library.sqlite", "--infer", "--quiet").code == .success)
    try FileManager.default.moveItem(at: tool.folder.appending("kept"), to: tool.folder.appending("1-2.xml"))
    #expect(tool.run("migrate", "Library.sqlite", "--quiet") == .init(code: .success, output: "", errors: ""))
    let chosen = tool.run("migrate", "Library.sqlite", "--mapping", "1-2.xml")
    #expect(chosen.code == .negative && chosen.errors.contains("error[migration.unused-mapping]"), "\(chosen)")
  }

  @Test func `a store of another model is refused as before`() throws {
    try PersistentStore.create(
      at: tool.folder.appending("Other.sqlite"), model: ManagedObjectModel(entities: [EntityDescription(name: "Song")])
    ).close()
    for models in [[], ["-m", "."]] {
      let run = tool.run(["plan", "Other.sqlite", "--infer"] + models)
      #expect(run.code == .failure && run.errors.hasPrefix("error[store.unknown-version]"), "\(run)")
    }
    let given = tool.run("plan", "Other.sqlite", "--infer", "-m", "Library.xcdatamodeld")
    #expect(given.errors.hasPrefix("error[migration.unknown-version]"), "\(given)")
  }

  @Test func `a newer version that is not the current one is named`() throws {
    try tool.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>Library.xcdatamodel</string>
      </dict></plist>
      """, to: "Library.xcdatamodeld/.xccurrentversion")
    let run = tool.run("migrate", "Library.sqlite")
    #expect(run.code == .success && run.errors.contains("which also has 'Library 2' and 'Library 3'"), "\(run)")
  }
}
