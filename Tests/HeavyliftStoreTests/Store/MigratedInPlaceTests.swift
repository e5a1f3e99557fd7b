import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Stores that Core Data migrated in place keep traces of their history; all of them are accepted.
struct MigratedInPlaceTests {
  /// A library with an author, a book, a comic and a tag on both, changed by SQL afterwards.
  func library(_ sql: String) throws -> TestStore {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author", ["name": "Kafka"])
    let books = try [test.insert("Book", ["title": "a"]), test.insert("Comic", ["title": "b"])]
    author[toMany: "books"] = books
    try test.insert("Tag", ["label": "x"]).setObjects(books, forKey: "books")
    try test.context.save()
    try test.run(sql)
    try test.reopen()
    return test
  }

  func expectWhole(_ test: TestStore) throws {
    let tag = try #require(try test.fetch("Tag").first)
    #expect(tag[toMany: "books"].map { $0["title"] } == ["a", "b"])
    #expect(tag[toMany: "books"].map(\.entity.name) == ["Book", "Comic"])
    #expect(try test.fetch("Author")[0][toMany: "books"].count == 2)
    // It can be written, too.
    let book = try test.insert("Comic", ["title": "c", "colors": 3])
    book[toMany: "tags"] = [tag]
    try tag.remove(try test.fetch("Book")[0], from: "books")
    try test.context.save()
    try test.reopen()
    #expect(try test.fetch("Tag")[0][toMany: "books"].map { $0["title"] } == ["b", "c"])
    #expect(try LinkAudit.disagreements(test.context, entities: ["Author", "Book", "Tag"]) == [])
  }

  @Test(arguments: [
    // A new store.
    "",
    // Columns of other versions at the end, and one in another place.
    "ALTER TABLE ZBOOK ADD COLUMN ZOLD VARCHAR; ALTER TABLE ZAUTHOR ADD COLUMN ZAGE INTEGER",
    "ALTER TABLE ZBOOK DROP COLUMN ZCOLORS; ALTER TABLE ZBOOK ADD COLUMN ZCOLORS INTEGER",
    // A table that was recreated with a quoted name, and an index with its old name.
    "ALTER TABLE Z_2TAGS RENAME TO \"Z_2TAGS_x\"; ALTER TABLE \"Z_2TAGS_x\" RENAME TO \"Z_2TAGS\"",
    "DROP INDEX ZBOOK_ZAUTHOR_INDEX; CREATE INDEX ZBOOK_ZWRITER_INDEX ON ZBOOK (ZAUTHOR)",
    // A join table with the entity's former number, and one named by its other side.
    """
    ALTER TABLE Z_2TAGS RENAME TO Z_7TAGS; ALTER TABLE Z_7TAGS RENAME COLUMN Z_2BOOKS TO Z_7BOOKS;
    ALTER TABLE Z_7TAGS RENAME COLUMN Z_4TAGS TO Z_9TAGS
    """,
    "ALTER TABLE Z_2TAGS RENAME TO Z_4BOOKS",
    // A numbered column, because another relationship was visited first; a table that kept another name.
    "ALTER TABLE Z_2TAGS RENAME COLUMN Z_4TAGS TO Z_4TAGS3",
    "ALTER TABLE Z_2TAGS RENAME TO Z_4BOOKS; ALTER TABLE Z_4BOOKS RENAME COLUMN Z_2BOOKS TO Z_2BOOKS12",
    "ALTER TABLE Z_2TAGS RENAME TO Z_2LABELS",
    // Other numbers for all entities.
    """
    UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 20, Z_SUPER = CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 20 END;
    UPDATE ZAUTHOR SET Z_ENT = Z_ENT + 20; UPDATE ZBOOK SET Z_ENT = Z_ENT + 20; UPDATE ZTAG SET Z_ENT = Z_ENT + 20;
    ALTER TABLE Z_2TAGS RENAME TO Z_22TAGS; ALTER TABLE Z_22TAGS RENAME COLUMN Z_2BOOKS TO Z_22BOOKS;
    ALTER TABLE Z_22TAGS RENAME COLUMN Z_4TAGS TO Z_24TAGS
    """,
    // Old names of renamed entities: a root's, a sub-entity's, several at once.
    "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Manga' WHERE Z_NAME = 'Comic'",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Writer' WHERE Z_NAME = 'Author'",
    """
    UPDATE Z_PRIMARYKEY SET Z_NAME = 'Writer' WHERE Z_NAME = 'Author';
    UPDATE Z_PRIMARYKEY SET Z_NAME = 'Manga' WHERE Z_NAME = 'Comic'
    """,
    """
    UPDATE Z_PRIMARYKEY SET Z_NAME = 'Volume' WHERE Z_NAME = 'Book';
    UPDATE Z_PRIMARYKEY SET Z_NAME = 'Manga' WHERE Z_NAME = 'Comic'
    """,
    // Persistent history, which belongs to no model.
    """
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5), (16002, 'TRANSACTION', 0, 5);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)
    """,
    // No model cache, as in an old store.
    "DROP TABLE Z_MODELCACHE",
  ]) func `a store with traces of its past is read and written`(sql: String) throws { try expectWhole(library(sql)) }

  @Test func `stale names that fit several entities are not guessed`() throws {
    let test = try TestStore(Models.library)
    try test.run("UPDATE Z_PRIMARYKEY SET Z_NAME = 'X' || Z_NAME WHERE Z_NAME IN ('Author', 'Tag')")
    #expect(
      message { try test.reopen() } == """
        error[store.missing-entity]: store '\(test.url.path)' has no entity 'Author' in Z_PRIMARYKEY
          did you mean 'XAuthor'?
        """)
  }

  @Test func `an entity that was renamed is found by its renaming identifier`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "A", renamingIdentifier: "OldA"),
      EntityDescription(name: "B", renamingIdentifier: "OldB"),
    ])
    try PersistentStore.create(at: url, model: model).close()
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'OldB' WHERE Z_NAME = 'B'")
    try database.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'OldA' WHERE Z_NAME = 'A'")
    try database.close()
    let store = try PersistentStore(url: url, models: [model])
    #expect(store.layout.entities.map { "\($0.number) \($0.name)" } == ["1 A", "2 B"])
  }

  @Test func `an order that an old store does not keep is ignored`() throws {
    let test = try TestStore(Models.graph)
    let nodes = try (0..<3).map { _ in try test.insert("Node") }
    nodes[0][toMany: "items"] = [nodes[2], nodes[1]]
    nodes[0][toMany: "queue"] = [nodes[2], nodes[1]]
    try test.context.save()
    let columns = try test.rows("SELECT name FROM pragma_table_info('Z_2QUEUES') WHERE name LIKE 'Z_FOK%'")
    #expect(columns.count == 2)
    try test.run("ALTER TABLE ZNODE DROP COLUMN Z_FOK_LIST")
    for column in columns { try test.run("ALTER TABLE Z_2QUEUES DROP COLUMN \(column)") }
    try test.reopen()
    let again = try test.fetch("Node")
    #expect(again[0][toMany: "items"] == [again[1], again[2]])
    #expect(again[0][toMany: "queue"] == [again[1], again[2]])
    again[0][toMany: "items"] = again
    again[0][toMany: "queue"] = again
    try test.context.save()
    try test.reopen()
    #expect(try test.fetch("Node")[0][toMany: "queue"].count == 3)
  }
}
