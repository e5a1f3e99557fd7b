import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Rows that another thread writes while objects are created.
struct RowWriterTests {
  private final class Building {
    let folder: TemporaryFolder
    let store: PersistentStore
    let context: ManagedObjectContext

    init(_ model: ManagedObjectModel = Models.library) throws {
      folder = try TemporaryFolder()
      store = try PersistentStore.beginBulkLoad(at: folder.appending("new.sqlite"), model: model, options: .init())
      context = ManagedObjectContext(store: store)
      context.beginBulkLoad(firstKeys: [:])
    }

    func rows(_ sql: String) throws -> [String] {
      var cursor = try store.database.prepare(sql).query()
      var rows: [String] = []
      while try cursor.next() { rows.append(try cursor.row.values().map(TestStore.text).joined(separator: " ")) }
      return rows
    }
  }

  @Test func `everything is available on access`() throws {
    let test = try Building()
    for number in 0..<1_000 {
      let book = try test.context.insert("Book")
      book["title"] = .string("title \(number)")
      if number % 50 == 49 { try test.context.flushBehind() }
      if number % 250 == 99 {
        let found = try test.context.fetch(FetchRequest(entityName: "Book"))
        #expect(found.count == number + 1)
        #expect(found.last?["title"] == .string("title \(number)"))
      }
    }
    try test.context.waitUntilWritten()
    #expect(test.context.livingObjectCount == 0)
    #expect(
      try test.rows("SELECT count(*), max(Z_PK), sum(Z_OPT), count(DISTINCT ZTITLE) FROM ZBOOK") == [
        "1000 1000 1000 1000"
      ])
    #expect(try test.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == ["1000"])
    try test.store.finishBulkLoad()
  }

  @Test(arguments: Seeds.some(of: 0..<50))
  func `every row has its own values, whatever the number of rows that are written together`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let test = try Building()
    var expected: [String] = []
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let name = ["Author", "Book", "Comic"].randomElement(using: &generator) ?? "Book"
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        let object = try test.context.insert(name)
        let length = Int.random(in: 0...3, using: &generator)
        let text = String(repeating: "text \(object.primaryKey) ", count: length * length * length * 30)
        if length > 0 { object[name == "Author" ? "name" : "title"] = .string(text) }
        if name == "Comic" { object["colors"] = .integer(object.primaryKey) }
        let colors = name == "Comic" ? "\(object.primaryKey)" : "-"
        let shown = length > 0 ? text : "-"
        expected.append(
          name == "Author" ? "author \(object.primaryKey) \(shown)" : "\(object.primaryKey) \(shown) \(colors)")
      }
      if Bool.random(using: &generator) { try test.context.passOn() }
    }
    try test.context.flush()
    let rows =
      try test.rows("SELECT 'author', Z_PK, ZNAME FROM ZAUTHOR")
      + test.rows("SELECT Z_PK, ZTITLE, ZCOLORS FROM ZBOOK")
    #expect(rows.sorted() == expected.sorted(), "seed \(seed)")
  }

  @Test func `objects that a caller holds can be changed, connected and deleted afterwards`() throws {
    let test = try Building()
    let books = try (0..<3).map { _ in try test.context.insert("Book") }
    let author = try test.context.insert("Author")
    try test.context.flushBehind()
    #expect(!test.context.hasChanges)
    books[0]["title"] = "changed"
    books[1][toOne: "author"] = author
    try test.context.flushBehind()
    try test.context.delete(books[2])
    try test.context.flushBehind()
    #expect(try test.rows("SELECT Z_PK, ZTITLE, ZAUTHOR FROM ZBOOK ORDER BY 1") == ["1 changed -", "2 - 1"])
  }

  @Test func `an object that needs more than a row does not keep others from the writing thread`() throws {
    let test = try Building()
    let author = try test.context.insert("Author")
    let books = try (0..<5).map { _ in try test.context.insert("Book") }
    for (number, book) in books.enumerated() {
      book["title"] = .string("title \(number)")
      book[toOne: "author"] = number == 4 ? nil : author
    }
    books[2][toMany: "tags"] = [try test.context.insert("Tag")]
    #expect(test.context.pendingCount == 7)
    try test.context.flushBehind()
    #expect(!test.context.hasChanges && test.context.pendingCount == 0 && books.allSatisfy { !$0.isUnsaved })
    #expect(
      try test.rows("SELECT Z_PK, Z_OPT, ZTITLE, ZAUTHOR FROM ZBOOK ORDER BY 1") == [
        "1 1 title 0 1", "2 1 title 1 1", "3 1 title 2 1", "4 1 title 3 1", "5 1 title 4 -",
      ])
    #expect(try test.context.fetch(FetchRequest(entityName: "Tag")).first?[toMany: "books"] == [books[2]])
    #expect(
      try test.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY 1") == [
        "Author 1", "Book 5", "Tag 1",
      ])
    books[0]["title"] = "changed"
    try test.context.flush()
    #expect(try test.rows("SELECT Z_OPT, ZTITLE FROM ZBOOK WHERE Z_PK < 3") == ["1 changed", "1 title 1"])
    try test.store.finishBulkLoad()
  }

  // MARK: Reused objects

  @Test func `unreferenced objects are released at once, and their rows are written`() throws {
    let test = try Building()
    for number in 0..<5_000 {
      let book = try test.context.insert("Book")
      book["title"] = .string("title \(number)")
      try test.context.passOn()
      // An object that a caller holds behaves like any other.
      #expect(book.isInserted)
      try make(test.context) { $0["title"] = .string("gone \(number)") }
      let pending = test.context.pendingCount
      let living = test.context.livingObjectCount
      try test.context.passOn()
      #expect(test.context.livingObjectCount == living - 1, "it waits for a flush: \(pending)")
    }
    try test.context.flush()
    #expect(
      try test.rows("SELECT count(*), max(Z_PK), sum(Z_OPT), count(DISTINCT ZTITLE) FROM ZBOOK") == [
        "10000 10000 10000 10000"
      ])
  }

  private func make(_ context: ManagedObjectContext, _ change: (ManagedObject) throws -> Void) throws {
    try change(context.insert("Book"))
  }

  @Test func `a reused object keeps nothing of its previous row`() throws {
    let test = try Building()
    let author = try test.context.insert("Author")
    try test.context.flush()
    for number in 0..<10 {
      try make(test.context) { book in
        #expect(book["title"] == .null && book["pages"] == .null && book[toOne: "author"] == nil && book.isInserted)
        #expect(book.changedAttributeNames.contains("title"))
        if number.isMultiple(of: 2) { book["title"] = .string("title \(number)") }
        if number == 5 { book[toOne: "author"] = author }
        if number == 6 { book[toMany: "tags"] = [try test.context.insert("Tag")] }
        if number == 7 { try test.context.delete(book) }
      }
      try test.context.passOn()
    }
    #expect(test.context.livingObjectCount < 8)
    try test.context.flush()
    #expect(
      try test.rows("SELECT Z_PK, ZTITLE, ZAUTHOR FROM ZBOOK ORDER BY 1") == [
        "1 title 0 -", "2 - -", "3 title 2 -", "4 - -", "5 title 4 -", "6 - 1", "7 title 6 -", "9 title 8 -", "10 - -",
      ])
    #expect(try test.context.fetch(FetchRequest(entityName: "Tag")).first?[toMany: "books"].map(\.primaryKey) == [7])
  }

  @Test func `an object that another refers to keeps its identity`() throws {
    let test = try Building()
    weak var weakly: ManagedObject?
    var held: ManagedObject?
    try make(test.context) { weakly = $0 }
    try make(test.context) { held = $0 }
    try make(test.context) { $0["title"] = "third" }
    try test.context.passOn()
    try make(test.context) { $0["title"] = "fourth" }
    try test.context.passOn()
    #expect(weakly == nil)
    #expect(held?.primaryKey == 2)
    held?["title"] = "second"
    try test.context.flush()
    #expect(try test.rows("SELECT Z_PK, ZTITLE FROM ZBOOK ORDER BY 1") == ["1 -", "2 second", "3 third", "4 fourth"])
  }

  @Test func `rows of reused objects can be found, and frequent lookups stop the reuse`() throws {
    let test = try Building()
    for number in 1...200 as ClosedRange<Int64> {
      try make(test.context) { $0["pages"] = .integer(number) }
      try test.context.passOn()
      let last = try test.context.fault("Book", key: number)
      #expect(last["pages"] == .integer(number))
    }
    // The last objects were no longer reused.
    #expect(test.context.pendingCount > 100)
    #expect(test.context.failure == nil)
    try test.context.flush()
    #expect(try test.rows("SELECT count(*), sum(ZPAGES) FROM ZBOOK") == ["200 20100"])
  }

  @Test func `write errors are reported, even for released objects`() throws {
    let test = try Building()
    for _ in 0..<2 {
      _ = try test.context.insert("Author", key: 5)
      try test.context.passOn()
    }
    #expect(throws: Diagnostic.self) { try test.context.flush() }
    try test.store.close()
  }

  @Test(arguments: [1, 15, 16, 4_095, 4_096, 4_097, 100_000])
  func `text of any length is written unchanged`(length: Int) throws {
    let test = try Building()
    let text = String(String(repeating: "ä€x", count: length).prefix(length))
    for _ in 0..<3 {
      try make(test.context) { $0["title"] = .string(text) }
      try make(test.context) { $0["title"] = "" }
      try test.context.passOn()
    }
    try test.context.flush()
    let books = try test.context.fetch(FetchRequest(entityName: "Book"))
    #expect(books.map { $0["title"].string?.count } == [length, 0, length, 0, length, 0])
    #expect(books.first?["title"] == .string(text))
  }

  // MARK: Failures

  @Test func `write errors are reported by a later flush, and persist`() throws {
    let test = try Building()
    _ = try test.context.insert("Author", key: 5)
    try test.context.flushBehind()
    _ = try test.context.insert("Author", key: 5)
    try test.context.flushBehind()
    #expect(throws: Diagnostic.self) { try test.context.waitUntilWritten() }
    #expect(throws: Diagnostic.self) { try test.context.flush() }
    #expect(test.context.failure is Diagnostic)
    try test.store.close()
  }

  @Test func `large values do not accumulate, and an abandoned store ends its thread`() throws {
    let test = try Building()
    for _ in 0..<4 {
      for _ in 0..<3 {
        let book = try test.context.insert("Book")
        book["title"] = .string(String(repeating: "x", count: 2 << 20))
      }
      try test.context.flushBehind()
    }
    try test.store.close()
    #expect(throws: (any Error).self) { try test.context.fetch(FetchRequest(entityName: "Book")) }
  }
}
