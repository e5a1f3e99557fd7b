import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

struct FreezeSchemaTests {
  private static let first = ToolFixture.firstModel.versionChecksum
  private static let second = ToolFixture.secondModel.versionChecksum

  private func text(_ name: String, _ fixture: ToolFixture) throws -> String {
    try String(contentsOf: fixture.folder.appending(name), encoding: .utf8)
  }

  private func freeze(_ arguments: String..., in fixture: ToolFixture, code: MigrationCode = .init()) -> ToolFixture.Run
  {
    fixture.run(["schema", "freeze", "Frozen/Library.xcdatamodeld"] + arguments, code: code)
  }

  @Test func `every version of a bundle is frozen with its checksum and a small store`() throws {
    let fixture = try ToolFixture()
    let run = freeze("Library.xcdatamodeld", "--store", in: fixture)
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Frozen/Library.xcdatamodeld/Library.xcdatamodel: frozen
            Frozen/Library.sqlite: 12 objects
            Frozen/Library.xcdatamodeld/Library 2.xcdatamodel: frozen
            Frozen/Library 2.sqlite: 12 objects

            """,
          errors: ""))
    #expect(
      try text("Frozen/Library.checksums", fixture) == "\(Self.first)  Library\n\(Self.second)  Library 2\n")
    let frozen = try ModelBundle(contentsOf: fixture.folder.appending("Frozen/Library.xcdatamodeld"))
    #expect(frozen.versions.map(\.model) == [ToolFixture.firstModel, ToolFixture.secondModel])
    #expect(frozen.currentVersionName == "Library 2" && frozen.diagnostics == [])
    // The store has objects of every entity, and fits its frozen model.
    let inspect = fixture.run("inspect", "Frozen/Library.sqlite", "-m", "Frozen/Library.xcdatamodeld")
    #expect(inspect.code == .success && inspect.output.contains("'Library' of Frozen/Library.xcdatamodeld"))
    #expect(fixture.run("schema", "check", "Frozen/Library.xcdatamodeld", "Library.xcdatamodeld").code == .success)
  }

  @Test func `freezing twice gives the same bytes`() throws {
    func bytes() throws -> [Data] {
      let fixture = try ToolFixture()
      _ = freeze("Library.xcdatamodeld", "--store", in: fixture)
      return try ["Library.sqlite", "Library.checksums", "Library.xcdatamodeld/Library 2.xcdatamodel/contents"].map {
        try Data(contentsOf: fixture.folder.appending("Frozen/\($0)"))
      }
    }
    #expect(try bytes() == bytes())
  }

  @Test func `an unchanged version is not written again`() throws {
    let fixture = try ToolFixture()
    _ = freeze("Library.xcdatamodeld", "--store", in: fixture)
    let before = try fixture.files("Frozen").filter { $0.hasSuffix(".sqlite") }
    #expect(
      freeze("Library.xcdatamodeld", "--version", "Library", "--store", "--json", in: fixture)
        == .init(
          code: .success,
          output: """
            {
              "bundle": "Frozen/Library.xcdatamodeld",
              "checksums": "Frozen/Library.checksums",
              "versions": [
                {
                  "name": "Library",
                  "checksum": "\(Self.first)",
                  "new": false,
                  "store": "Frozen/Library.sqlite",
                  "objects": null
                }
              ],
              "diagnostics": []
            }

            """,
          errors: ""))
    #expect(try fixture.files("Frozen").filter { $0.hasSuffix(".sqlite") } == before)
  }

  @Test func `a version that has changed is frozen again only with --replace`() throws {
    let fixture = try ToolFixture()
    _ = freeze("Library.xcdatamodeld", in: fixture)
    let before = try text("Frozen/Library.checksums", fixture)
    var changed = ToolFixture.secondModel
    changed.entities[1].attributes[0].type = .integer64
    changed.entities[1].attributes[1].defaultValue = .string("untitled")
    var code = MigrationCode()
    code.versions = [.init(name: "Library 2", model: changed), .init(name: "Library 3", model: ToolFixture.firstModel)]
    #expect(
      freeze(in: fixture, code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.already-frozen]: version 'Library 2' is frozen already, and has changed since: entity 'Book': \
            attribute 'pages': attributeType: Integer 32 → Integer 64; entity 'Book': attribute 'title': defaultValue: \
            none → "untitled"
              undo the change, freeze it as a new version, or replace the frozen one with --replace

            """))
    #expect(try text("Frozen/Library.checksums", fixture) == before)
    #expect(
      freeze("--replace", in: fixture, code: code)
        == .init(
          code: .success,
          output: """
            Frozen/Library.xcdatamodeld/Library 2.xcdatamodel: frozen
            Frozen/Library.xcdatamodeld/Library 3.xcdatamodel: frozen

            """,
          errors: """
            warning[schema.same-checksum]: versions 'Library 3' and 'Library' have the same checksum: a store does not \
            show which of them it has
              freeze only one of them, or give an entity of one a version hash modifier

            """))
    #expect(
      try text("Frozen/Library.checksums", fixture)
        == "\(Self.first)  Library\n\(changed.versionChecksum)  Library 2\n\(Self.first)  Library 3\n")
  }

  @Test func `an interrupted replacement leaves a version without a checksum, and is finished by another run`() throws {
    let fixture = try ToolFixture()
    _ = freeze("Library.xcdatamodeld", in: fixture)
    var changed = ToolFixture.secondModel
    changed.entities[1].attributes[0].type = .integer64
    var code = MigrationCode()
    // No folder can have the second name, so the run ends when the first model is written.
    code.versions = [
      .init(name: "Library 2", model: changed),
      .init(name: String(repeating: "x", count: 300), model: ToolFixture.firstModel),
    ]
    #expect(freeze("--replace", in: fixture, code: code).code == .failure)
    #expect(try text("Frozen/Library.checksums", fixture) == "\(Self.first)  Library\n")
    code.versions.removeLast()
    #expect(
      fixture.run(["schema", "check", "Frozen/Library.xcdatamodeld"], code: code)
        == .init(
          code: .negative,
          output: """
            Frozen/Library.xcdatamodeld: error[schema.no-checksum]: frozen version 'Library 2' has no checksum in \
            'Frozen/Library.checksums'
              if 'schema freeze' was interrupted, run it again; otherwise, restore the file from your repository

            1 error

            """,
          errors: ""))
    #expect(freeze(in: fixture, code: code).code == .success)
    #expect(
      try text("Frozen/Library.checksums", fixture)
        == "\(Self.first)  Library\n\(changed.versionChecksum)  Library 2\n")
    #expect(fixture.run(["schema", "check", "Frozen/Library.xcdatamodeld"], code: code).code == .success)
  }

  @Test func `a frozen model that was edited together with its classes is not accepted in silence`() throws {
    let fixture = try ToolFixture()
    _ = freeze("Library.xcdatamodeld", in: fixture)
    var changed = ToolFixture.secondModel
    changed.entities[1].attributes[0].type = .integer64
    try ModelWriter.write(changed, to: fixture.folder.appending("Frozen/Library.xcdatamodeld/Library 2.xcdatamodel"))
    var code = MigrationCode()
    code.versions = [.init(name: "Library 2", model: changed)]
    #expect(
      freeze(in: fixture, code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.checksum-disagrees]: frozen version 'Library 2' has changed: its checksum is \
            \(changed.versionChecksum), but 'Frozen/Library.checksums' records \(Self.second)
              restore 'Frozen/Library.xcdatamodeld/Library 2.xcdatamodel' from your repository; or, if there are no stores \
            of this version yet, record the change with 'schema freeze --replace'

            """))
    #expect(freeze("--replace", in: fixture, code: code).code == .success)
    #expect(fixture.run(["schema", "check", "Frozen/Library.xcdatamodeld"], code: code).code == .success)
  }

  @Test func `a store of another version is found before anything is written`() throws {
    let fixture = try ToolFixture()
    _ = freeze("Library.xcdatamodeld", "--store", in: fixture)
    func contents() throws -> [Data] {
      try ["Library.checksums", "Library.xcdatamodeld/Library.xcdatamodel/contents", "Library.sqlite"].map {
        try Data(contentsOf: fixture.folder.appending("Frozen/\($0)"))
      }
    }
    let before = try contents()
    var code = MigrationCode()
    code.versions = [
      .init(name: "Library", model: ToolFixture.secondModel), .init(name: "Library 2", model: ToolFixture.firstModel),
    ]
    let remedy = "restore it from your repository, or delete it and freeze the version again with --store"
    #expect(
      freeze("--replace", "--store", in: fixture, code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.store-disagrees]: store 'Frozen/Library 2.sqlite' has other version hashes than frozen version \
            'Library 2'
              \(remedy)
            error[schema.store-disagrees]: store 'Frozen/Library.sqlite' has other version hashes than frozen version \
            'Library'
              \(remedy)

            """))
    #expect(try contents() == before)
  }

  @Test(arguments: [("a\nb", "'a\\u{a}b'"), (" a", "' a'")])
  func `a version whose name cannot be listed is not frozen`(name: String, shown: String) throws {
    let fixture = try ToolFixture()
    var code = MigrationCode()
    code.versions = [.init(name: name, model: ToolFixture.firstModel)]
    #expect(
      freeze(in: fixture, code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.impossible-version-name]: the file of the checksums cannot contain a version named \(shown)
              freeze it under a name that has no line breaks and does not begin with a space: use --as

            """))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.appending("Frozen").path))
    #expect(freeze("--as", "a b", in: fixture, code: code).code == .success)
  }

  @Test func `the versions of a tool are frozen from their classes, complete`() throws {
    let fixture = try ToolFixture()
    var code = MigrationCode()
    code.versions = [
      try ModelBundle.Version(Everything.self), try ModelBundle.Version(Addresses.self),
      try ModelBundle.Version(MusicNow.self, name: "Music 3"),
    ]
    #expect(
      fixture.run(["schema", "freeze", "All.xcdatamodeld"], code: code)
        == .init(
          code: .success,
          output: """
            All.xcdatamodeld/Everything.xcdatamodel: frozen
            All.xcdatamodeld/Addresses.xcdatamodel: frozen
            All.xcdatamodeld/Music 3.xcdatamodel: frozen

            """,
          errors: ""))
    let frozen = try ModelBundle(contentsOf: fixture.folder.appending("All.xcdatamodeld"))
    for version in code.versions {
      let model = frozen.versions.first { $0.name == version.name }?.model
      #expect(model == version.model && model?.versionHashes == version.model.versionHashes, "\(version.name)")
    }
    #expect(fixture.run(["schema", "check", "All.xcdatamodeld"], code: code).code == .success)
  }

  @Test func `initial values that differ each time do not count, and those without a form are reported`() throws {
    let fixture = try ToolFixture()
    func code() throws -> MigrationCode {
      var code = MigrationCode()
      code.versions = [try ModelBundle.Version(BadgesV1.self)]
      return code
    }
    let warning = """
      warning[schema.not-representable]: version 'BadgesV1' has parts that a model file cannot state: entity 'Badge': \
      attribute 'image': defaultValue: 2 bytes, 0102 → none
        if they matter, keep the classes of this version, too

      """
    #expect(
      freeze(in: fixture, code: try code())
        == .init(
          code: .success, output: "Frozen/Library.xcdatamodeld/BadgesV1.xcdatamodel: frozen\n", errors: warning))
    #expect(
      freeze(in: fixture, code: try code())
        == .init(
          code: .success, output: "Frozen/Library.xcdatamodeld/BadgesV1.xcdatamodel: frozen already, unchanged\n",
          errors: warning))
    #expect(
      fixture.run(["schema", "check", "Frozen/Library.xcdatamodeld"], code: try code())
        == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
  }

  @Test func `the model in a store is frozen under a given name`() throws {
    let fixture = try ToolFixture()
    var options = PersistentStore.CreationOptions()
    options.carriesModel = true
    try PersistentStore.create(
      at: fixture.folder.appending("Own.sqlite"), model: ToolFixture.firstModel, options: options
    )
    .close()
    #expect(
      freeze("Own.sqlite", "--as", "1.0", in: fixture)
        == .init(code: .success, output: "Frozen/Library.xcdatamodeld/1.0.xcdatamodel: frozen\n", errors: ""))
    #expect(try text("Frozen/Library.checksums", fixture) == "\(Self.first)  1.0\n")
  }

  @Test(arguments: [
    (
      ["Frozen", "Library.xcdatamodeld"], ExitCode.failure,
      """
      error[schema.not-a-bundle]: 'Frozen' is not the name of a bundle of models
        write a name that ends with '.xcdatamodeld'

      """
    ),
    (
      ["F.xcdatamodeld", "Library.xcdatamodeld", "--as", "1"], .usage,
      """
      error[usage.one-name]: --as needs a single version, but 'Library.xcdatamodeld' has 2
        choose one: --version 'Library', --version 'Library 2'
      see 'heavylift schema freeze --help'

      """
    ),
    (
      ["F.xcdatamodeld", "Library.xcdatamodeld", "--version", "Libary"], .failure,
      """
      error[schema.unknown-version]: 'Library.xcdatamodeld' has no version 'Libary'
        did you mean 'Library'?

      """
    ),
    (
      ["F.xcdatamodeld", "Library.xcdatamodeld", "--version", "Library", "--as", "a/b"], .failure,
      """
      error[model-file.unwritable-bundle]: version 'a/b' cannot be the name of a folder
        choose a name that is not empty, '.' or '..', and contains no '/'

      """
    ),
  ])
  func `a mistake gets a remedy, and nothing is frozen`(arguments: [String], code: ExitCode, errors: String) throws {
    let fixture = try ToolFixture()
    #expect(
      fixture.run(["schema", "freeze"] + arguments) == .init(code: code, output: "", errors: errors))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.appending("F.checksums").path))
  }

  @Test func `two versions of one name are a mistake of the tool`() throws {
    var code = MigrationCode()
    code.versions = [
      .init(name: "1", model: ToolFixture.firstModel), .init(name: "1", model: ToolFixture.secondModel),
    ]
    #expect(
      freeze(in: try ToolFixture(), code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.duplicate-version]: the tool registers two versions named '1'
              give one of them another name

            """))
  }

  @Test func `hashes that do not follow from the model are not lost in silence`() throws {
    var model = ToolFixture.firstModel
    model.statedVersionHashes = model.versionHashes
    model.statedVersionHashes["Book"] = model.versionHashes["Author"]
    var code = MigrationCode()
    code.versions = [.init(name: "1", model: model)]
    let fixture = try ToolFixture()
    #expect(
      freeze(in: fixture, code: code)
        == .init(
          code: .failure, output: "",
          errors: """
            error[schema.other-hashes]: version '1' records version hashes that do not follow from its model, and that a \
            model file cannot state: those of entity 'Book'
              keep the compiled model or the store instead of a frozen one

            """))
    #expect(!FileManager.default.fileExists(atPath: fixture.folder.appending("Frozen").path))
  }
}

/// Classes with initial values that a model file cannot state, or that differ each time.
private enum BadgesV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Badge.self] }

  final class Badge: Entity {
    @Attribute var id = UUID()
    @Attribute var issuedAt = Date()
    @Attribute var image = Data([1, 2])
  }
}
