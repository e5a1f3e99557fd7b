import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct SavingTests {
  @Test func `keys continue from the highest one ever assigned`() throws {
    let test = try TestStore(Models.library)
    let books = try (0..<3).map { _ in try test.insert("Book") }
    let comic = try test.insert("Comic")
    #expect(books.map(\.objectID.isTemporary) == [true, true, true])
    try test.context.save()
    #expect(books.map(\.objectID.key) == [1, 2, 3])
    #expect(comic.objectID.uriRepresentation == "x-coredata://\(test.store.metadata.identifier)/Comic/p4")
    try test.context.delete(comic)
    try test.context.save()
    try test.reopen()
    let next = try test.insert("Book")
    try test.context.save()
    #expect(next.objectID.key == 5)
    #expect(try test.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == ["Author 0", "Book 5", "Comic 0", "Tag 0"])
  }

  @Test func `a counter that lags behind its rows overwrites none of them`() throws {
    let test = try TestStore(Models.library)
    try test.run("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (70, 2, 1)")
    let book = try test.insert("Book")
    try test.context.save()
    #expect(book.objectID.key == 71)
    try test.run("UPDATE Z_PRIMARYKEY SET Z_MAX = NULL")
    let other = try test.insert("Book")
    try test.context.save()
    #expect(other.objectID.key == 72)
  }

  @Test func `an exhausted key counter is an error`() throws {
    let test = try TestStore(Models.library)
    try test.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Book'")
    _ = try test.insert("Comic")
    #expect(
      message { try test.context.save() } == """
        error[store.keys-exhausted]: store '\(test.url.path)' has no key left for entity 'Comic': Z_PRIMARYKEY.Z_MAX is \
        near the largest possible number
          Z_MAX is damaged: set it to the highest Z_PK of the entity's table
        """)
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["0"])
  }

  @Test func `exhausted order keys are reassigned`() throws {
    let test = try TestStore(Models.graph)
    let nodes = try ["a", "b", "c"].map { try test.insert("Node", ["name": .string($0)]) }
    nodes[0][toMany: "items"] = [nodes[1], nodes[2]]
    try test.context.save()
    try test.run("UPDATE ZNODE SET Z_FOK_LIST = 9223372036854775807 WHERE Z_PK = 2")
    try test.reopen()
    let again = try test.fetch("Node")
    #expect(again[0][toMany: "items"] == [again[2], again[1]])
    try again[0].add(again[0], to: "items")
    try test.context.save()
    try test.reopen()
    #expect(try test.fetch("Node")[0][toMany: "items"].map { $0["name"] } == ["c", "b", "a"])
  }

  @Test func `order keys are spaced, so that few change`() throws {
    let test = try TestStore(Models.graph)
    let nodes = try (0..<4).map { _ in try test.insert("Node") }
    nodes[0][toMany: "items"] = [nodes[1], nodes[2]]
    try test.context.save()
    #expect(try test.rows("SELECT Z_FOK_LIST FROM ZNODE") == ["-", "2048", "3072", "-"])
    try nodes[0].add(nodes[3], to: "items")
    try test.context.save()
    #expect(try test.rows("SELECT Z_FOK_LIST, Z_OPT FROM ZNODE") == ["- 2", "2048 1", "3072 1", "4096 2"])
  }

  @Test func `each save increments the version of the rows that it changes`() throws {
    let test = try TestStore(Models.library)
    let (author, other) = (try test.insert("Author"), try test.insert("Author"))
    let book = try test.insert("Book")
    try test.context.save()
    func versions() throws -> [String] {
      try test.rows("SELECT group_concat(Z_OPT, ' '), (SELECT Z_OPT FROM ZBOOK) FROM ZAUTHOR")
    }
    #expect(try versions() == ["1 1 1"])
    author["name"] = "x"
    try test.context.save()
    #expect(try versions() == ["2 1 1"])
    // A link changes the objects at its ends.
    book[toOne: "author"] = other
    try test.context.save()
    #expect(try versions() == ["2 2 2"])
    // A value that returns to its original state is not a change.
    author["name"] = "y"
    author["name"] = "x"
    try test.context.save()
    try test.context.save()
    #expect(try versions() == ["2 2 2"])
  }

  @Test func `an object that another context changed is not overwritten`() throws {
    let test = try TestStore(Models.library)
    let book = try test.insert("Book", ["title": "a"])
    let gone = try test.insert("Book", ["title": "b"])
    try test.context.save()
    let store = try PersistentStore(url: test.url, models: [test.model], busyTimeout: 0)
    let other = ManagedObjectContext(store: store)
    let books = try other.fetch(FetchRequest(entityName: "Book"))
    books[0]["title"] = "theirs"
    try other.delete(books[1])
    try other.save()
    book["title"] = "ours"
    func conflict(_ key: Int) -> String {
      """
      error[store.changed-meanwhile]: store '\(test.url.path)' was changed by another connection: object \
      Book/p\(key) has changed since it was read
        read it again, apply the change to the new state, and save again; nothing was saved
      """
    }
    #expect(message { try test.context.save() } == conflict(1))
    #expect(try test.rows("SELECT ZTITLE FROM ZBOOK") == ["theirs"])
    test.context.refresh(book)
    book["title"] = "both"
    try test.context.save()
    try test.context.delete(gone)
    #expect(message { try test.context.save() } == conflict(2))
    test.context.rollback()
    #expect(try test.rows("SELECT ZTITLE FROM ZBOOK") == ["both"])
  }

  @Test func `a new link to an object that another context deleted is not written`() throws {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author", ["name": "a"])
    try test.context.save()
    let store = try PersistentStore(url: test.url, models: [test.model], busyTimeout: 0)
    let other = ManagedObjectContext(store: store)
    try other.delete(try other.fetch(FetchRequest(entityName: "Author"))[0])
    try other.save()
    try test.insert("Book").setObject(author, forKey: "author")
    #expect(message { try test.context.save() }?.hasPrefix("error[store.changed-meanwhile]") == true)
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["0"])
  }

  @Test func `a misspelt name ends the program where it is written, with the nearest name`() async {
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TestStore(Models.library).insert("Book")["titel"] = "y"
    }
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestStore(Models.library).insert("Book")[toOne: "autor"]
    }
    for (result, name) in [(writing, "'title'"), (reading, "'author'")] {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("SavingTests.swift:") && text.contains("did you mean \(name)?"), "\(text)")
    }
  }

  @Test func `the first failure of a subscript is thrown by save, which saves nothing`() throws {
    let test = try TestStore(Models.library)
    let book = try test.insert("Book", ["title": "x"])
    book["pages"] = "many"
    book["price"] = "cheap"
    let expected = """
      error[object.wrong-type]: attribute 'pages' of entity 'Book' has type Integer 32 and cannot hold a string
        convert the value to Integer 32 without loss, then set it
      """
    #expect(message { try test.context.save() } == expected)
    #expect(message { try test.context.save() } == expected)
    #expect(test.context.failure != nil)
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["0"])
    test.context.rollback()
    #expect(test.context.failure == nil)
    _ = try test.insert("Book")
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["1"])
  }

  @Test func `a read-only store saves nothing`() throws {
    let test = try TestStore(Models.library)
    try test.store.close()
    let store = try PersistentStore(url: test.url, models: [test.model], mode: .readOnly)
    let context = ManagedObjectContext(store: store)
    _ = try context.insert("Book")
    #expect(
      message { try context.save() } == """
        error[object.read-only]: the store was opened read-only
          open it with mode .readWrite to save changes
        """)
  }

  @Test func `a save that fails half-way leaves store and objects as they were, and can be repeated`() throws {
    let test = try TestStore(Models.library)
    let (author, book) = (try test.insert("Author", ["name": "a"]), try test.insert("Book", ["title": "b"]))
    try test.context.save()
    let before = try test.rows(
      "SELECT * FROM ZBOOK UNION ALL SELECT Z_PK, Z_ENT, Z_OPT, 0, 0, 0, 0, ZNAME FROM ZAUTHOR")
    try test.run("CREATE TRIGGER refuse BEFORE INSERT ON ZTAG BEGIN SELECT RAISE(FAIL, 'no'); END")
    author["name"] = "A"
    book[toOne: "author"] = author
    let tag = try test.insert("Tag")
    book[toMany: "tags"] = [tag]
    #expect(
      message { try test.context.save() } == """
        error[store.unreadable]: store '\(test.url.path)' cannot be written: no (SQLITE_CONSTRAINT_TRIGGER)
          nothing was changed
        """)
    #expect(
      try test.rows("SELECT * FROM ZBOOK UNION ALL SELECT Z_PK, Z_ENT, Z_OPT, 0, 0, 0, 0, ZNAME FROM ZAUTHOR") == before
    )
    #expect(tag.objectID.isTemporary)
    #expect(test.context.hasChanges)
    try test.run("DROP TRIGGER refuse")
    try test.context.save()
    #expect(try test.rows("SELECT ZAUTHOR, (SELECT count(*) FROM Z_2TAGS) FROM ZBOOK") == ["1 1"])
  }

  @Test func `a store that another process writes to is locked, and can be saved to afterwards`() throws {
    let test = try TestStore(Models.library)
    try test.reopen()
    let other = try Database(path: test.url.path, mode: .readWrite)
    try other.begin(.immediate)
    _ = try test.insert("Book")
    #expect(
      message { try test.context.save() } == """
        error[store.locked]: store '\(test.url.path)' is locked by another process
          quit the application that uses it, then try again; nothing was changed
        """)
    try other.rollback()
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["1"])
  }

  static let counted = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "pageCount", type: .integer64, derivationExpression: "pages.@count"),
        Models.attribute("title", .string),
      ], relationships: [Models.toMany("pages", "Page", "book", deleteRule: .cascade)]),
    EntityDescription(name: "Comic", superentityName: "Book"),
    EntityDescription(name: "Page", relationships: [Models.toOne("book", "Book", "pages")]),
  ])

  @Test func `a derived count is kept by the store`() throws {
    let test = try TestStore(Self.counted)
    let (book, comic) = (try test.insert("Book"), try test.insert("Comic"))
    let pages = try (0..<3).map { _ in try test.insert("Page") }
    book[toMany: "pages"] = pages
    #expect(
      message { try book.setValue(7, forKey: "pageCount") } == """
        error[object.derived]: attribute 'pageCount' of entity 'Book' is derived and cannot be set
          change the values that it is derived from
        """)
    try test.context.save()
    #expect(book["pageCount"] == 3)
    #expect(comic["pageCount"] == 0)
    pages[0][toOne: "book"] = comic
    try test.context.delete(pages[1])
    try test.context.save()
    #expect(book["pageCount"] == 1)
    #expect(comic["pageCount"] == 1)
    book["title"] = "kept"
    pages[2][toOne: "book"] = nil
    try test.context.save()
    #expect(book["pageCount"] == 0)
    #expect(book["title"] == "kept")
    try test.reopen()
    #expect(try test.fetch("Book").map { $0["pageCount"] } == [0, 1])
  }
}
