import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// In a table with only one entity, `Z_ENT` is not looked at: real stores have rows with another number there.
@Suite struct MisnumberedRowTests {
  private static let old = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Book", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toMany("pages", "Page", "book", isOrdered: true), Models.toMany("tags", "Tag", "books")]),
      EntityDescription(name: "Comic", superentityName: "Book"),
      EntityDescription(
        name: "Page", attributes: [Models.attribute("number", .integer16), Models.attribute("text", .string)],
        relationships: [Models.toOne("book", "Book", "pages")]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("books", "Book", "tags")]),
    ])

  /// New versions that leave the tables as they are, add to their rows, add an entity to one, or renumber them.
  private static let versions: [String: ManagedObjectModel] = [
    "carried": changed { $0.entities[0].attributes.append(Models.attribute("isbn", .string)) },
    "rewritten": changed {
      $0.entities[2].attributes[0].type = .integer64
      $0.entities[2].attributes.append(Models.attribute("mark", .integer16, isOptional: false, default: 7))
    },
    "extended": changed { $0.entities.append(EntityDescription(name: "Cover", superentityName: "Page")) },
    "renumbered": changed { $0.entities.append(EntityDescription(name: "Author")) },
  ]

  private static func changed(_ change: (inout ManagedObjectModel) -> Void) -> ManagedObjectModel {
    var model = old
    model.name = "2"
    change(&model)
    return model
  }

  private static func fill(_ context: ManagedObjectContext) throws {
    let books = [try context.insert("Book"), try context.insert("Comic")]
    let tags = [try context.insert("Tag"), try context.insert("Tag")]
    for (place, book) in books.enumerated() {
      book["title"] = .string("title \(place)")
      book[toMany: "tags"] = tags
    }
    for number in 1...4 as ClosedRange<Int64> {
      let page = try context.insert("Page")
      page["number"] = .integer(number)
      page["text"] = .string("text \(number)")
      page[toOne: "book"] = books[Int(number % 2)]
    }
  }

  /// The number of a book, of nothing, and none.
  private static let damage = """
    UPDATE ZPAGE SET Z_ENT = 1 WHERE Z_PK = 2; UPDATE ZPAGE SET Z_ENT = 99 WHERE Z_PK = 3;
    UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1
    """

  private static func execute(_ sql: String, _ url: URL) throws {
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  private static func contents(
    _ version: String, damaged: Bool, forcesObjects: Bool
  ) throws -> (contents: [String: [String]], notes: [Diagnostic]) {
    let new = try #require(versions[version])
    let test = try MigrationTest(from: old, to: new, fill: fill)
    if damaged { try execute(damage, test.source) }
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let mapping = try MappingModel.inferred(from: old, to: new)
    let report = try test.migrate(mapping, options: options)
    let (_, destination) = try test.bothStores()
    #expect(try destination.misnumberedRows() == [])
    return (try test.contents(), report.notes)
  }

  @Test(arguments: versions.keys.sorted(), [false, true])
  func `a copy has every object, with a warning`(version: String, forcesObjects: Bool) throws {
    let (expected, silent) = try Self.contents(version, damaged: false, forcesObjects: forcesObjects)
    let (found, notes) = try Self.contents(version, damaged: true, forcesObjects: forcesObjects)
    #expect(found == expected)
    #expect(silent.filter { $0.code == "store.unknown-entity-number" } == [])
    #expect(
      notes.filter { $0.code == "store.unknown-entity-number" }.map(\.description) == [
        """
        warning[store.unknown-entity-number]: 3 rows have the number of another entity than the only one of the table: 2 \
        in ZPAGE, 1 in ZTAG
          nothing needs to be done: they are read as objects of 'Page', 'Tag', and a migration gives them its number
        """
      ])
  }

  @Test(arguments: versions.keys.sorted())
  func `a migration in place keeps every object`(version: String) throws {
    let new = try #require(Self.versions[version])
    func contents(damaged: Bool) throws -> [String: [String]] {
      let folder = try TemporaryFolder()
      let url = folder.appending("place.sqlite")
      let store = try PersistentStore.create(at: url, model: Self.old)
      let context = ManagedObjectContext(store: store)
      try Self.fill(context)
      try context.save()
      try store.close()
      if damaged { try Self.execute(Self.damage, url) }
      let manager = IncrementalMigrationManager(models: [Self.old, new], infersMissingMappings: true)
      try manager.migrate(url, options: .init(mode: .inPlace))
      let opened = try PersistentStore(url: url, models: [new], mode: .readOnly)
      return try MigrationTest.contents(of: ManagedObjectContext(store: opened), new)
    }
    #expect(try contents(damaged: true) == contents(damaged: false))
  }

  @Test func `a row in a table with several entities is still refused, and the owner of its number is named`() throws {
    let test = try MigrationTest(from: Self.old, to: Self.old, fill: Self.fill)
    try Self.execute("UPDATE ZBOOK SET Z_ENT = 3 WHERE Z_PK = 1", test.source)
    let error = test.failure { try test.migrate(MappingModel()) }
    #expect(
      (error?.underlying as? Diagnostic)?.description == """
        error[store.unknown-entity-number]: store '\(test.source.path)' has a row in table ZBOOK with the number of entity \
        'Page', whose objects are in table ZPAGE: Z_ENT 3, Z_PK 1
          the row is damaged: give it the number of an entity of its table, or remove it, e.g. with sqlite3 on a copy
        """)
    let planned = test.failure { _ = try test.manager.plan(from: test.source, with: [MappingModel()]) }
    #expect(planned?.description == error?.description)
  }
}
