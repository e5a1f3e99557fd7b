import Foundation
import Heavylift
import Testing

@testable import HeavyliftCommands

/// Commands that get the folder of a program's source instead of a model.
@Suite struct ProjectFolderTests {
  /// A project with the model of `ToolFixture`, a mapping file in another folder, and things that must not matter.
  private func project() throws -> ToolFixture {
    let tool = try ToolFixture()
    for folder in ["App/App/Models", "App/App/Migrations", "App/App.xcodeproj", "App/.build", "App/Products"] {
      try FileManager.default.createDirectory(at: tool.folder.appending(folder), withIntermediateDirectories: true)
    }
    try FileManager.default.moveItem(
      at: tool.folder.appending("Library.xcdatamodeld"),
      to: tool.folder.appending("App/App/Models/Library.xcdatamodeld"))
    try tool.write(
      """
      <mapping-model source="Library" destination="Library 2">
        <entity-mapping source="Author" destination="Author"/>
        <entity-mapping source="Book" destination="Book"/>
        <entity-mapping source="Novel" destination="Novel"/>
      </mapping-model>
      """, to: "App/App/Migrations/1-2.xml")
    try tool.write("<project><model/></project>", to: "App/Products/pom.xml")
    try tool.write("<broken", to: "App/App/broken.xml")
    try tool.copy("App/App/Models/Library.xcdatamodeld", to: "App/.build/Hidden.xcdatamodeld")
    return tool
  }

  private func addModel(_ path: String, _ models: [(name: String, model: ManagedObjectModel)], in tool: ToolFixture)
    throws
  {
    try ModelBundle(
      versions: models.map { .init(name: $0.name, model: $0.model) }, currentVersionName: models.last?.name
    ).write(to: tool.folder.appending(path))
  }

  private static let settings = ManagedObjectModel(entities: [EntityDescription(name: "Setting")])

