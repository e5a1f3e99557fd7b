import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Synchronization
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore
import HeavyliftReports

/// Surveys whose rows two threads read.
@Suite struct ParallelReaderTests {
  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(name: "Album"),
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "isLive", type: .boolean),
          AttributeDescription(name: "added", type: .date),
        ],
        relationships: [RelationshipDescription(name: "album", destinationEntityName: "Album", maxCount: 1)]),
      // With two entities in the table, the numbers of its rows matter.
      EntityDescription(name: "Single", superentityName: "Track"),
    ])

  /// Creates a store, and calls `body` with it and a second reader of the same state.
  private func withStore(
    _ sql: String, leastRows: Int = 0, changing change: (Database) throws -> Void = { _ in },
    _ body: (PersistentStore, ParallelReader) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Music.sqlite")
    let created = try PersistentStore.create(at: url, model: Self.model)
    try created.database.execute(sql)
    // Keeps the log.
    defer { try? created.close() }
    let file = try StoreFile(url: url, mode: .readOnly)
    let store = try PersistentStore(file: file, model: Self.model, configuration: nil)
    defer { try? store.close() }
    let detector = try ChangeDetector(file)
    try store.readingConsistently {
      // The first query takes the snapshot.
      _ = try store.objectCounts()
      try change(created.database)
      let reader = ParallelReader(of: store, detector, leastRows: leastRows) { false }
      defer { reader.close() }
      try body(store, reader)
    }
  }

  private static func transfer(_ store: PersistentStore, where filter: String? = nil) throws -> RowTransfer {
    try RowTransfer(
      from: StoreBlueprint(ofSource: store), entity: "Track",
      where: filter.map { try MappingPredicate(parsing: $0) },
      to: StoreBlueprint(model: model, configuration: nil), entity: "Track")
  }

  /// Everything that a survey finds out, as text.
  private static func findings(
    _ store: PersistentStore, where filter: String? = nil, with reader: ParallelReader?
  ) throws -> String {
    let transfer = try transfer(store, where: filter)
    let facts = try #require(transfer.columnFacts(forKeeping: true))
    let (keys, misfit) = try store.survey(transfer, facts: facts, with: reader)
    let columns = facts.columns.map { column in
      "\(column.name) \(column.hasValues) \(column.isIrregular) \((0..<400).filter(column.keys.contains))"
    }
    return (["\((0..<400).filter(keys.contains)) misfit \(misfit ?? 0)"] + (misfit == nil ? columns : []))
      .joined(separator: "\n")
  }

  /// Returns a statement that creates tracks, some of which have odd values.
  private static func randomTracks(_ generator: inout SeededGenerator) -> String {
    let values = ["1", "0", "NULL", "2", "'x'", "2.5", "x'00'", "9007199254740993"]
    func value(_ rare: Int) -> String {
      Int.random(in: 0..<rare, using: &generator) == 0 ? values.randomElement(using: &generator) ?? "1" : "1"
    }
    // Fewer odd values than rows, so that most stores have none or few misfits.
    let rare = [20, 200, 2_000].randomElement(using: &generator) ?? 20
    let rows = (1...400).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }.map { key in
      "(\(key), 2, \(value(rare)), 'title', \(value(rare)), \(value(rare)), \(value(rare)))"
    }
    return "INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZISLIVE, ZADDED, ZALBUM) VALUES "
      + rows.joined(separator: ", ")
  }

  @Test(arguments: Seeds.some(of: 0..<100))
  func `two threads find out the same as one`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withStore(Self.randomTracks(&generator)) { store, reader in
      // The second connection does not have the function that the last filter calls.
      for filter in [nil, "isLive == 1", "album != nil AND isLive == 1", "title MATCHES 't.*'"] {
        let one = try Self.findings(store, where: filter, with: nil)
        #expect(try Self.findings(store, where: filter, with: reader) == one, "seed \(seed), \(filter ?? "no filter")")
      }
      let used = try reader(second: { _ in true }, first: { true })
      #expect(used != nil, "the second thread was not used")
    }
  }

  @Test(arguments: Seeds.some(of: 0..<20))
  func `values and links are counted for the objects that count, in one pass or in two halves`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try withStore(Self.randomTracks(&generator)) { store, reader in
      let names = ["title", "added", "album", "isLive", "missing"]
      let (odd, third) = ({ (key: Int64) in key % 2 == 1 }, { (key: Int64) in key % 3 == 0 })
      let tests = [odd, third, odd, { _ in true }, odd]
      let columns = ["ZTITLE", "ZADDED", "ZALBUM", "ZISLIVE"]
      let expected: [Int?] =
        try zip(columns, ["Z_PK % 2 = 1", "Z_PK % 3 = 0", "Z_PK % 2 = 1", "TRUE"]).map {
          try store.number("SELECT count(*) FROM ZTRACK WHERE \($0) IS NOT NULL AND \($1)")
        } + [nil]
      for reader in [nil, reader] {
        let counts = try store.counts(of: Array(zip(names, tests)), entity: "Track", with: reader)
        #expect(counts == expected, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [([2], 2), ([350], 350), ([2, 350], 2), ([200, 201], 200)])
  func `two threads report the first row of an unknown entity`(keys: [Int], expected: Int) throws {
    let rows = (1...400).map { "(\($0), \(keys.contains($0) ? 9 : 2), 1)" }.joined(separator: ", ")
    try withStore("INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT) VALUES \(rows)") { store, reader in
      let error = try #require(throws: Diagnostic.self) { try store.refuseForeignRows(with: reader) }
      #expect(error == StoreMistake.unknownEntityNumber(9, table: "ZTRACK", key: Int64(expected)).diagnostic(store.url))
      try store.refuseForeignRows(in: ["ZALBUM"], with: reader)
    }
  }

  @Test(arguments: [(299, true), (300, false)])
  func `few rows are read by one thread`(leastRows: Int, isUsed: Bool) throws {
    let rows = [1, 2, 300].map { "(\($0), 2, 1)" }.joined(separator: ", ")
    try withStore("INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT) VALUES \(rows)", leastRows: leastRows) { _, reader in
      let halves = try reader.halves(of: "ZTRACK", lower: { _, _ in 1 }, upper: { _, _ in 2 })
      #expect((halves != nil) == isUsed)
    }
  }

  @Test func `an empty table needs no second thread`() throws {
    try withStore("SELECT 1") { store, reader in
      let one = try Self.findings(store, with: nil)
      #expect(try Self.findings(store, with: reader) == one)
    }
  }

  @Test func `a second connection that would see another state is not used`() throws {
    let row = "INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT) VALUES"
    try withStore("\(row) (1, 2, 1), (3, 2, 1)", changing: { try $0.execute("\(row) (2, 2, 1)") }) { store, reader in
      let used = try reader(second: { _ in true }, first: { true })
      #expect(used == nil)
      #expect(try Self.findings(store, with: reader).hasPrefix("[1, 3] misfit 0"))
    }
  }

  @Test func `errors of both threads reach the caller, and the work of both has ended`() throws {
    struct Broken: Error, Equatable { var thread: Int }
    try withStore("SELECT 1") { _, reader in
      #expect(throws: Broken(thread: 2)) { try reader(second: { _ in throw Broken(thread: 2) }, first: {}) }
      #expect(throws: Broken(thread: 1)) { try reader(second: { _ in }, first: { throw Broken(thread: 1) }) }
      #expect(throws: Broken(thread: 1)) {
        try reader(second: { _ in throw Broken(thread: 2) }, first: { throw Broken(thread: 1) })
      }
    }
  }

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  @Test func `a cancelled migration interrupts the second connection`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Music.sqlite")
    try PersistentStore.create(at: url, model: Self.model).close()
    let file = try StoreFile(url: url, mode: .readOnly)
    let store = try PersistentStore(file: file, model: Self.model, configuration: nil)
    defer { try? store.close() }
    let detector = try ChangeDetector(file)
    let isCancelled = Flag()
    try store.readingConsistently {
      let reader = ParallelReader(of: store, detector, leastRows: 0) { isCancelled.value.withLock { $0 } }
      defer { reader.close() }
      _ = try reader(second: { _ in }, first: {})
      isCancelled.value.withLock { $0 = true }
      let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
      let error = #expect(throws: SQLiteError.self) {
        try reader(second: { _ = try $0.firstValue(endless) }, first: {})
      }
      #expect(error?.isInterrupt == true)
    }
  }
}
