import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// The classes in `Generated` are the tool's output, word for word, so the compiler checks it.
struct ClassesFromModelTests {
  private static let fixtures = Corpus.project.appending(path: "Fixtures/Schemas")
  private static let generated = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Generated")

  private func run(_ arguments: String..., code: MigrationCode = MigrationCode()) throws -> ToolFixture.Run {
    try ToolFixture().run(["schema", "from-model"] + arguments, code: code)
  }

  private func file(_ name: String) throws -> String {
    try String(contentsOf: Self.generated.appending(path: "\(name).swift"), encoding: .utf8)
  }

  // MARK: The law: the classes describe the model, except for what is listed

  @Test func `classes of a model with everything describe it, except for what is listed`() throws {
    let path = Self.fixtures.appending(path: "Everything.xcdatamodel")
    let omissions = """
      configuration 'Local'
      fetch request template 'all'
      entity 'Set': class 'CDSet'
      entity 'Set', attribute 'blob': customClassName: "Blob" → none
      entity 'Set', attribute 'count64': indexed: YES → NO
      entity 'Track': user info
      entity 'Medium': fetch index 'mixed'
      entity 'Medium': fetch index 'partial'
      """
    let warnings = omissions.split(separator: "\n").map {
      "warning[schema.not-in-classes]: classes cannot declare a part of the model: \($0)\n"
    }
    #expect(
      try run(path.path) == .init(code: .success, output: file("Everything"), errors: warnings.joined()))
    let model = try ModelReader.read(contentsOf: path).model
    let schema = try Schema(versionedSchema: Everything.self)
    #expect(schema.model.versionHashes == model.versionHashes)
    #expect(
      ModelDifference(from: model, to: schema.model).description == """
        entity 'Medium': 2 changes; its version hash is unchanged
            itself  fetchIndex 'mixed'    (title ascending, "lowercase:(title)" ascending) → none
            itself  fetchIndex 'partial'  (title ascending) where "title != nil" → none

        entity 'Set': 4 changes; its version hash is unchanged
            itself                          representedClassName  "CDSet" → none
            attribute 'blob'                customClassName       "Blob" → none
            attribute 'count64'             indexed               YES → NO
            fetched property 'shortTracks'  fetchRequest.name     "fetchedPropertyFetchRequest" → "fetchRequest"

        entity 'Track': 1 change; its version hash is unchanged
            itself  userInfo.owner  "player" → none

        configuration 'Local': removed

        fetch request template 'all': removed
        """)
  }

  @Test func `classes of a model with composites have SwiftData's profile`() throws {
    let path = Self.fixtures.appending(path: "Addresses.xcdatamodel")
    #expect(
      try run(path.path)
        == .init(
          code: .success, output: file("Addresses"),
          errors: """
            warning[schema.not-in-classes]: classes cannot declare a part of the model: composite type 'Address', \
            element 'street': defaultValue: "none" → none
            warning[schema.not-in-classes]: classes cannot declare a part of the model: composite type 'Unused': no \
            attribute uses it

            """))
    let model = try ModelReader.read(contentsOf: path).model
    let schema = try Schema(versionedSchema: Addresses.self)
    #expect(schema.model.versionHashes == model.versionHashes)
    #expect(
      ModelDifference(from: model, to: schema.model).description == """
        composite 'Address': 1 change
            element 'street'  defaultValue  "none" → none

        composite 'Unused': removed
        """)
  }

  @Test func `enumerations of a SwiftData store become enumerations if the model has their cases`() throws {
    let path = Self.fixtures.appending(path: "Orders.xcdatamodel")
    let omissions = ["composite type 'Level': its name, which becomes 'Level_level'"]
    let warnings = omissions.map {
      "warning[schema.not-in-classes]: classes cannot declare a part of the model: \($0)\n"
    }
    #expect(try run(path.path) == .init(code: .success, output: file("Orders"), errors: warnings.joined()))
    let model = try ModelReader.read(contentsOf: path).model
    let schema = try Schema(versionedSchema: Orders.self)
    #expect(schema.model.versionHashes == model.versionHashes)
    #expect(
      ModelDifference(from: model, to: schema.model).description == """
        entity 'Order': 1 change; its version hash is unchanged
            attribute 'level'  compositeName  "Level" → "Level_level"

        composite 'Level': removed

        composite 'Level_level': added
        """)

    let fixture = try ToolFixture()
    let container = try ModelContainer(for: Orders.self, at: fixture.folder.appending("Orders.sqlite"))
    let context = try ModelContext(container)
    let order = try context.insert(Orders.Order.self)
    (order.direction, order.level) = (.default, .init(rawValue: 2))
    order.address = Orders.Address(city: "Rome", kind: Orders.Kind(rawValue: 1))
    try context.save()
    let again = try #require(try ModelContext(container).fetch(Orders.Order.self).first)
    #expect(again.direction == .default && again.level?.rawValue == 2 && again.address?.kind?.rawValue == 1)
  }

  @Test func `names of entities hide no types that the classes need`() throws {
    let fixture = try ToolFixture()
    let entities = ["StorageProfile", "VersionedSchema", "Foundation", "protocol", "Bool"].map {
      EntityDescription(name: $0, attributes: [AttributeDescription(name: "flag", type: .boolean)])
    }
    try ModelWriter.write(
      ManagedObjectModel(entities: entities), to: fixture.folder.appending("Hiding.xcdatamodel"))
    #expect(
      fixture.run("schema", "from-model", "Hiding.xcdatamodel")
        == .init(code: .success, output: try file("Hiding"), errors: ""))
    #expect(
      fixture.run("schema", "from-model", "Hiding.xcdatamodel", "--name", "Schema").output.contains(
        """
        enum Schema: HeavyliftSchema.VersionedSchema {
          static let versionIdentifier = HeavyliftSchema.Schema.Version(1, 0, 0)

        """))
  }

  @Test func `an entity that hides a module is an error if the module's name is needed`() throws {
    let fixture = try ToolFixture()
    try ModelWriter.write(
      ManagedObjectModel(
        entities: ["Swift", "String", "Foundation"].map {
          EntityDescription(name: $0, attributes: [AttributeDescription(name: "a", type: .string)])
        }),
      to: fixture.folder.appending("Hidden.xcdatamodel"))
    #expect(
      fixture.run("schema", "from-model", "Hidden.xcdatamodel").errors == """
        Hidden.xcdatamodel/contents:9:5: error[schema.impossible-class-name]: entity 'Swift' has a name that no class of its own can have
          keep this version as a model file, or rename it in a new version

        """)
  }

  @Test func `classes of a sample describe its model completely, and open its store`() throws {
    let path = Corpus.project.appending(path: "MappingModels/Music/Music.xcdatamodeld")
    #expect(
      try run(path.path, "--name", "MusicNow") == .init(code: .success, output: file("MusicNow"), errors: ""))
    let model = try #require(ModelBundle(contentsOf: path).currentVersion).model
    let difference = ModelDifference(from: model, to: try Schema(versionedSchema: MusicNow.self).model)
    #expect(difference.entities.flatMap(\.properties) == [] && !difference.changesVersionHashes)

    let fixture = try ToolFixture()
    let store = fixture.folder.appending("Music.sqlite")
    try PersistentStore.create(at: store, model: model).close()
    let context = try ModelContext(ModelContainer(for: MusicNow.self, at: store))
    try context.insert(MusicNow.Artist.self).name = "Nina Simone"
    try context.save()
    #expect(try context.fetch(MusicNow.Artist.self).map(\.name) == ["Nina Simone"])
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `classes of every real model have its version hashes`() throws {
    let files = FileManager.default.enumerator(at: Corpus.root, includingPropertiesForKeys: nil)
    let models = (files?.compactMap { $0 as? URL } ?? []).filter { ["xcdatamodel", "mom"].contains($0.pathExtension) }
    #expect(models.count > 40)
    for model in models {
      let run = try run(model.path)
      #expect(run.code == .success && !run.errors.contains("error["), "\(model.path): \(run.errors)")
      #expect(run.output.contains(": VersionedSchema {\n"), "\(model.path)")
    }
  }

  // MARK: Sources of models

  @Test func `a store with its own model is enough`() throws {
    let fixture = try ToolFixture()
    var options = PersistentStore.CreationOptions()
    options.carriesModel = true
    try PersistentStore.create(
      at: fixture.folder.appending("Old.sqlite"), model: ToolFixture.firstModel, options: options
    )
    .close()
    #expect(
      fixture.run("schema", "from-model", "Old.sqlite")
        == .init(
          code: .success,
          output: """
            // Written by 'heavylift schema from-model' from version 'Old' of 'Old.sqlite'.

            import Foundation
            import HeavyliftSchema

            enum Old: VersionedSchema {
              static let versionIdentifier = Schema.Version(1, 0, 0)
              static var models: [Entity.Type] { [Author.self, Book.self, Novel.self] }

              final class Author: Entity {
                @Attribute var name: String?
                @Relationship(inverse: \\Book.$author) var books: Set<Book>
              }

              class Book: Entity {
                @Attribute var pages: Int16? = 0
                @Attribute var title: String
                @Relationship var author: Author?
              }

              final class Novel: Book {
                @Attribute var genre: String?
              }
            }

            """,
          errors: ""))
  }

  @Test func `a version of the tool's own becomes the start of the next`() throws {
    var code = MigrationCode()
    code.versions = [try ModelBundle.Version(MusicNow.self)]
    #expect(try run("--name", "class", code: code).output.contains("\nenum `class`: VersionedSchema {\n"))
    let run = try run("--name", "MusicV4", "--identifier", "4.0.0", code: code)
    let expected = try file("MusicNow")
      .replacing("version 'Music 3' of 'Music.xcdatamodeld'", with: "version 'MusicNow' of the tool's own code")
      .replacing("enum MusicNow", with: "enum MusicV4").replacing("Version(1, 0, 0)", with: "Version(4, 0, 0)")
      .replacing(
        "code.\n\nimport",
        with:
          "code.\n//\n// The model also has these parts, which classes cannot declare:\n// - version identifiers: '1.0.0'\n\nimport"
      )
    #expect(
      run
        == .init(
          code: .success, output: expected,
          errors:
            "warning[schema.not-in-classes]: classes cannot declare a part of the model: version identifiers: '1.0.0'\n"
        ))
  }

  @Test func `the file appears under its name, and JSON lists the omissions`() throws {
    let fixture = try ToolFixture()
    #expect(
      fixture.run(
        "schema", "from-model", "Library.xcdatamodeld", "--version", "Library", "-o", "Library.swift", "--json")
        == .init(
          code: .success,
          output: """
            {
              "output": "Library.swift",
              "source": null,
              "diagnostics": []
            }

            """,
          errors: ""))
    let text = try String(contentsOf: fixture.folder.appending("Library.swift"), encoding: .utf8)
    #expect(text.contains("\nenum Library: VersionedSchema {\n"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      ["--identifier", "2"],
      "error[usage.invalid-identifier]: '2' is not a version identifier\n  write three numbers: --identifier 1.0.0\n"
        + "see 'heavylift schema from-model --help'\n"
    ),
    (
      ["--name", "Music 1"],
      "error[usage.invalid-type-name]: 'Music 1' cannot be the name of a Swift enumeration\n"
        + "  begin it with a letter, and use only letters, digits and '_'\nsee 'heavylift schema from-model --help'\n"
    ),
    (
      ["Library.xcdatamodeld", "--version", "Library 3"],
      "error[model-file.unknown-version]: 'Library.xcdatamodeld' has no version 'Library 3'\n"
        + "  available: 'Library', 'Library 2'\n"
    ),
    (
      [],
      "error[schema.no-versions]: no model was given, and this tool has no versions of its own\n"
        + "  pass a model or a store, or build a tool that registers its versions: "
        + "'tool.code.versions = [try ModelBundle.Version(MusicV1.self)]'\n"
    ),
  ])
  func `a mistake gets a remedy`(arguments: [String], errors: String) throws {
    let run = try ToolFixture().run(["schema", "from-model"] + arguments)
    #expect(run.output == "" && run.errors == errors)
  }

  @Test func `names that no class can have are errors, all at once`() throws {
    let fixture = try ToolFixture()
    try fixture.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model>
        <entity name="Type"><attribute name="a" attributeType="String" optional="YES"/></entity>
        <entity name="Point"><attribute name="a" attributeType="Composite" compositeName="Point"/></entity>
        <composite name="Point"><attribute name="x" attributeType="Double" optional="YES"/></composite>
      </model>
      """, to: "odd.xml")
    try FileManager.default.createDirectory(
      at: fixture.folder.appending("Odd.xcdatamodel"), withIntermediateDirectories: true)
    try fixture.copy("odd.xml", to: "Odd.xcdatamodel/contents")
    #expect(
      fixture.run("schema", "from-model", "Odd.xcdatamodel")
        == .init(
          code: .failure, output: "",
          errors: """
            Odd.xcdatamodel/contents:3:3: error[schema.impossible-class-name]: entity 'Type' has a name that no class of \
            its own can have
              keep this version as a model file, or rename it in a new version
            Odd.xcdatamodel/contents:5:3: error[schema.impossible-class-name]: composite type 'Point' has a name that no \
            class of its own can have
              keep this version as a model file, or rename it in a new version

            """))
  }

  @Test func `classes with other version hashes are written, but the result is negative`() throws {
    let fixture = try ToolFixture()
    try ModelWriter.write(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Link",
          attributes: [
            AttributeDescription(name: "name", type: .string), AttributeDescription(name: "target", type: .objectID),
          ])
      ]), to: fixture.folder.appending("Links.xcdatamodel"))
    let run = fixture.run("schema", "from-model", "Links.xcdatamodel")
    #expect(run.code == .negative)
    #expect(
      run.errors == """
        warning[schema.not-in-classes]: classes cannot declare a part of the model: entity 'Link', attribute 'target': \
        type Object ID has no Swift counterpart
        error[schema.other-classes]: the classes have other version hashes than the model: entity 'Link'
          they cannot open stores of this model; keep this version as a model file

        """)
    #expect(run.output.contains("// - entity 'Link', attribute 'target': type Object ID has no Swift counterpart\n"))
  }
}
