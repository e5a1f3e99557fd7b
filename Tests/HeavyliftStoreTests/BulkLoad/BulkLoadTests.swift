import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// A store that is filled before it is used.
struct BulkLoadTests {
  private final class Building {
    let folder: TemporaryFolder
    let model: ManagedObjectModel
    let store: PersistentStore
    let context: ManagedObjectContext
    var url: URL { folder.appending("new.sqlite") }

    init(_ model: ManagedObjectModel, firstKeys: [String: Int64] = [:], reserved: [String: Int64] = [:]) throws {
      folder = try TemporaryFolder()
      self.model = model
      store = try PersistentStore.beginBulkLoad(
        at: folder.appending("new.sqlite"), model: model, options: .init(), reservedKeys: reserved)
      context = ManagedObjectContext(store: store)
      context.beginBulkLoad(firstKeys: firstKeys)
    }

    func rows(_ sql: String) throws -> [String] {
      var cursor = try store.database.prepare(sql).query()
      var rows: [String] = []
      while try cursor.next() { rows.append(try cursor.row.values().map(TestStore.text).joined(separator: " ")) }
      return rows
    }
  }

  @Test func `a store begun without indexes ends up with the indexes that every store has`() throws {
    let folder = try TemporaryFolder()
    func indexes(_ store: PersistentStore) throws -> [String] {
      try store.database.schemaObjects().filter { $0.type == .index }.compactMap(\.sql).sorted()
    }
    let plain = try PersistentStore.create(at: folder.appending("plain.sqlite"), model: Models.library)
    let store = try PersistentStore.beginBulkLoad(
      at: folder.appending("new.sqlite"), model: Models.library, options: .init())
    #expect(try indexes(store) == [])
    try store.finishBulkLoad()
    let opened = try PersistentStore(url: folder.appending("new.sqlite"), models: [Models.library])
    let expected = try indexes(plain)
    #expect(!expected.isEmpty)
    #expect(try indexes(opened) == expected)
    try plain.close()
    try opened.close()
  }

  @Test func `a new object has its permanent key at once`() throws {
    let test = try Building(Models.library, firstKeys: ["Book": 100])
    let (book, comic, author) = (
      try test.context.insert("Book"), try test.context.insert("Comic", key: 7), try test.context.insert("Author")
    )
    #expect([book, comic, author].map(\.description) == ["Book/p100", "Comic/p7", "Author/p1"])
    #expect([book, comic, author].map(\.objectID.isTemporary) == [false, false, false])
    #expect(try test.context.object(with: comic.objectID) === comic)
    book[toOne: "author"] = author
    try test.context.flush()
    #expect(try test.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHOR FROM ZBOOK ORDER BY 1") == ["7 3 1 -", "100 2 1 1"])
    #expect(try test.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0") == ["Author 1", "Book 100"])
    #expect(try test.context.insert("Comic").description == "Comic/p101")
  }

  @Test func `a flush checks no rules and does not count as a save`() throws {
    var model = Models.library
    model.entities[0].attributes[0].isOptional = false
    let test = try Building(model)
    let author = try test.context.insert("Author")
    try test.context.flush()
    author["name"] = "Late"
    try test.context.save()
    #expect(try test.rows("SELECT ZNAME, Z_OPT FROM ZAUTHOR") == ["Late 1"])
  }

  @Test func `unreferenced objects are released, and read again on access`() throws {
    let test = try Building(Models.library)
    do {
      let author = try test.context.insert("Author")
      for number in 0..<600 {
        let book = try test.context.insert("Book")
        book["title"] = .string("\(number)")
        book[toOne: "author"] = author
        if number % 200 == 199 { try test.context.flush() }
      }
      #expect(test.context.livingObjectCount == 1)
      #expect(try author.count(forKey: "books") == 600)
    }
    #expect(test.context.livingObjectCount == 0)
    #expect(test.context.peakObjectCount == 201)
    #expect(test.context.registeredObjects.count == 601)
    #expect(test.context.insertedObjects.count == 601)
  }

