import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Rows that another thread writes while objects are made.
struct RowWriterTests {
  private final class Building {
    let folder: TemporaryFolder
    let store: PersistentStore
    let context: ManagedObjectContext

    init(_ model: ManagedObjectModel = Models.library) throws {
      folder = try TemporaryFolder()
      store = try PersistentStore.beginBuilding(at: folder.appending("new.sqlite"), model: model, options: .init())
      context = ManagedObjectContext(store: store)
      context.beginBuilding(firstKeys: [:])
    }

    func rows(_ sql: String) throws -> [String] {
      var cursor = try store.database.prepare(sql).query()
      var rows: [String] = []
      while try cursor.next() { rows.append(try cursor.row.values().map(TestStore.text).joined(separator: " ")) }
      return rows
    }
  }

  @Test func `everything is there when somebody asks`() throws {
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
    try test.context.settle()
    #expect(test.context.livingObjectCount == 0)
    #expect(
      try test.rows("SELECT count(*), max(Z_PK), sum(Z_OPT), count(DISTINCT ZTITLE) FROM ZBOOK") == [
        "1000 1000 1000 1000"
      ])
    #expect(try test.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == ["1000"])
    try test.store.finishBuilding()
  }

  @Test func `objects that somebody holds can be changed, connected and deleted afterwards`() throws {
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

  @Test func `what cannot be written is told by a later flush, and stays`() throws {
    let test = try Building()
    _ = try test.context.insert("Author", key: 5)
    try test.context.flushBehind()
    _ = try test.context.insert("Author", key: 5)
    try test.context.flushBehind()
    #expect(throws: Diagnostic.self) { try test.context.settle() }
    #expect(throws: Diagnostic.self) { try test.context.flush() }
    #expect(test.context.failure is Diagnostic)
    try test.store.close()
  }

  @Test func `big values do not pile up, and a store that is given up ends its thread`() throws {
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
