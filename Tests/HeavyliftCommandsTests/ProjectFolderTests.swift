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
    #expect(lines[2].hasSuffix("App/Migrations/1-2.xml'"))
    let run = tool.run("migrate", "Library.sqlite", "-m", path, "--quiet")
    #expect(run == .init(code: .success, output: "", errors: ""))
    let inspection = tool.run("inspect", "Library.sqlite", "-m", path)
    #expect(inspection.code == .success && inspection.output.contains("'Library 2' of "), "\(inspection)")
    #expect(tool.run("plan", "Library.sqlite", "-m", path).output.contains("nothing to do\nits model is '"))
  }

  @Test func `a misspelled mapping file of a project is not passed over`() throws {
    let tool = try project()
    try tool.write(
      "<maping-model source=\"Library\" destination=\"Library 2\"><entity-mapping source=\"Book\"/></maping-model>",
      to: "App/App/2.xml")
    let run = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(run.code == .negative && run.errors.contains("the root element is 'maping-model'"), "\(run)")
  }

  @Test func `a mapping file of a project can be chosen`() throws {
    let tool = try project()
    try tool.write(Self.mapping(), to: "App/App/other.xml")
    let refused = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(refused.code == .negative && refused.errors.contains("'App/App/Migrations/1-2.xml'"), "\(refused)")
    let chosen = tool.run("plan", "Library.sqlite", "-m", "App", "--mapping", "App/App/other.xml")
    #expect(chosen.code == .success && chosen.output.contains("by 'App/App/other.xml'"), "\(chosen)")
  }

  @Test func `copies of a model are one, and other models with its entities are not`() throws {
    let tool = try project()
    try tool.copy("App/App/Models/Library.xcdatamodeld", to: "App/App/Copy.xcdatamodeld")
    #expect(tool.run("plan", "Library.sqlite", "-m", "App").code == .success)
    try addModel("App/Fork.xcdatamodeld", [("Library", ToolFixture.firstModel), ("Fork", Self.settings)], in: tool)
    #expect(
      tool.run("plan", "Library.sqlite", "-m", "App")
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.several-models]: 'App/App/Copy.xcdatamodeld' has the version of store 'Library.sqlite', but \
            there are other models in 'App' with entities of the same names: 'App/Fork.xcdatamodeld'
              if they are versions of one model, specify each of them with --model, oldest first; if not, specify the \
            store's model too: --model 'App' --model 'App/App/Copy.xcdatamodeld'

            """))
    let chosen = tool.run("plan", "Library.sqlite", "-m", "App/App/Copy.xcdatamodeld", "-m", "App")
    #expect(chosen.code == .success && chosen.output.contains("by 'App/App/Migrations/1-2.xml'"), "\(chosen)")
  }

  @Test(arguments: [1, 2]) func `versions in separate bundles must be named in order`(count: Int) throws {
    let tool = try project()
    try FileManager.default.removeItem(at: tool.folder.appending("App/App/Models/Library.xcdatamodeld"))
    var older = ToolFixture.firstModel
    older.entities.removeLast()
    try addModel("App/V1.xcdatamodeld", [("V0", older), ("V1", ToolFixture.firstModel)].suffix(count), in: tool)
    try addModel("App/Settings.xcdatamodeld", [("Settings", Self.settings)], in: tool)
    #expect(tool.run("plan", "Library.sqlite", "-m", "App").output.contains("already has version 'V1'"))
    try addModel("App/V2.xcdatamodeld", [("V2", ToolFixture.secondModel)], in: tool)
    let run = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(run.code == .failure && run.errors.contains("error[migration.several-models]"), "\(run)")
    let named = tool.run(
      "plan", "Library.sqlite", "-m", "App/V1.xcdatamodeld", "-m", "App/V2.xcdatamodeld", "--infer")
    #expect(named.code == .success && named.output.contains("'V1' → 'V2'"), "\(named)")
    let two = tool.run("plan", "Library.sqlite", "-m", "App", "-m", "./App")
    #expect(two.errors.contains("only one can be searched for them"), "\(two)")
  }

  /// A migration to a version of another model would remove every object.
  @Test(arguments: [false, true]) func `a store is not migrated to another model`(hasOwnModel: Bool) throws {
    let tool = try project()
    if hasOwnModel {
      try FileManager.default.removeItem(at: tool.folder.appending("Library.sqlite"))
      var options = PersistentStore.CreationOptions()
      options.carriesModel = true
      try PersistentStore.create(
        at: tool.folder.appending("Library.sqlite"), model: ToolFixture.firstModel, options: options
      ).close()
    }
    try FileManager.default.removeItem(at: tool.folder.appending("App/App/Models/Library.xcdatamodeld"))
    try addModel("App/Settings.xcdatamodeld", [("1", Self.settings), ("2", Self.settings)], in: tool)
    for command in ["plan", "migrate"] {
      let run = tool.run(command, "Library.sqlite", "-m", "App", "--infer")
      #expect(run.code == .failure && run.output == "", "\(run)")
      let code = hasOwnModel ? "migration.no-models" : "store.unknown-version"
      #expect(run.errors.contains("error[\(code)]"), "\(run)")
    }
  }

  @Test func `with a broken model, it is not certain which one is the store's`() throws {
    let tool = try project()
    try addModel("App/Broken.xcdatamodeld", [("Broken", Self.settings)], in: tool)
    try tool.write("<model", to: "App/Broken.xcdatamodeld/Broken.xcdatamodel/contents")
    let run = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(run.code == .failure && run.output == "", "\(run)")
    for part in ["migration.unreadable-models", "App/Broken.xcdatamodeld/Broken.xcdatamodel/contents:1:"] {
      #expect(run.errors.contains(part), "\(run)")
    }
    #expect(tool.run("inspect", "Library.sqlite", "-m", "App").code == .success)
    try FileManager.default.removeItem(at: tool.folder.appending("App/App/Models/Library.xcdatamodeld"))
    let inspection = tool.run("inspect", "Library.sqlite", "-m", "App")
    #expect(
      inspection.code == .negative && inspection.errors.contains("Broken.xcdatamodel/contents:1:"), "\(inspection)")
  }

  // MARK: Mapping files

  private static var similar: ManagedObjectModel {
    var model = ToolFixture.secondModel
    model.entities[0].attributes.append(AttributeDescription(name: "shop", type: .string))
    return model
  }

  private static func mapping(_ title: String = "$source.title", names: Bool = true) -> String {
    """
    <mapping-model\(names ? " source=\"Library\" destination=\"Library 2\"" : "")>
      <entity-mapping source="Author" destination="Author"/>
      <entity-mapping source="Book" destination="Book"><attribute name="title" value="\(title)"/></entity-mapping>
      <entity-mapping source="Novel" destination="Novel"/>
    </mapping-model>
    """
  }

  @Test(arguments: [false, true]) func `a mapping file that may be for two models is refused`(names: Bool) throws {
    let tool = try project()
    try addModel(
      "App/Shop/Shop.xcdatamodeld", [("Library", ToolFixture.firstModel), ("Library 2", Self.similar)], in: tool)
    try tool.write(Self.mapping(names: names), to: "App/App/Migrations/1-2.xml")
    func plan(_ arguments: String...) -> ToolFixture.Run {
      tool.run(["plan", "Library.sqlite", "-m", "App", "-m", "App/App/Models/Library.xcdatamodeld"] + arguments)
    }
    let run = plan()
    #expect(run.code == .failure && run.errors.contains("error[mapping.several-models]: 'App/App/Migrations/1-2.xml'"))
    // Next to a model, it is for that model.
    try FileManager.default.moveItem(
      at: tool.folder.appending("App/App/Migrations/1-2.xml"), to: tool.folder.appending("App/App/Models/1-2.xml"))
    try tool.write(Self.mapping("'shop'"), to: "App/Shop/1-2.xml")
    let found = plan()
    #expect(found.code == .success && found.output.contains("by 'App/App/Models/1-2.xml'"), "\(found)")
    #expect(plan("--mapping", "App/Shop/1-2.xml").output.contains("by 'App/Shop"))
  }

  @Test func `a mapping file of another model does not matter`() throws {
    let tool = try project()
    try addModel("App/Shop.xcdatamodeld", [("Library", Self.settings), ("Library 2", Self.settings)], in: tool)
    try tool.write(
      """
      <mapping-model source="Library" destination="Library 2">
        <entity-mapping source="Setting" destination="Setting"/>
      </mapping-model>
      """, to: "App/App/Migrations/other.xml")
    let run = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(run.code == .success && run.output.contains("Migrations/1-2.xml'"), "\(run)")
  }

  /// Otherwise '--infer' would infer what the file says.
  @Test(arguments: ["link", "unreadable", "wide", "empty", "long", "dangling"])
  func `a mapping file that is hard to read is not passed over`(form: String) throws {
    let tool = try project()
    let file = tool.folder.appending("App/App/Migrations/1-2.xml")
    let text = try String(contentsOf: file, encoding: .utf8)
    switch form {
    case "link":
      try FileManager.default.moveItem(
        at: tool.folder.appending("App/App/Migrations"), to: tool.folder.appending("Shared"))
      try FileManager.default.createSymbolicLink(
        atPath: tool.folder.appending("App/App/Migrations").path, withDestinationPath: "../../Shared")
      try FileManager.default.createSymbolicLink(
        atPath: tool.folder.appending("Shared/loop").path, withDestinationPath: "../App")
    case "unreadable":
      try FileManager.default.removeItem(at: file)
      // Root can read any file, but not one that leads to itself.
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.path)
    case "dangling":
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "missing.xml")
    case "wide": try text.write(to: file, atomically: true, encoding: .utf16)
    case "empty": try tool.write("", to: "App/App/Migrations/1-2.xml")
    default: try tool.write("<!--\(String(repeating: " ", count: 100_000))-->" + text, to: "App/App/Migrations/1-2.xml")
    }
    let run = tool.run("plan", "Library.sqlite", "-m", "App", "--infer")
    if ["link", "wide", "long"].contains(form) {
      #expect(run.code == .success && run.output.contains("by 'App/App/Migrations/1-2.xml'"), "\(run)")
      #expect(tool.run("check", "App").code == .success)
    } else {
      #expect(run.code != .success && run.output == "" && run.errors.contains("App/App/Migrations/1-2.xml"), "\(run)")
      #expect(tool.run("check", "App").code != .success)
    }
  }

  @Test func `a mapping next to another model is checked against the project's models`() throws {
    let tool = try project()
    try addModel("App/App/Migrations/Settings.xcdatamodeld", [("Settings", Self.settings)], in: tool)
    #expect(tool.run("check", "App").code == .success)
  }

  // MARK: Folders

  @Test func `Xcode's files stand for the folder that they are in`() throws {
    let tool = try project()
    try FileManager.default.createDirectory(
      at: tool.folder.appending("App/App.xcodeproj/project.xcworkspace"), withIntermediateDirectories: true)
    let run = tool.run("plan", "Library.sqlite", "-m", "App/App.xcodeproj/project.xcworkspace")
    #expect(run.code == .success, "\(run)")
    #expect(tool.run("plan", "Library.sqlite", "-m", "App/Typo.xcodeproj").errors.contains("error[file.missing]"))
  }

  @Test func `a version outside a bundle is a model of its own`() throws {
    let tool = try project()
    try ModelBundle(versions: [.init(name: "Old", model: Self.settings)], currentVersionName: nil).write(
      to: tool.folder.appending("Old.xcdatamodeld"))
    try FileManager.default.moveItem(
      at: tool.folder.appending("Old.xcdatamodeld/Old.xcdatamodel"), to: tool.folder.appending("App/Old.xcdatamodel"))
    let run = tool.run("plan", "Library.sqlite", "-m", "App")
    #expect(run.code == .success && run.output.contains("'Library' to 'Library 2'"), "\(run)")
  }

  @Test func `compiled models count only without source models`() throws {
    let tool = try project()
    try FileManager.default.createDirectory(
      at: tool.folder.appending("App/Products/Copy.momd"), withIntermediateDirectories: true)
    try tool.write("", to: "App/Products/1-2.cdm")
    let io = CommandIO(output: MemorySink(), errors: MemorySink(), workingDirectory: tool.folder.url)
    let project = try #require(try ProjectFolder("App", io.directory))
    #expect(project.models == ["App/App/Models/Library.xcdatamodeld"])
    #expect(project.mappings == ["App/App/Migrations/1-2.xml", "App/Products/1-2.cdm"])
    let products = try #require(try ProjectFolder("App/Products", io.directory))
    #expect(products.models == ["App/Products/Copy.momd"])
    #expect(products.mappings == ["App/Products/1-2.cdm"])
    for path in ["App/App/Models/Library.xcdatamodeld", "Library.sqlite", "missing"] {
      #expect(try ProjectFolder(path, io.directory) == nil)
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