  @Test func `an ordered relationship keeps its order over flushes`() throws {
    let test = try Building(Models.graph)
    let owner = try test.context.insert("Node")
    var expected: [Int64] = []
    for number in 0..<9 {
      let item = try test.context.insert("Node")
      try owner.add(item, to: "items", at: number % 3 == 0 ? 0 : nil)
      try owner.add(item, to: "queue", at: number % 3 == 0 ? 0 : nil)
      if number % 3 == 0 { expected.insert(item.objectID.key, at: 0) } else { expected.append(item.objectID.key) }
      if number % 4 == 3 { try test.context.flush() }
    }
    try test.context.flush()
    let again = ManagedObjectContext(store: test.store)
    let read = try #require(try again.existingObject(with: owner.objectID))
    #expect(try read.objects(forKey: "items").map(\.objectID.key) == expected)
    #expect(try read.objects(forKey: "queue").map(\.objectID.key) == expected)
  }

  @Test func `no links lead to an object that was deleted before it was written`() throws {
    let test = try Building(Models.graph)
    let (node, gone) = (try test.context.insert("Node"), try test.context.insert("Node"))
    var told: [ManagedObject] = []
    test.context.deletionHandler = { object in
      told.append(object)
      return {}
    }
    // Without an inverse, the other side is not updated.
    node[toOne: "link"] = gone
    try node.add(gone, to: "links")
    try node.add(gone, to: "friends")
    try test.context.delete(gone)
    try test.context.flush()
    #expect(told == [gone])
    #expect(try test.rows("SELECT Z_PK, ZLINK FROM ZNODE") == ["1 -"])
    for table in test.store.layout.joinTables {
      #expect(try test.rows("SELECT count(*) FROM \(table.name)") == ["0"])
    }
  }

  @Test func `a deletion that is rolled back is undone, but only before it is written`() throws {
    let test = try Building(Models.graph)
    let nodes = try (0..<3).map { _ in try test.context.insert("Node") }
    try test.context.flush()
    var steps: [String] = []
    test.context.deletionHandler = { object in
      steps.append("deleted \(object.primaryKey)")
      return { steps.append("restored \(object.primaryKey)") }
    }
    try test.context.delete(nodes[0])
    try test.context.flush()
    try test.context.delete(nodes[1])
    try test.context.delete(nodes[2])
    #expect(test.context.objectBalance == [:])
    test.context.rollback()
    test.context.rollback()
    #expect(steps == ["deleted 1", "deleted 2", "deleted 3", "restored 3", "restored 2"])
    #expect(test.context.objectBalance == ["Node": 2])
    #expect(nodes.map(\.isDeleted) == [true, false, false])
    try test.context.flush()
    #expect(try test.rows("SELECT Z_PK FROM ZNODE") == ["2", "3"])
  }

  @Test func `a finished store is like any other, and uniqueness holds from then on`() throws {
    var model = Models.library
    model.entities[3].uniquenessConstraints = [.init(["label"])]
    let test = try Building(model, reserved: ["Tag": 50])
    // Duplicates do no harm while the store is built: uniqueness is checked later.
    let tags = try ["a", "a"].map { label in
      let tag = try test.context.insert("Tag")
      tag["label"] = .string(label)
      try test.context.flush()
      return tag
    }
    tags[1]["label"] = "b"
    try test.context.flush()
    try test.store.finishBulkLoad()

    let made = try TestStore(model)
    let sql = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    let opened = try PersistentStore(url: test.url, models: [model])
    var cursor = try opened.database.prepare(sql).query()
    var schema: [String] = []
    while try cursor.next() { schema.append(try cursor.row.values().map(TestStore.text).joined(separator: " ")) }
    #expect(try schema == made.rows(sql))
    #expect(try DatabaseFiles(path: test.url.path).usesWriteAheadLog)
    #expect(
      try test.folder.url.contents()
        == ["new.sqlite", "new.sqlite-shm", "new.sqlite-wal"].filter {
          FileManager.default.fileExists(atPath: test.folder.appending($0).path)
        })
    let context = ManagedObjectContext(store: opened)
    let third = try context.insert("Tag")
    third["label"] = "a"
    #expect(throws: ValidationErrors.self) { try context.save() }
    third["label"] = "c"
    try context.save()
    #expect(third.objectID.key == 51)
  }

  @Test func `a failed flush is reported again by the next`() throws {
    let test = try Building(Models.library)
    _ = try test.context.insert("Author", key: 5)
    try test.context.flush()
    _ = try test.context.insert("Author", key: 5)
    #expect(throws: Diagnostic.self) { try test.context.flush() }
    #expect(throws: Diagnostic.self) { try test.context.save() }
    #expect(throws: Diagnostic.self) { try test.context.fetch(FetchRequest(entityName: "Author")) }
  }
}

extension URL {
  fileprivate func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
