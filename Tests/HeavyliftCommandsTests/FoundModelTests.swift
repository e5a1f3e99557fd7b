import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

@testable import HeavyliftCommands

/// Which of several models is the store's, and which mappings are that model's.
@Suite struct FoundModelTests {
  private let tool: ToolFixture

  init() throws {
    tool = try ToolFixture()
  }

  private func addModel(_ path: String, _ versions: [(name: String, model: ManagedObjectModel)], current: String? = nil)
    throws
  {
    try ModelBundle(
      versions: versions.map { .init(name: $0.name, model: $0.model) },
      currentVersionName: current ?? versions.last?.name
    ).write(to: tool.folder.appending(path))
  }

  private func addFolder(_ path: String) throws {
    try FileManager.default.createDirectory(at: tool.folder.appending(path), withIntermediateDirectories: true)
  }

  private func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: tool.folder.appending(path))
  }

  private func move(_ path: String, to new: String) throws {
    try FileManager.default.moveItem(at: tool.folder.appending(path), to: tool.folder.appending(new))
  }

  private func plan(_ arguments: String...) -> ToolFixture.Run {
    tool.run(["plan", "Library.sqlite"] + arguments)
  }

  private static let settings = ManagedObjectModel(entities: [EntityDescription(name: "Setting")])
  private static let sync = ManagedObjectModel(entities: [
    EntityDescription(name: "Book", attributes: [AttributeDescription(name: "token", type: .string)])
  ])

  private static func mapping(
    _ from: String = "Library", _ to: String = "Library 2", title: String = "$source.title"
  ) -> String {
    """
    <mapping-model source="\(from)" destination="\(to)">
      <entity-mapping source="Author" destination="Author"/>
      <entity-mapping source="Book" destination="Book"><attribute name="title" value="\(title)"/></entity-mapping>
      <entity-mapping source="Novel" destination="Novel"/>
    </mapping-model>
    """
  }

  // MARK: Models

  /// The last model decides the version to migrate to, so another program's must not be the last by its name.
  @Test(arguments: ["Apart", "Zebra"], [[], ["-m", "."]])
  func `a model of other entities does not matter`(name: String, given: [String]) throws {
    try addModel("\(name).xcdatamodeld", [(name, Self.settings)])
    let plan = tool.run(["plan", "Library.sqlite", "--infer"] + given)
    #expect(plan.code == .success, "\(plan)")
    #expect(plan.output.hasPrefix("Library.sqlite migrates from 'Library' to 'Library 2'"), "\(plan)")
    #expect(plan.output.contains("\nits model is 'Library.xcdatamodeld'\n") || !given.isEmpty, "\(plan)")
  }

  /// Inferred mappings would remove the entities that only the store's model has.
  @Test(arguments: ["Apart", "Zebra"], [[], ["-m", "."]])
  func `a model with one of the entities is not taken for the next version`(name: String, given: [String]) throws {
    try addModel("\(name).xcdatamodeld", [(name, Self.sync)])
    for command in ["plan", "migrate"] {
      let run = tool.run([command, "Library.sqlite", "--infer"] + given)
      #expect(run.code == .failure && run.output == "", "\(run)")
      #expect(
        run.errors.contains("error[migration.several-models]") && run.errors.contains("Library.xcdatamodeld' has"),
        "\(run)")
    }
    let chosen = plan("--infer", "-m", "Library.xcdatamodeld")
    #expect(chosen.output.contains("to 'Library 2'"), "\(chosen)")
  }

  @Test(arguments: [[], ["-m", "."]]) func `an older copy of the model does not matter`(given: [String]) throws {
    try addModel("Model copy.xcdatamodeld", [("Library", ToolFixture.firstModel)])
    try addFolder("Tests")
    try addModel("Tests/Library.xcdatamodeld", [("Library", ToolFixture.firstModel)])
    let plan = tool.run(["plan", "Library.sqlite", "--infer"] + given)
    #expect(plan.output.hasPrefix("Library.sqlite migrates from 'Library' to 'Library 2'"), "\(plan)")
    #expect(plan.output.contains("Library.xcdatamodeld'\n"), "\(plan)")
  }

  @Test func `copies with other current versions are not the same`() throws {
    try addModel(
      "Other.xcdatamodeld", [("Library", ToolFixture.firstModel), ("Library 2", ToolFixture.secondModel)],
      current: "Library")
    #expect(plan("--infer").errors.contains("error[migration.several-models]"))
  }

  @Test func `an entity under another name counts, too`() throws {
    try remove("Library.xcdatamodeld")
    try addModel("V1.xcdatamodeld", [("V1", ToolFixture.firstModel)])
    var tome = EntityDescription(name: "Tome")
    tome.renamingIdentifier = "Book"
    try addModel("V2.xcdatamodeld", [("V2", ManagedObjectModel(entities: [tome]))])
    #expect(plan("-m", ".").errors.contains("error[migration.several-models]"))
  }

  /// The order of the names does not matter: the mapping says which one is newer.
  @Test(arguments: [("V1", "V2"), ("New", "Brand new")], [[], ["-m", "."]])
  func `bundles belong together if mappings lead from one to the next`(
    names: (String, String), given: [String]
  ) throws {
    try remove("Library.xcdatamodeld")
    var second = ManagedObjectModel(entities: [EntityDescription(name: "Tome")])
    second.entities[0].attributes = [AttributeDescription(name: "title", type: .string)]
    try addModel("\(names.0).xcdatamodeld", [(names.0, ToolFixture.firstModel)])
    try addModel("\(names.1).xcdatamodeld", [(names.1, second)])
    try tool.write(
      """
      <mapping-model source="\(names.0)" destination="\(names.1)">
        <entity-mapping source="Author" type="remove"/>
        <entity-mapping source="Book" destination="Tome"/>
        <entity-mapping source="Novel" destination="Tome"/>
      </mapping-model>
      """, to: "1-2.xml")
    let plan = tool.run(["plan", "Library.sqlite"] + given)
    #expect(plan.output.hasPrefix("Library.sqlite migrates from '\(names.0)' to '\(names.1)'"), "\(plan)")
  }

  @Test func `versions outside a bundle belong together by their names`() throws {
    try addFolder("App/Models")
    try move("Library.xcdatamodeld", to: "App/Temporary")
    for name in ["Library", "Library 2"] {
      try move("App/Temporary/\(name).xcdatamodel", to: "App/Models/\(name).xcdatamodel")
    }
    try remove("App/Temporary")
    try tool.write(Self.mapping(), to: "App/Models/1-2.xml")
    for path in ["App/Models", "App/Models/", "App"] {
      let found = plan("-m", path, "--infer")
      #expect(found.output.contains("by 'App/Models/1-2.xml'"), "\(found)")
    }
    try tool.write("<mapping-model/><", to: "App/Models/2.xml")
    #expect(tool.run("check", "App/Models").code == .negative)
    try remove("App/Models/2.xml")
    try move("App/Models/Library 2.xcdatamodel", to: "App/Models/Sync.xcdatamodel")
    #expect(plan("-m", "App", "--infer").errors.contains("error[migration.several-models]"))
  }

  @Test func `compiled models that were passed over are named`() throws {
    try addFolder("App/Frameworks/Core.framework/Library.momd")
    try addModel("App/Settings.xcdatamodeld", [("Settings", Self.settings)])
    let found = plan("-m", "App")
    #expect(found.code == .failure && found.errors.contains("note[model-file.passed-over]"), "\(found)")
    #expect(found.errors.contains("'App/Frameworks/Core.framework/Library.momd'"), "\(found)")
  }

  @Test func `paths in messages are not shortened`() throws {
    let folder = "App/" + (1...12).map { "A long folder \($0)" }.joined(separator: "/")
    try addFolder(folder)
    try addModel("App/Library.xcdatamodeld", [("Library", ToolFixture.firstModel)])
    try addModel("\(folder)/Sync.xcdatamodeld", [("Sync", Self.sync)])
    #expect(plan("-m", "App").errors.contains("'\(folder)/Sync.xcdatamodeld'"))
  }

  // MARK: Mappings

  @Test func `a model without the mapping's entities is no rival`() throws {
    try addFolder("App/Mappings")
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    try addModel("App/Mappings/Shop.xcdatamodeld", [("Library", Self.settings), ("Library 2", Self.settings)])
    try tool.write(Self.mapping(), to: "App/Mappings/1-2.xml")
    let found = plan("-m", "App", "--infer")
    #expect(found.output.contains("by 'App/Mappings/1-2.xml'"), "\(found)")
  }

  @Test func `copies of a mapping count once`() throws {
    try addFolder("App/Build")
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    try tool.write(Self.mapping(), to: "App/Build/1-2.xml")
    try tool.write(Self.mapping(), to: "App/Library-1-2.xml")
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.appending("App/link.xml").path, withDestinationPath: "Build/1-2.xml")
    #expect(plan("-m", "App").output.contains("by 'App/Build/1-2.xml'"))
    let chosen = plan("-m", "App", "--mapping", "App/Library-1-2.xml")
    #expect(chosen.output.contains("by 'App/Library-1-2.xml'"), "\(chosen)")
    try tool.write(Self.mapping(title: "'other'"), to: "App/Library-1-2.xml")
    #expect(plan("-m", "App").errors.contains("error[mapping.several-mappings]"))
  }

  @Test func `what was built does not count beside its source`() throws {
    for folder in ["App/Build/App.app", "App/DerivedData/Old"] {
      try addFolder(folder)
      try tool.write(Self.mapping(title: "'old'"), to: "\(folder)/1-2.xml")
      try addFolder("\(folder)/Old.momd")
    }
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    let found = plan("-m", "App", "--infer")
    #expect(found.output.contains("inferred, because it has no mapping file"), "\(found)")
    let io = CommandIO(output: MemorySink(), errors: MemorySink(), workingDirectory: tool.folder.url)
    let product = try #require(try ProjectFolder("App/Build/App.app", io.directory))
    #expect(product.models == ["App/Build/App.app/Old.momd"])
    #expect(product.mappings == ["App/Build/App.app/1-2.xml"])
  }

  /// Otherwise '--infer' would infer what the file says.
  @Test(arguments: [
    "1-2.xml", "Models.xcmappingmodel", "Old.cdm", "Other.xcdatamodeld", "Other.xcdatamodel", "Other.momd", "Other.mom",
  ]) func `a link that leads nowhere is an error`(name: String) throws {
    try addFolder("App")
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.appending("App/\(name)").path, withDestinationPath: "missing")
    let found = plan("-m", "App", "--infer")
    #expect(found.code == .failure && found.errors.contains("the link 'App/\(name)' leads nowhere"), "\(found)")
  }

  @Test(arguments: ["upper", "wide", "lost", "spaced"]) func `unusual mapping files are found`(form: String) throws {
    try addFolder("App")
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    let url = tool.folder.appending("App/1-2.xml")
    switch form {
    case "upper": try tool.write(Self.mapping(), to: "App/1-2.XML")
    case "wide": try Data(Self.mapping().utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }).write(to: url)
    case "lost": try Data(count: 4096).write(to: url)
    default:
      try tool.write(
        Self.mapping().replacingOccurrences(of: "<mapping-model ", with: "<mapping-model\n\t"), to: "App/1-2.xml")
    }
    let found = plan("-m", "App", "--infer")
    if form == "lost" {
      #expect(found.code == .negative && found.errors.contains("App/1-2.xml:1:1: error"), "\(found)")
    } else {
      #expect(found.code == .success && found.output.lowercased().contains("by 'app/1-2.xml'"), "\(found)")
    }
  }

  @Test func `files of other programs are no mappings`() throws {
    try addFolder("App")
    try move("Library.xcdatamodeld", to: "App/Library.xcdatamodeld")
    try tool.write("<entity-mappings xmlns='https://jakarta.ee'><entity/></entity-mappings>", to: "App/orm.xml")
    #expect(plan("-m", "App", "--infer").code == .success)
  }

  @Test func `a link to a folder that contains the project is not followed`() throws {
    try addFolder("Outside/App")
    try move("Library.xcdatamodeld", to: "Outside/App/Library.xcdatamodeld")
    try tool.write("<mapping-model", to: "Outside/other.xml")
    for (name, target) in [("root", "/"), ("parent", "..")] {
      try FileManager.default.createSymbolicLink(
        atPath: tool.folder.appending("Outside/App/\(name)").path, withDestinationPath: target)
    }
    #expect(plan("-m", "Outside/App", "--infer").code == .success)
  }

  @Test func `mapping files below the given folder are not passed over`() throws {
    try addFolder("Mappings/Library")
    #expect(plan("--mappings", "Mappings", "--infer").code == .success)
    try tool.write(Self.mapping(), to: "Mappings/Library/1-2.xml")
    let found = plan("--mappings", "Mappings", "--infer", "-m", "Library.xcdatamodeld")
    #expect(found.code == .failure && found.errors.contains("error[mapping-file.in-subfolder]"), "\(found)")
    #expect(found.errors.contains("'Mappings/Library/1-2.xml'"), "\(found)")
    #expect(plan("--mappings", "Mappings/Library", "-m", "Library.xcdatamodeld").code == .success)
  }

  @Test func `a folder of mappings alone is checked against the models next to it`() throws {
    try addFolder("Mappings")
    try tool.write(Self.mapping(), to: "Mappings/1-2.xml")
    #expect(tool.run("check", "Mappings").code == .success)
    try tool.write(Self.mapping(title: "$source.titel"), to: "Mappings/1-2.xml")
    let run = tool.run("check", "Mappings")
    #expect(run.code == .negative && run.output.contains("did you mean 'title'"), "\(run)")
  }
}
