import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct InspectCommandTests {
  @Test func `a store is described without any model`() throws {
    let run = try ToolFixture().run("inspect", "Library.sqlite")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Library.sqlite
              size        SIZE
              identifier  11111111-2222-3333-4444-555555555555
              framework   stated as Core Data 1344
              journal     write-ahead log
              version     unknown: give models with --model
              own model   none

            4 objects of 3 entities
              number  entity   table    objects  highest key  Z_MAX
                   1  Author   ZAUTHOR        1            1      1
                   2  Book     ZBOOK          2            3      3
                   3    Novel  ZBOOK          1            2

            Also in the store
              metadata 'theme': a string

            """, errors: ""))
  }

  @Test func `the version is found among models, and hashes are shown on request`() throws {
    let run = try ToolFixture().run("inspect", "--hashes", "Library.sqlite", "--model=Library.xcdatamodeld")
    let hashes = ToolFixture.firstModel.versionHashes
    let author = try #require(hashes["Author"])
    let book = try #require(hashes["Book"])
    let novel = try #require(hashes["Novel"])
    #expect(run.code == .success)
    #expect(
      run.output.hasSuffix(
        """
          version     'Library' of Library.xcdatamodeld, according to its version hashes
          own model   none

        4 objects of 3 entities
          number  entity   table    objects  highest key  Z_MAX
               1  Author   ZAUTHOR        1            1      1
               2  Book     ZBOOK          2            3      3
               3    Novel  ZBOOK          1            2

        Also in the store
          metadata 'theme': a string

        Version hashes
          entity  hash
          Author  \(author)
          Book    \(book)
          Novel   \(novel)

        """), "\(run.output)")
  }

  @Test func `a model with the same tables but other hashes does not fit`() throws {
    let run = try ToolFixture().run("inspect", "Library.sqlite", "-m", "Library.xcdatamodeld/Library 2.xcdatamodel")
    #expect(run.code == .negative)
    #expect(
      run.output.contains(
        """
          version     none of the given models fits
          own model   none

        Why no model fits, closest first
          'Library 2' (Library.xcdatamodeld/Library 2.xcdatamodel)
            entity 'Book' differs: the columns match, so the difference is in a flag, a type or a relationship's \
        parameter
            entity 'Novel' differs: its parent entity 'Book' differs

        """), "\(run.output)")
  }

  @Test func `a model in the store that is of another version names the entities that differ`() throws {
    let fixture = try ToolFixture()
    let database = try Database(path: fixture.folder.appending("Library.sqlite").path, mode: .readWrite)
    try database.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
    try database.run(
      "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
      .blob(try CompiledModelWriter.modelCache(for: ToolFixture.secondModel)))
    try database.close()
    let run = fixture.run("inspect", "Library.sqlite")
    let line = "  own model   one of another version, which is not used; it differs in entities 'Book', 'Novel'\n"
    #expect(run.output.contains(line), "\(run.output)")
    let json = fixture.run("inspect", "Library.sqlite", "--json").output
    #expect(json.contains(#""differingEntities""#), "\(json)")
  }

  @Test func `a store that fits no model gets the reasons, and a negative exit code`() throws {
    let fixture = try ToolFixture()
    var model = ToolFixture.firstModel
    model.entities[0].name = "Writer"
    try ModelWriter.write(model, to: fixture.folder.appending("Other.xcdatamodel"))
    let run = fixture.run("inspect", "Library.sqlite", "--model", "Other.xcdatamodel")
    #expect(run.code == .negative)
    #expect(
      run.output.contains(
        """
          version     none of the given models fits
          own model   none

        Why no model fits, closest first
          'Other' (Other.xcdatamodel)
            entity 'Author' is only in the store

        """), "\(run.output)")
  }

  @Test func `unknown parts are listed, and oddities are explained`() throws {
    let fixture = try ToolFixture()
    try fixture.change(
      "Library.sqlite",
      """
      CREATE TABLE notes (a, b); INSERT INTO notes VALUES (1, 2); CREATE VIEW v AS SELECT 1;
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); ALTER TABLE ZBOOK ADD COLUMN ZOLD;
      CREATE TRIGGER t AFTER DELETE ON ZBOOK BEGIN SELECT 1; END;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'; INSERT INTO ZBOOK (Z_PK, Z_ENT) VALUES (5000, 9);
      CREATE TABLE "evil\u{1B}[31m" (a)
      """)
    let run = fixture.run("inspect", "Library.sqlite", "-m", "Library.xcdatamodeld")
    #expect(run.code == .success)
    #expect(
      run.output.hasSuffix(
        """
        4 objects of 3 entities
          number  entity   table    objects  highest key  Z_MAX
               1  Author   ZAUTHOR        1            1      1
               2  Book     ZBOOK          2            3      1
               3    Novel  ZBOOK          1            2

        Also in the store
          table ACHANGE: persistent history, 0 rows
          table evil\\u{1b}[31m: not in the model, 0 rows
          table notes: not in the model, 1 row
          column ZOLD of ZBOOK: not in the model
          trigger t
          view v
          metadata 'theme': a string

        Notes
          warning: table ZBOOK has 1 row of entity number 9, which Z_PRIMARYKEY does not list
            the store cannot be dumped or migrated until these rows are removed or assigned to an entity
          warning: Z_MAX of entity 'Book' is 1, but its highest key is 5000
            a new object would get the key of an existing one: set Z_MAX to 5000

        """), "\(run.output)")
  }

  @Test func `rows with the number of another entity are counted where the table has only one`() throws {
    let fixture = try ToolFixture()
    try fixture.change("Library.sqlite", "INSERT INTO ZAUTHOR (Z_PK, Z_ENT) VALUES (7, 3); UPDATE ZBOOK SET Z_ENT = 1")
    let run = fixture.run("inspect", "Library.sqlite")
    #expect(
      run.output.hasSuffix(
        """
        2 objects of 3 entities
          number  entity   table    objects  highest key  Z_MAX
               1  Author   ZAUTHOR        2            7      1
               2  Book     ZBOOK          0                   3
               3    Novel  ZBOOK          0

        Also in the store
          metadata 'theme': a string

        Notes
          warning: 1 row has the number of another entity than the only one of the table: 1 in ZAUTHOR
            nothing needs to be done: they are read as objects of 'Author', and a migration gives them its number
          warning: Z_MAX of entity 'Author' is 1, but its highest key is 7
            a new object would get the key of an existing one: set Z_MAX to 7
          warning: table ZBOOK has 3 rows of entity number 1, which is that of 'Author' in another table
            the store cannot be dumped or migrated until these rows are removed or assigned to an entity

        """), "\(run.output)")
  }

  @Test func `a log that SQLite ignores is reported`() throws {
    let fixture = try ToolFixture()
    try fixture.write(String(repeating: "no log ", count: 100), to: "Library.sqlite-wal")
    let run = fixture.run("inspect", "Library.sqlite")
    #expect(
      run.output.hasSuffix(
        """
        Notes
          warning: store 'FOLDER/Library.sqlite' has a damaged -wal, which SQLite ignores: the changes in it are missing
            look for an undamaged copy of the -wal; SQLite overwrites this one when the store is next written to

        """), "\(run.output)")
  }

  @Test func `JSON contains the same facts`() throws {
    struct Report: Decodable, Equatable {
      struct Entity: Decodable, Equatable {
        var number: Int
        var name: String
        var parent: String?
        var table: String?
        var objects: Int?
        var highestKey: Int?
        var maximumKey: Int?
      }
      struct Version: Decodable, Equatable {
        var fits: String
        var model: String?
        var evidence: String?
        var ownModel: String
      }
      var store: String
      var identifier: String
      var journalMode: String
      var version: Version
      var entities: [Entity]
    }
    let run = try ToolFixture().run("inspect", "Library.sqlite", "-m", "Library.xcdatamodeld", "--json")
    #expect(
      try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        == Report(
          store: "Library.sqlite", identifier: "11111111-2222-3333-4444-555555555555", journalMode: "wal",
          version: .init(fits: "one", model: "Library", evidence: "version hashes", ownModel: "none"),
          entities: [
            .init(number: 1, name: "Author", table: "ZAUTHOR", objects: 1, highestKey: 1, maximumKey: 1),
            .init(number: 2, name: "Book", table: "ZBOOK", objects: 2, highestKey: 3, maximumKey: 3),
            .init(number: 3, name: "Novel", parent: "Book", table: "ZBOOK", objects: 1, highestKey: 2),
          ]))
  }

  @Test func `inspecting a store leaves its folder unchanged`() throws {
    let fixture = try ToolFixture()
    try fixture.copy("Library.sqlite", to: "Other.sqlite")
    let before = try fixture.files()
    for arguments in [["inspect"], ["dump", "-m", "Library.xcdatamodeld"]] {
      #expect(fixture.run(arguments + ["Library.sqlite"]).code == .success)
    }
    #expect(fixture.run("diff", "Library.sqlite", "Other.sqlite", "-m", "Library.xcdatamodeld").code == .success)
    #expect(try fixture.files() == before)
  }

  @Test func `a terminal gets emphasis, and nothing else changes`() throws {
    let fixture = try ToolFixture()
    let plain = fixture.run("inspect", "Library.sqlite")
    let coloured = fixture.run("inspect", "Library.sqlite", usesColor: true)
    #expect(coloured.output.contains("\u{1B}[1mLibrary.sqlite\u{1B}[0m"))
    #expect(coloured.output.replacing(/\u{1B}\[\d+m/, with: "") == plain.output)
  }
}

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusInspectTests {
  private static let stores = Corpus.isPresent ? Corpus.files(endingWith: ".sqlite").map(Corpus.name) : []

  @Test(arguments: stores)
  func `every store is counted as plain SQL counts it`(name: String) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Corpus.root.appending(path: name))
    let inspection = try StoreInspection(StoreFile(url: url), layout: nil)
    #expect(!inspection.entities.isEmpty)
    let database = try Database(path: url.path, mode: .readOnly)
    for entity in inspection.entities {
      let table = try #require(entity.tableName)
      guard
        case .integer(let rows)? = try database.firstValue(
          "SELECT count(*) FROM \(table) WHERE Z_ENT = \(entity.number)")
      else { throw Diagnostic(.error, code: "test", problem: "no count") }
      #expect(entity.objects == Int(rows), "\(entity.name)")
    }
    // Nothing in these stores is unknown but history.
    #expect(inspection.unknownTables.isEmpty)
    #expect(inspection.unknownTriggers.isEmpty)
  }

  @Test(arguments: [
    ("SampleModel", "SampleModel_V2.sqlite", "SampleModel.momd", "'SampleModel2' of SampleModel.momd"),
    (
      "SampleModel", "SampleModel_V1.sqlite", "SampleModel.momd/SampleModel.mom",
      "'SampleModel' (SampleModel.momd/SampleModel.mom)"
    ),
  ])
  func `compiled models are searched, too`(sample: String, store: String, model: String, version: String) throws {
    let fixtures = Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/\(sample)/Fixtures")
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(fixtures.appending(path: store))
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: fixtures)
    #expect(CommandLineTool.heavylift.run(["inspect", copy.path, "-m", model], io) == .success)
    #expect(errors.text == "")
    #expect(output.text.contains("  version     \(version), according to its version hashes\n"), "\(output.text)")
    #expect(output.text.contains("  own model   the one that the store was written with\n"), "\(output.text)")
  }

  @Test func `a store that carries its model is not confused with other models`() throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(
      Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3_V1.sqlite"))
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: Corpus.root)
    let model = "BookMigration/Model.xcdatamodeld/Model1.xcdatamodel"
    #expect(CommandLineTool.heavylift.run(["inspect", copy.path, "-m", model], io) == .negative)
    #expect(
      output.text.contains(
        """
          version     that of the model that the store contains; none of the given models fits
          own model   the one that the store was written with

        Why no model fits, closest first
          'Model1' (BookMigration/Model.xcdatamodeld/Model1.xcdatamodel)
            entity 'Book' is only in the model
            entity 'User' differs: attribute 'name': removed, attribute 'petName': removed, attribute 'userId': added, \
        relationship 'books': added

        """), "\(output.text)")
  }
}
