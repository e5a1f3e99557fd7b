import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// The tables that a migration takes over from a copy of the source, and those that it writes.
@Suite struct KeptTableTests {
  private static let library = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Author",
        attributes: [
          Models.attribute("name", .string), Models.attribute("isAlive", .boolean), Models.attribute("born", .date),
        ],
        relationships: [Models.toMany("books", "Book", "author")]),
      EntityDescription(
        name: "Book", attributes: [Models.attribute("title", .string), Models.attribute("pages", .integer32)],
        relationships: [Models.toOne("author", "Author", "books")]),
    ])

  private func changed(_ change: (inout ManagedObjectModel) -> Void) -> ManagedObjectModel {
    var model = Self.library
    model.name = "2"
    change(&model)
    return model
  }

  private func test(
    to new: ManagedObjectModel, authors: Int = 3, books: Int = 9, policies: PolicyRegistry = PolicyRegistry()
  ) throws -> MigrationTest {
    try MigrationTest(from: Self.library, to: new, policies: policies) { context in
      var all: [ManagedObject] = []
      for number in 0..<authors {
        let author = try context.insert("Author")
        author["name"] = .string("author \(number)")
        author["born"] = .date(Date(timeIntervalSinceReferenceDate: TimeInterval(number) / 2))
        author["isAlive"] = .bool(number.isMultiple(of: 2))
        all.append(author)
      }
      for number in 0..<books {
        let book = try context.insert("Book")
        book["title"] = .string("book \(number)")
        book["pages"] = .integer(Int64(number))
        try book.setObject(all[number % all.count], forKey: "author")
      }
    }
  }

  private func mapping(_ entities: EntityMappingDescription...) -> MappingModel {
    MappingModel(
      entityMappings: entities.isEmpty
        ? ["Author", "Book"].map { EntityMappingDescription(source: $0, destination: $0) } : entities)
  }

  /// The names of the tables that are kept.
  private func kept(
    _ test: MigrationTest, _ mapping: MappingModel, _ keeping: TableKeeping = .always
  ) throws -> [String] {
    var options = MigrationOptions()
    options.keeping = keeping
    options.unknownTables = .leaveBehind
    return try test.manager.plan(from: test.source, with: [mapping], options: options).keptTables.map(\.name)
      .sorted()
  }

  private func execute(_ sql: String, in test: MigrationTest) throws {
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  @Test func `tables that stay the same are kept`() throws {
    let test = try test(to: changed { _ in })
    #expect(try kept(test, mapping()) == ["ZAUTHOR", "ZBOOK"])
    var options = MigrationOptions()
    options.keeping = .always
    let report = try test.migrate(mapping(), options: options)
    #expect(report.objects == ["Author": 3, "Book": 9])
    #expect(report.rows.map(\.migrated) == [3, 9])
    #expect(try test.lines("Book", "title", "author").first == "Book/p1 title=book 0 author=Author/p1")
    #expect(try test.rows("PRAGMA integrity_check") == ["text(\"ok\")"])
  }

  /// On file systems that can share blocks, the copy needs a descriptor of its own for the old store.
  @Test func `a copy of the file releases no lock of the program, and leaves no file open`() throws {
    let test = try test(to: changed { _ in })
    let own = try Database(path: test.source.path, mode: .readOnly)
    try own.execute("BEGIN; SELECT count(*) FROM ZBOOK")
    var options = MigrationOptions()
    options.keeping = .always
    try test.migrate(mapping(), options: options)
    func isLocked() throws -> Bool {
      try !RangeLock(test.source).take(
        .write, from: RangeLock.Database.shared, count: RangeLock.Database.sharedSize)
    }
    #expect(try isLocked())
    try own.close()
    #expect(try !isLocked())
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let files = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    #expect(!files.contains(test.source.resolvingSymlinksInPath().path))
  }

  @Test func `a store is replaced by one that started as its copy`() throws {
    let test = try test(
      to: changed { $0.entities[0].attributes.append(Models.attribute("sortName", .string)) })
    var options = MigrationOptions()
    options.keeping = .always
    let report = try IncrementalMigrationManager(
      models: [test.old, test.new], infersMissingMappings: true, execution: MappingHopExecution(options: options)
    ).migrate(test.source, options: IncrementalMigrationOptions(mode: .copy))
    #expect(report.hops.count == 1)
    let store = try PersistentStore(url: test.source, models: [test.new], mode: .readOnly)
    #expect(try store.objectCounts() == ["Author": 3, "Book": 9])
  }

  @Test func `only the table that changes is written`() throws {
    let test = try test(
      to: changed { $0.entities[0].attributes.append(Models.attribute("sortName", .string)) })
    let written = mapping(
      EntityMappingDescription(
        source: "Author", destination: "Author",
        properties: [.attribute("sortName", try MappingExpression(parsing: "uppercase:($source.name)"))]),
      EntityMappingDescription(source: "Book", destination: "Book"))
    #expect(try kept(test, written) == ["ZBOOK"])
    var options = MigrationOptions()
    options.keeping = .always
    try test.migrate(written, options: options)
    #expect(try test.lines("Author", "sortName").last == "Author/p3 sortName=AUTHOR 2")
    #expect(try test.lines("Author", "books").last == "Author/p3 books=[Book/p3 Book/p6 Book/p9]")
  }

  @Test func `names, numbers and new columns change in place`() throws {
    let test = try test(
      to: changed {
        $0.entities[1].attributes.removeAll { $0.name == "title" }
        var heading = Models.attribute("heading", .string)
        heading.renamingIdentifier = "title"
        $0.entities[1].attributes.append(heading)
        $0.entities[1].attributes.append(
          Models.attribute("rating", .integer16, isOptional: false, default: .integer(5)))
        $0.entities[1].attributes.append(Models.attribute("note", .string))
        $0.entities.insert(EntityDescription(name: "Archive"), at: 0)
      })
    #expect(try kept(test, mapping()) == ["ZAUTHOR", "ZBOOK"])
    var options = MigrationOptions()
    options.keeping = .always
    try test.migrate(mapping(), options: options)
    #expect(try test.lines("Book", "heading", "rating", "note").first == "Book/p1 heading=book 0 rating=5 note=nil")
    #expect(try test.rows("SELECT DISTINCT Z_ENT FROM ZBOOK") == ["integer(3)"])
  }

  @Test(arguments: [
    ("a link to an object that does not exist", "UPDATE ZBOOK SET ZAUTHOR = 77 WHERE Z_PK = 1", ["ZAUTHOR"]),
    ("a date that is too large", "UPDATE ZAUTHOR SET ZBORN = 9007199254740993 WHERE Z_PK = 1", ["ZBOOK"]),
    ("a flag other than 0 and 1", "UPDATE ZAUTHOR SET ZISALIVE = 2", ["ZBOOK"]),
    ("an object without a version", "UPDATE ZAUTHOR SET Z_OPT = NULL WHERE Z_PK = 2", ["ZBOOK"]),
    ("a link as text", "UPDATE ZBOOK SET ZAUTHOR = CAST('1.0' AS REAL) + 0.5 WHERE Z_PK = 1", ["ZAUTHOR"]),
    ("a column that the model lacks", "ALTER TABLE ZBOOK ADD COLUMN ZOLD VARCHAR", ["ZAUTHOR"]),
    (
      "a constraint",
      """
      ALTER TABLE ZAUTHOR RENAME TO OLD;
      CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISALIVE INTEGER,
        ZBORN TIMESTAMP, ZNAME VARCHAR COLLATE NOCASE);
      INSERT INTO ZAUTHOR SELECT * FROM OLD; DROP TABLE OLD
      """, ["ZBOOK"]
    ),
    (
      "another column type",
      """
      ALTER TABLE ZAUTHOR RENAME TO OLD;
      CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISALIVE INTEGER,
        ZBORN TIMESTAMP, ZNAME TEXT);
      INSERT INTO ZAUTHOR SELECT * FROM OLD; DROP TABLE OLD
      """, ["ZBOOK"]
    ),
    ("a virtual table", "CREATE VIRTUAL TABLE FOUND USING fts4 (word)", []),
    ("another page size", "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM", []),
    ("no pages to hand back", "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM", []),
  ])
  func `a table that would come out differently is written`(reason: String, sql: String, tables: [String]) throws {
    let test = try test(to: changed { _ in })
    try execute(sql, in: test)
    #expect(try kept(test, mapping()) == tables, "\(reason)")
  }

  @Test(arguments: [
    ("filter", []), ("constant", ["ZAUTHOR", "ZBOOK"]), ("policy", []), ("dropped", ["ZBOOK"]),
    ("duplicated", ["ZAUTHOR"]), ("type", ["ZAUTHOR"]),
  ])
  func `a mapping that changes rows has its table written`(way: String, tables: [String]) throws {
    var author = EntityMappingDescription(source: "Author", destination: "Author")
    var others: [EntityMappingDescription] = []
    var new = changed { _ in }
    switch way {
    case "filter": author.filter = try MappingPredicate(parsing: "isAlive == YES")
    case "constant": author.propertyMappings = [.attribute("name", try MappingExpression(parsing: "'x'"))]
    case "policy": author.policyClassName = "CountingPolicy"
    case "dropped":
      new.entities[0].attributes.removeAll { $0.name == "name" }
      author.droppedProperties = [DroppedProperty("name")]
    case "duplicated":
      others = [
        EntityMappingDescription(name: "Again", source: "Book", destination: "Book", intendsDuplicates: true)
      ]
    default:
      new.entities[1].attributes.removeAll { $0.name == "pages" }
      new.entities[1].attributes.append(Models.attribute("pages", .double))
    }
    let source = try MigrationTest(from: Self.library, to: new, policies: PolicyRegistry(CountingPolicy.self)) {
      let book = try $0.insert("Book")
      book["pages"] = .integer(3)
      try book.setObject($0.insert("Author"), forKey: "author")
    }
    let mapping = MappingModel(
      entityMappings: [author] + others + [EntityMappingDescription(source: "Book", destination: "Book")])
    let found = try kept(source, mapping)
    // Links to objects that are not all migrated are looked up.
    #expect(found == tables, "\(way)")
  }

  @Test func `a large store of which most stays the same starts as a copy by default`() throws {
    let new = changed { $0.entities[0].attributes.append(Models.attribute("sortName", .string)) }
    let sortName: PropertyMappingDescription = .attribute(
      "sortName", try MappingExpression(parsing: "uppercase:($source.name)"))
    let author = EntityMappingDescription(source: "Author", destination: "Author", properties: [sortName])
    let written = mapping(author, EntityMappingDescription(source: "Book", destination: "Book"))
    #expect(try kept(test(to: new), written, .byCost).isEmpty, "small")
    let large = try test(to: new)
    try execute(
      """
      WITH RECURSIVE r (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM r WHERE n < 30000)
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZTITLE) SELECT n, 2, 1, n, 'a title of some length' FROM r
      """, in: large)
    #expect(try kept(large, written, .byCost) == ["ZBOOK"])
    #expect(try kept(large, written, .never).isEmpty)
    try execute("DELETE FROM ZBOOK WHERE Z_PK > 100", in: large)
    #expect(try kept(large, written, .byCost).isEmpty, "little of the file is kept")
  }

  @Test func `unique values are checked as in a store that is written`() throws {
    let unique = changed { $0.entities[0].uniquenessConstraints = [.init(["name"])] }
    for keeping in [TableKeeping.never, .always] {
      let test = try test(to: unique)
      try execute("UPDATE ZAUTHOR SET ZNAME = 'same' WHERE Z_PK < 3", in: test)
      var options = MigrationOptions()
      options.keeping = keeping
      let failure = test.failure { try test.migrate(mapping(), options: options) }
      #expect(failure?.code == .constraintViolation, "\(keeping)")
      #expect(try test.files().filter { $0.hasPrefix("new") }.isEmpty)
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `no table is kept besides a policy, and no link leads to objects that it does not create`(
    isOptional: Bool, hasInverse: Bool
  ) throws {
    let new = changed {
      $0.entities[1].relationships[0].isOptional = isOptional
      guard !hasInverse else { return }
      $0.entities[0].relationships = []
      ($0.entities[1].relationships[0].inverseName, $0.entities[1].relationships[0].inverseEntityName) = (nil, nil)
    }
    let author = EntityMappingDescription(
      source: "Author", destination: "Author", policy: "SkippingPolicy",
      drops: hasInverse ? [] : [DroppedProperty("books")])
    let mapping = mapping(EntityMappingDescription(source: "Book", destination: "Book"), author)
    let test = try test(to: new, policies: PolicyRegistry(SkippingPolicy.self))
    #expect(try kept(test, mapping) == [])
    let outcome = try outcome(test, mapping, .always)
    #expect((outcome.error == nil) == isOptional, "\(outcome.error ?? "")")
  }

  private func outcome(
    _ test: MigrationTest, _ mapping: MappingModel, _ keeping: TableKeeping
  ) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.keeping = keeping
    return try MigrationOutcome(of: test, mapping, named: "\(keeping)", options: options, ignoring: ["Z_OPT"])
  }

  @Test(arguments: [["Bee", "Cat"], ["Bee", "Ant"], ["Cat", "Ant"]])
  func `tables can take each other's names`(entities: [String]) throws {
    func model(_ name: String, _ entities: [String], _ attribute: String) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name,
        entities: entities.map { entity in
          EntityDescription(
            name: entity, attributes: [Models.attribute(attribute, .string)],
            fetchIndexes: [FetchIndexDescription(name: "by\(entity)", elements: [.init(propertyName: attribute)])])
        })
    }
    let test = try MigrationTest(from: model("1", ["Ant", "Bee"], "x"), to: model("2", entities, "y")) {
      for name in ["Ant", "Ant", "Bee"] {
        let object = try $0.insert(name)
        object["x"] = .string(name)
      }
    }
    let mapping = MappingModel(
      entityMappings: try zip(["Ant", "Bee"], entities).map { old, new in
        EntityMappingDescription(
          source: old, destination: new,
          properties: [.attribute("y", try MappingExpression(parsing: "$source.x"))])
      })
    #expect(try kept(test, mapping).count == 2)
    let (fresh, copied) = (try outcome(test, mapping, .never), try outcome(test, mapping, .always))
    #expect(fresh.error == nil)
    #expect(fresh == copied, "\(MigrationOutcome.difference(("fresh", "copied"), fresh, copied))")
  }

  @Test func `columns can take each other's names, and a new one that of a third`() throws {
    func model(_ name: String, _ attributes: String...) -> ManagedObjectModel {
      let attributes = attributes.map { Models.attribute($0, .string) }
      return ManagedObjectModel(name: name, entities: [EntityDescription(name: "Ant", attributes: attributes)])
    }
    let test = try MigrationTest(from: model("1", "x", "y", "z"), to: model("2", "x", "y", "z", "w")) {
      let ant = try $0.insert("Ant")
      for name in ["x", "y", "z"] { ant[name] = .string("old \(name)") }
    }
    let values = [("x", "$source.y"), ("y", "$source.x"), ("w", "$source.z"), ("z", "'new'")]
    let mapping = MappingModel(
      entityMappings: [
        EntityMappingDescription(
          source: "Ant", destination: "Ant",
          properties: try values.map { .attribute($0, try MappingExpression(parsing: $1)) })
      ])
    #expect(try kept(test, mapping) == ["ZANT"])
    let (fresh, copied) = (try outcome(test, mapping, .never), try outcome(test, mapping, .always))
    #expect(fresh.error == nil)
    #expect(fresh == copied, "\(MigrationOutcome.difference(("fresh", "copied"), fresh, copied))")
  }

  @Test func `the provenance of kept objects is recorded`() throws {
    let test = try test(to: changed { _ in })
    var contents: [[String]] = []
    for keeping in [TableKeeping.never, .always] {
      var options = MigrationOptions()
      options.keeping = keeping
      let provenance = test.folder.appending("\(keeping).jsonl")
      options.provenance = provenance
      try test.manager.migrateStore(
        from: test.source, to: test.folder.appending("\(keeping).sqlite"), with: mapping(), options: options)
      let lines = try String(contentsOf: provenance, encoding: .utf8)
      contents.append(lines.split(separator: "\n").map(String.init))
    }
    #expect(contents[0] == contents[1] && contents[0].count >= 12)
  }

  @Test func `a damaged store is not copied`() throws {
    let test = try test(to: changed { _ in })
    try execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'ZBOOK_ZAUTHOR_INDEX'", in: test)
    var options = MigrationOptions()
    options.keeping = .always
    let failure = test.failure { try test.migrate(mapping(), options: options) }
    #expect(failure?.description.contains("is damaged: ") == true, "\(failure.map { "\($0)" } ?? "")")
    #expect(try test.files().filter { $0.hasPrefix("new") }.isEmpty)
    options.keeping = .never
    try test.migrate(mapping(), options: options)
  }

  @Test func `changes that are still in the log are in the copy`() throws {
    let test = try test(to: changed { _ in })
    let other = try Database(path: test.source.path, mode: .readWrite)
    try other.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZBOOK SET ZTITLE = 'in the log' WHERE Z_PK = 1")
    var options = MigrationOptions()
    options.keeping = .always
    try test.migrate(mapping(), options: options)
    try other.close()
    #expect(try test.lines("Book", "title").first == "Book/p1 title=in the log")
  }
}

private final class CountingPolicy: EntityMigrationPolicy {}

/// Creates nothing for the first author.
private final class SkippingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    if source.primaryKey == 1 { return }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}
