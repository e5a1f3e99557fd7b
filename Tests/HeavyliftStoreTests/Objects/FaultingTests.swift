import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct FaultingTests {
  func library(books: Int) throws -> TestStore {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author", ["name": "Kafka"])
    for number in 0..<books {
      let book = try test.insert(number % 3 == 2 ? "Comic" : "Book", ["title": .string("t\(number)")])
      book[toOne: "author"] = author
    }
    try test.context.save()
    try test.reopen()
    return test
  }

  @Test func `there is one object per row`() throws {
    let test = try library(books: 3)
    let books = try test.fetch("Book")
    let again = try test.fetch("Book") { $0.sortKeys = [.init(keyPath: "title", isAscending: false)] }
    #expect(again == books.reversed())
    let author = try #require(books[0][toOne: "author"])
    #expect(try test.fetch("Author") == [author])
    #expect(author[toMany: "books"] == books)
    #expect(try test.context.object(with: books[1].objectID) == books[1])
    #expect(books.map(\.entity.name) == ["Book", "Book", "Comic"])
  }

  @Test func `a relationship leads to a fault, which is read on access`() throws {
    let test = try library(books: 1)
    let book = try #require(try test.fetch("Book").first)
    #expect(!book.isFaulted)
    let author = try #require(book[toOne: "author"])
    #expect(author.isFaulted)
    #expect(author["name"] == "Kafka")
    #expect(!author.isFaulted)
  }

  @Test func `unreferenced objects are released`() throws {
    let test = try library(books: 100)
    weak var gone: ManagedObject?
    do {
      let books = try test.fetch("Book")
      gone = books[0]
      #expect(test.context.registeredObjects.count == 100)
    }
    #expect(gone == nil)
    #expect(test.context.registeredObjects == [])
  }

  @Test func `objects with changes are held until they are saved`() throws {
    let test = try library(books: 3)
    try test.fetch("Book")[1]["title"] = "changed"
    _ = try test.insert("Author")
    try test.context.delete(try test.fetch("Book")[0])
    #expect(test.context.updatedObjects.map(\.description) == ["Author/p1", "Book/p2"])
    #expect(test.context.insertedObjects.count == 1)
    #expect(test.context.deletedObjects.map(\.objectID.key) == [1])
    try test.context.save()
    #expect(test.context.registeredObjects == [])
    #expect(try test.rows("SELECT ZTITLE FROM ZBOOK ORDER BY Z_PK") == ["changed", "t2"])
  }

  @Test func `faults of one fetch are read in batches`() throws {
    let test = try library(books: 30)
    let books = try test.fetch("Book") { $0.fetchBatchSize = 5 }
    #expect(books.count == 30)
    #expect(books.allSatisfy { $0.isFaulted })
    // 20 books and 10 comics, in batches of their own entity.
    #expect(books[0]["title"] == "t0")
    #expect(books.filter { !$0.isFaulted }.map { $0["title"].string ?? "" } == ["t0", "t1", "t3", "t4", "t6"])
    #expect(books[2]["title"] == "t2")
    #expect(books.count { !$0.isFaulted } == 10)
    #expect(books.map { $0["title"].string ?? "" } == (0..<30).map { "t\($0)" })
  }

  @Test func `a batch takes one statement`() throws {
    let test = try library(books: 30)
    let books = try test.fetch("Book") { $0.fetchBatchSize = 10 }
    // Reading a row fails once the table is empty, so any remaining value was read before.
    _ = books[0]["title"]
    let other = try Database(path: test.url.path, mode: .readWrite)
    try other.execute("DELETE FROM ZBOOK")
    let read = books.compactMap { try? $0.value(forKey: "title").string }
    #expect(read == (0..<15).filter { $0 % 3 != 2 }.map { "t\($0)" })
  }

  @Test func `a batch that is too large for one statement is still read`() throws {
    let test = try TestStore(Models.library)
    let count = 20_000
    try test.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES) SELECT i, 2, 1, i FROM n
      """)
    let books = try test.fetch("Book") { $0.fetchBatchSize = 1_000_000 }
    #expect(books[0]["pages"] == 1)
    #expect(books.allSatisfy { !$0.isFaulted })
    #expect(books.last?["pages"] == .integer(Int64(count)))
  }

  @Test func `refresh discards changes at both ends`() throws {
    let test = try library(books: 2)
    let books = try test.fetch("Book")
    let author = try #require(books[0][toOne: "author"])
    let other = try test.insert("Author", ["name": "other"])
    books[0]["title"] = "changed"
    books[0][toOne: "author"] = other
    #expect(other[toMany: "books"] == [books[0]])
    test.context.refresh(books[0])
    #expect(books[0].isFaulted)
    #expect(!books[0].hasChanges)
    #expect(books[0]["title"] == "t0")
    #expect(books[0][toOne: "author"] == author)
    #expect(other[toMany: "books"] == [])
    #expect(author[toMany: "books"] == books)
    #expect(try LinkAudit.disagreements(test.context, entities: ["Author", "Book", "Tag"]) == [])
  }

  @Test func `refresh discards links of either side`() throws {
    let test = try TestStore(Models.library)
    let books = try ["a", "b"].map { try test.insert("Book", ["title": .string($0)]) }
    let tags = try ["x", "y", "z"].map { try test.insert("Tag", ["label": .string($0)]) }
    books[0][toMany: "tags"] = [tags[0], tags[1]]
    try test.context.save()
    books[0][toMany: "tags"] = [tags[1], tags[2]]
    test.context.refresh(books[0])
    #expect(tags.map { $0[toMany: "books"].count } == [1, 1, 0])
    #expect(books[0][toMany: "tags"] == [tags[0], tags[1]])
    books[1][toMany: "tags"] = tags
    test.context.refresh(tags[0])
    #expect(books[1][toMany: "tags"] == [tags[1], tags[2]])
    try test.context.save()
    #expect(try test.rows("SELECT * FROM Z_2TAGS ORDER BY 1, 2") == ["1 1", "1 2", "2 2", "2 3"])
    #expect(try LinkAudit.disagreements(test.context, entities: ["Author", "Book", "Tag"]) == [])
  }

  @Test func `refresh sees what another context saved`() throws {
    let test = try library(books: 1)
    let book = try #require(try test.fetch("Book").first)
    let other = ManagedObjectContext(store: test.store)
    try other.fetch(FetchRequest(entityName: "Book"))[0]["title"] = "new"
    try other.save()
    #expect(book["title"] == "t0")
    test.context.refresh(book)
    #expect(book["title"] == "new")
  }

  @Test func `rollback restores everything`() throws {
    let test = try library(books: 3)
    let books = try test.fetch("Book")
    let author = try #require(books[0][toOne: "author"])
    let new = try test.insert("Author")
    books[0][toOne: "author"] = new
    books[1]["title"] = "changed"
    try test.context.delete(author)
    #expect(books[2].isDeleted)
    test.context.rollback()
    #expect(!test.context.hasChanges)
    #expect(new.context == nil)
    #expect(!new.isInserted || new.context == nil)
    #expect(author[toMany: "books"] == books)
    #expect(books.map { $0["title"].string ?? "" } == ["t0", "t1", "t2"])
    #expect(books.allSatisfy { $0[toOne: "author"] == author && !$0.hasChanges && !$0.isDeleted })
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZBOOK") == ["3"])
  }

  @Test func `objects that outlive a reset or their context report it`() throws {
    let test = try library(books: 1)
    let book = try #require(try test.fetch("Book").first)
    book["title"] = "changed"
    test.context.reset()
    let expected = """
      error[object.no-context]: object Book/p1 has outlived its context
        keep the context alive as long as its objects are used
      """
    #expect(message { _ = try book.value(forKey: "title") } == expected)
    #expect(book.objectID.uriRepresentation.hasSuffix("/Book/p1"))
    #expect(try test.fetch("Book")[0] !== book)
    var context: ManagedObjectContext? = ManagedObjectContext(store: test.store)
    let held = try #require(try context?.fetch(FetchRequest(entityName: "Book"))[0])
    let new = try #require(try context?.insert("Book"))
    context = nil
    #expect(held.context == nil)
    #expect(message { try held.setValue("x", forKey: "title") } == expected)
    #expect(message { try new.setObject(held, forKey: "author") }?.contains("has outlived its context") == true)
  }

  @Test func `an ID finds its object only under its own entity`() throws {
    let test = try library(books: 3)
    let store = test.store.metadata.identifier
    func find(_ entity: String, _ key: Int64) throws -> String? {
      try test.context.existingObject(
        with: ManagedObjectID(storeIdentifier: store, entityName: entity, key: key))?.description
    }
    #expect(try find("Book", 1) == "Book/p1")
    #expect(try find("Book", 3) == "Comic/p3")
    #expect(try find("Comic", 3) == "Comic/p3")
    #expect(try find("Comic", 1) == nil)
    #expect(try find("Book", 4) == nil)
    #expect(try find("Author", 1) == "Author/p1")
    #expect(try find("Nobody", 1) == nil)
    #expect(
      try test.context.existingObject(with: ManagedObjectID(storeIdentifier: "X", entityName: "Book", key: 1)) == nil)
    let held = try test.fetch("Book")
    #expect(try find("Comic", 1) == nil)
    #expect(held.map(\.description) == ["Book/p1", "Book/p2", "Comic/p3"])
  }

  @Test func `the target of a dangling to-one is an object without a row`() throws {
    let test = try library(books: 2)
    try test.run("DELETE FROM ZAUTHOR")
    let books = try test.fetch("Book")
    let author = try #require(books[0][toOne: "author"])
    let expected = """
      error[store.missing-object]: store '\(test.url.path)' has no object Author/p1
        it was deleted or never existed: clear the relationships that refer to it, or restore it from a backup
      """
    #expect(message { _ = try author.value(forKey: "name") } == expected)
    #expect(author["name"] == nil)
    #expect(message { try test.context.save() } == expected)
    test.context.rollback()
    books[0][toOne: "author"] = nil
    try test.context.save()
    #expect(try test.rows("SELECT ZAUTHOR FROM ZBOOK") == ["-", "1"])
  }
}
