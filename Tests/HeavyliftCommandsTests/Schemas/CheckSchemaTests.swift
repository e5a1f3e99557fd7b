import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct CheckSchemaTests {
  /// A folder in which both versions of the Library are frozen.
  private func fixture() throws -> ToolFixture {
    let fixture = try ToolFixture()
    _ = fixture.run("schema", "freeze", "Library.frozen.xcdatamodeld", "Library.xcdatamodeld", "--store")
    return fixture
  }

  private func check(_ fixture: ToolFixture, _ models: [ManagedObjectModel], _ options: String...) -> ToolFixture.Run {
    var code = MigrationCode()
    code.versions = zip(["Library", "Library 2", "Library 3"], models).map { .init(name: $0, model: $1) }
    return fixture.run(["schema", "check", "Library.frozen.xcdatamodeld"] + options, code: code)
  }

  @Test func `versions that have not changed pass`() throws {
    let fixture = try fixture()
    let passed = ToolFixture.Run(code: .success, output: "no errors, no warnings\n", errors: "")
    #expect(check(fixture, [ToolFixture.firstModel, ToolFixture.secondModel]) == passed)
    #expect(check(fixture, [ToolFixture.firstModel]) == passed)
    #expect(fixture.run("schema", "check", "Library.frozen.xcdatamodeld", "Library.xcdatamodeld") == passed)
    // Without versions, only the files are checked.
    #expect(check(fixture, []) == passed)
  }

  @Test func `every property that has drifted is named, and a version that is not frozen`() throws {
    let fixture = try fixture()
    var first = ToolFixture.firstModel
    first.entities[0].attributes[0].isOptional = false
    first.entities[0].relationships[0].deleteRule = .cascade
    first.entities[1].attributes[0].defaultValue = .integer(5)
    first.entities[1].attributes.append(AttributeDescription(name: "isbn", type: .string))
    first.entities[2].attributes.remove(at: 0)
    first.entities.append(EntityDescription(name: "Shelf"))
    #expect(
      check(fixture, [first, ToolFixture.secondModel, ToolFixture.firstModel])
        == .init(
          code: .negative,
          output: """
            Library.frozen.xcdatamodeld: error[schema.drift]: version 'Library' has changed since it was frozen: entity \
            'Author': attribute 'name': optional: YES → NO
              stores of this version exist: undo the change, or make it in a new version and freeze that one
            Library.frozen.xcdatamodeld: error[schema.drift]: version 'Library' has changed since it was frozen: entity \
            'Book': attribute 'isbn': added (String, optional)
              stores of this version exist: undo the change, or make it in a new version and freeze that one
            Library.frozen.xcdatamodeld: error[schema.drift]: version 'Library' has changed since it was frozen: entity \
            'Novel': attribute 'genre': removed (String, optional)
              stores of this version exist: undo the change, or make it in a new version and freeze that one
            Library.frozen.xcdatamodeld: error[schema.drift]: version 'Library' has changed since it was frozen: entity \
            'Shelf': added
              stores of this version exist: undo the change, or make it in a new version and freeze that one
            Library.frozen.xcdatamodeld: note[schema.unhashed-drift]: version 'Library' differs from its frozen model, \
            but not in its version hashes: entity 'Author': relationship 'books': deletionRule: Nullify → Cascade
              undo the change, or record it with 'schema freeze --replace'
            Library.frozen.xcdatamodeld: note[schema.unhashed-drift]: version 'Library' differs from its frozen model, \
            but not in its version hashes: entity 'Book': attribute 'pages': defaultValue: 0 → 5
              undo the change, or record it with 'schema freeze --replace'
            Library.frozen.xcdatamodeld: error[schema.not-frozen]: version 'Library 3' is not frozen
              freeze it before you release it: 'schema freeze'

            5 errors, 2 notes

            """,
          errors: ""))
  }

  @Test func `differences that do not change a hash are notes`() throws {
    let fixture = try fixture()
    var first = ToolFixture.firstModel
    first.entities[1].attributes[0].defaultValue = .integer(5)
    let expected = """
      Library.frozen.xcdatamodeld: note[schema.unhashed-drift]: version 'Library' differs from its frozen model, but not \
      in its version hashes: entity 'Book': attribute 'pages': defaultValue: 0 → 5
        undo the change, or record it with 'schema freeze --replace'

      1 note

      """
    #expect(check(fixture, [first]) == .init(code: .success, output: expected, errors: ""))
    #expect(check(fixture, [first], "--strict") == .init(code: .negative, output: expected, errors: ""))
  }

  @Test func `a change to an element of a composite type is named`() throws {
    let fixture = try ToolFixture()
    func model(_ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Place", attributes: [AttributeDescription(name: "at", type: .composite, compositeName: "Point")])
        ],
        composites: [CompositeDescription(name: "Point", elements: [AttributeDescription(name: "x", type: type)])])
    }
    var code = MigrationCode()
    code.versions = [.init(name: "1", model: model(.double))]
    _ = fixture.run(["schema", "freeze", "P.xcdatamodeld"], code: code)
    code.versions = [.init(name: "1", model: model(.float))]
    #expect(
      fixture.run(["schema", "check", "P.xcdatamodeld"], code: code)
        == .init(
          code: .negative,
          output: """
            P.xcdatamodeld: error[schema.drift]: version '1' has changed since it was frozen: composite 'Point': element \
            'x': attributeType: Double → Float
              stores of this version exist: undo the change, or make it in a new version and freeze that one

            1 error

            """,
          errors: ""))
  }

  @Test func `frozen files that were edited, deleted or exchanged are found`() throws {
    let fixture = try fixture()
    let bundle = fixture.folder.appending("Library.frozen.xcdatamodeld")
    let files = FileManager.default
    // The checksum is that of another model, a version has no model, and a store is of another version.
    try ModelWriter.write(ToolFixture.secondModel, to: bundle.appending(path: "Library.xcdatamodel"))
    try files.removeItem(at: bundle.appending(path: "Library 2.xcdatamodel"))
    try files.removeItem(at: bundle.appending(path: ".xccurrentversion"))
    let (first, second) = (ToolFixture.firstModel.versionChecksum, ToolFixture.secondModel.versionChecksum)
    #expect(
      check(fixture, [])
        == .init(
          code: .negative,
          output: """
            Library.frozen.xcdatamodeld: error[schema.checksum-disagrees]: frozen version 'Library' has changed: its \
            checksum is \(second), but 'Library.frozen.checksums' records \(first)
              restore 'Library.frozen.xcdatamodeld/Library.xcdatamodel' from your repository; or, if there are no stores \
            of this version yet, record the change with 'schema freeze --replace'
            Library.frozen.xcdatamodeld: error[schema.store-disagrees]: store 'Library.sqlite' has other version hashes \
            than frozen version 'Library'
              restore it from your repository, or delete it and freeze the version again with --store
            Library.frozen.xcdatamodeld: error[schema.missing-version]: 'Library.frozen.checksums' has a checksum of \
            version 'Library 2', but there is no 'Library.frozen.xcdatamodeld/Library 2.xcdatamodel'
              restore the model from your repository; stores of this version exist

            3 errors

            """,
          errors: ""))
  }

  @Test func `a version without a checksum is found, and freezing it again adds the checksum`() throws {
    let fixture = try fixture()
    let checksums = fixture.folder.appending("Library.frozen.checksums")
    try FileManager.default.removeItem(at: checksums)
    let run = check(fixture, [])
    #expect(run.code == .negative)
    #expect(
      run.output.hasPrefix(
        """
        Library.frozen.xcdatamodeld: error[schema.no-checksum]: frozen version 'Library' has no checksum in \
        'Library.frozen.checksums'
          if 'schema freeze' was interrupted, run it again; otherwise, restore the file from your repository

        """))
    _ = fixture.run("schema", "freeze", "Library.frozen.xcdatamodeld", "Library.xcdatamodeld")
    #expect(check(fixture, []).code == .success)
  }

  @Test func `a tool with several schemas compares each bundle with its own versions`() throws {
    let fixture = try fixture()
    var code = MigrationCode()
    code.versionsByModel = [
      "Library.frozen": [.init(name: "Library", model: ToolFixture.firstModel)],
      "Other": [.init(name: "1", model: ToolFixture.secondModel)],
    ]
    #expect(
      fixture.run(["schema", "check", "Library.frozen.xcdatamodeld"], code: code)
        == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    #expect(
      fixture.run(["schema", "freeze", "Other.xcdatamodeld"], code: code)
        == .init(code: .success, output: "Other.xcdatamodeld/1.xcdatamodel: frozen\n", errors: ""))
    try FileManager.default.moveItem(
      at: fixture.folder.appending("Other.xcdatamodeld"), to: fixture.folder.appending("Othr.xcdatamodeld"))
    for command in ["check", "freeze"] {
      #expect(
        fixture.run(["schema", command, "Othr.xcdatamodeld"], code: code)
          == .init(
            code: .failure, output: "",
            errors: """
              error[schema.no-versions]: the tool has versions of several schemas, but none for 'Othr.xcdatamodeld'
                did you mean 'Other.xcdatamodeld'?

              """))
    }
    // Without a bundle, a version of any schema can be meant.
    #expect(fixture.run(["schema", "from-model", "--version", "Library"], code: code).code == .success)
  }

  @Test func `a damaged file of checksums is an error with every line`() throws {
    let fixture = try fixture()
    let first = ToolFixture.firstModel.versionChecksum
    try fixture.write(
      "\(first)  Library\n<<<<<<< HEAD\n\n\(first)  Library\nabc  Library 2\n", to: "Library.frozen.checksums")
    let remedy = "  restore the line from your repository; 'schema freeze' writes it\n"
    let problem =
      "error[schema.checksums-damaged]: the line is not the checksum and the name of a version, or repeats a name\n"
    #expect(
      check(fixture, [])
        == .init(
          code: .failure, output: "",
          errors: [2, 4, 5].map { "Library.frozen.checksums:\($0):1: \(problem)\(remedy)" }.joined()))
  }
}