  @Test(arguments: ["App", "App/", "App/App", "App/App.xcodeproj", "."])
  func `the store's model and its mappings are found anywhere in a project`(path: String) throws {
    let tool = try project()
    try addModel("App/App/Models/Settings.xcdatamodeld", [("Settings", Self.settings)], in: tool)
    let plan = tool.run("plan", "Library.sqlite", "-m", path)
    #expect(plan.code == .success && plan.errors == "", "\(plan)")
    let lines = plan.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("Library.sqlite migrates from 'Library' to 'Library 2'"))
    #expect(lines[1].hasPrefix("its model is '") && lines[1].hasSuffix("App/Models/Library.xcdatamodeld'"))
    #expect(lines[2].hasSuffix("Migrations/1-2.xml'"))
    let run = tool.run("migrate", "Library.sqlite", "-m", path, "--quiet")
    #expect(run == .init(code: .success, output: "", errors: ""))
    let inspection = tool.run("inspect", "Library.sqlite", "-m", path)
    #expect(inspection.code == .success && inspection.output.contains("'Library 2' of "), "\(inspection)")
    #expect(tool.run("plan", "Library.sqlite", "-m", path).output.contains("nothing to do\nits model is '"))
  }

  @Test func `a mapping file of a project can be chosen`() throws {
    let tool = try project()
    try tool.copy("App/App/Migrations/1-2.xml", to: "App/App/other.xml")
    let refused = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(refused.code == .negative && refused.errors.contains("'App/Migrations/1-2.xml'"), "\(refused)")
    let chosen = tool.run("plan", "Library.sqlite", "-m", "App", "--mapping", "App/App/other.xml")
    #expect(chosen.code == .success && chosen.output.contains("by 'App/other.xml'"), "\(chosen)")
  }

  @Test func `copies of a model are one, and different models with the store's version are not`() throws {
    let tool = try project()
    try tool.copy("App/App/Models/Library.xcdatamodeld", to: "App/App/Copy.xcdatamodeld")
    #expect(tool.run("plan", "Library.sqlite", "-m", "App").code == .success)
    try addModel("App/Fork.xcdatamodeld", [("Library", ToolFixture.firstModel), ("Fork", Self.settings)], in: tool)
    #expect(
      tool.run("plan", "Library.sqlite", "-m", "App")
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.several-models]: 3 models in 'App' have the version of store 'Library.sqlite': \
            'App/App/Copy.xcdatamodeld', 'App/App/Models/Library.xcdatamodeld' and 'App/Fork.xcdatamodeld'
              specify the one that your program uses with --model

            """))
  }

  @Test func `versions in separate bundles must be named in order`() throws {
    let tool = try project()
    try FileManager.default.removeItem(at: tool.folder.appending("App/App/Models/Library.xcdatamodeld"))
    try addModel("App/V1.xcdatamodeld", [("V1", ToolFixture.firstModel)], in: tool)
    try addModel("App/Settings.xcdatamodeld", [("Settings", Self.settings)], in: tool)
    #expect(tool.run("plan", "Library.sqlite", "-m", "App").output.contains("already has version 'V1'"))
    try addModel("App/V2.xcdatamodeld", [("V2", ToolFixture.secondModel)], in: tool)
    #expect(
      tool.run("plan", "Library.sqlite", "-m", "App")
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.unordered-models]: 'App/V1.xcdatamodeld' has the version of store 'Library.sqlite' and no \
            other one, but there are models in 'App' with entities of the same names: 'App/V2.xcdatamodeld'
              if they are versions of one model, specify each of them with --model, oldest first; if not, specify \
            'App/V1.xcdatamodeld' alone

            """))
    let named = tool.run(
      "plan", "Library.sqlite", "-m", "App/V1.xcdatamodeld", "-m", "App/V2.xcdatamodeld", "--infer")
    #expect(named.code == .success && named.output.contains("'V1' → 'V2'"), "\(named)")
  }

  @Test func `a broken model matters only if no other one fits`() throws {
    let tool = try project()
    let broken = tool.folder.appending("App/Broken.xcdatamodel")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try tool.write("<model", to: "App/Broken.xcdatamodel/contents")
    // A folder with a version is a bundle, so the project is one level up.
    try FileManager.default.createDirectory(at: tool.folder.appending("Work"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: tool.folder.appending("App"), to: tool.folder.appending("Work/App"))
    #expect(tool.run("plan", "Library.sqlite", "-m", "Work").code == .success)
    try FileManager.default.removeItem(at: tool.folder.appending("Work/App/App/Models/Library.xcdatamodeld"))
    let run = tool.run("plan", "Library.sqlite", "-m", "Work")
    #expect(run.code == .failure && run.errors.contains("Broken.xcdatamodel/contents:1:"), "\(run)")
  }

  @Test func `compiled models count only without source models`() throws {
    let tool = try project()
    try FileManager.default.createDirectory(
      at: tool.folder.appending("App/Products/Copy.momd"), withIntermediateDirectories: true)
    try tool.write("", to: "App/Products/1-2.cdm")
    let io = CommandIO(output: MemorySink(), errors: MemorySink(), workingDirectory: tool.folder.url)
    let project = try #require(ProjectFolder("App", io))
    #expect(project.models == ["App/App/Models/Library.xcdatamodeld"])
    #expect(project.mappings == ["App/Migrations/1-2.xml"])
    let products = try #require(ProjectFolder("App/Products", io))
    #expect(products.models == ["App/Products/Copy.momd"])
    #expect(products.mappings == ["1-2.cdm"])
    for path in ["App/App/Models/Library.xcdatamodeld", "Library.sqlite", "missing"] {
      #expect(ProjectFolder(path, io) == nil)
    }
  }

  @Test func `all models and mappings of a project are checked`() throws {
    let tool = try project()
    #expect(tool.run("check", "App").code == .success)
    try tool.write(
      "<mapping-model source=\"Library\" destination=\"Library 2\"><entity-mapping source=\"Autor\"/></mapping-model>",
      to: "App/App/Migrations/other.xml")
    try addModel(
      "App/Odd.xcdatamodeld", [("Odd", ManagedObjectModel(entities: [EntityDescription(name: "")]))], in: tool)
    let run = tool.run("check", "App")
    #expect(run.code == .negative)
    for place in ["App/App/Migrations/other.xml:1:", "App/Odd.xcdatamodeld"] {
      #expect(run.output.contains(place), "\(run)")
    }
    try FileManager.default.createDirectory(at: tool.folder.appending("Empty"), withIntermediateDirectories: true)
    #expect(tool.run("check", "Empty").output.contains("model-file.not-a-model"))
  }

  @Test func `a model is not a folder of mapping files`() throws {
    let tool = try project()
    #expect(
      tool.run("plan", "Library.sqlite", "--mappings", "App/App/Models/Library.xcdatamodeld")
        == .init(
          code: .failure, output: "",
          errors: """
            error[mapping-file.not-a-mapping]: 'App/App/Models/Library.xcdatamodeld' is a model, not a folder of mapping files
              specify it with --model; mapping files next to it are found without --mappings

            """))
  }
}
