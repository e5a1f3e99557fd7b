import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Indexes that another thread creates.
struct IndexBuilderTests {
  private static func store(_ folder: TemporaryFolder) throws -> PersistentStore {
    try PersistentStore.beginBulkLoad(at: folder.appending("new.sqlite"), model: Models.library, options: .init())
  }

  private static func indexes(_ store: PersistentStore) throws -> [String] {
    try store.database.schemaObjects().filter { $0.type == .index }.compactMap(\.sql).sorted()
  }

  /// Creates an object that the thread that writes rows takes over.
  private static func insertBook(_ context: ManagedObjectContext) throws {
    _ = try context.insert("Book")
    try context.passOn()
  }

  @Test func `a store gets all indexes, whenever its connection is used`() throws {
    let folder = try TemporaryFolder()
    let plain = try PersistentStore.create(at: folder.appending("plain.sqlite"), model: Models.library)
    let expected = try Self.indexes(plain)
    try plain.close()
    #expect(expected.count > 2)
    for uses in 0..<4 {
      let folder = try TemporaryFolder()
      let store = try Self.store(folder)
      for _ in 0..<uses {
        store.beginIndexing()
        // Stops the thread, which may have created any number of indexes.
        #expect(try Self.indexes(store).count + store.deferredIndexes.count == expected.count)
      }
      store.beginIndexing()
      try store.makeDeferredIndexes()
      #expect(store.deferredIndexes.isEmpty)
      #expect(try Self.indexes(store) == expected)
      store.beginIndexing()
      try store.finishBulkLoad()
    }
  }

  @Test func `a query waits for the indexes`() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let context = ManagedObjectContext(store: store)
    context.beginBulkLoad(firstKeys: [:])
    _ = try context.insert("Book")
    try context.flush()
    store.beginIndexing()
    #expect(try context.fetch(FetchRequest(entityName: "Book")).count == 1)
    #expect(store.deferredIndexes.isEmpty)
    try store.close()
  }

  @Test func `the thread that writes rows waits for an index`() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let context = ManagedObjectContext(store: store)
    context.beginBulkLoad(firstKeys: [:])
    // Enough rows for an index to take longer than a batch of new ones.
    for _ in 0..<30_000 { try Self.insertBook(context) }
    store.beginIndexing()
    for _ in 0..<10_000 { try Self.insertBook(context) }
    try context.flush()
    #expect(try store.objectCounts()["Book"] == 40_000)
    try store.finishBulkLoad()
  }

  @Test(arguments: [true, false])
  func `an error of the thread is reported once the indexes are needed`(isUsed: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let last = try #require(store.deferredIndexes.last)
    try store.database.execute("CREATE TABLE \(SQLName(last.name)) (x)")
    store.beginIndexing()
    if isUsed {
      // Stopping early would leave the last index to this thread, which then reports the same error.
      _ = try store.database.firstValue("SELECT 1")
    }
    for _ in 0..<2 {
      let error = #expect(throws: Diagnostic.self) { try store.makeDeferredIndexes() }
      #expect(error?.problem.contains("there is already a table named \(last.name)") == true, "\(error as Any)")
    }
    try store.close()
  }

  @Test func `closing a store waits for the thread`() throws {
    for closes in [true, false] {
      let folder = try TemporaryFolder()
      let store = try Self.store(folder)
      store.beginIndexing()
      if closes { try store.close() }
    }
  }
}
