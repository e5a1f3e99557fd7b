import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore
@testable import HeavyliftReports

struct StoreDumpTests {
  @Test func `objects are sorted by entity and key, and dumped with all their contents`() throws {
    let (folder, store) = try DumpStores.filled()
    try store.database.execute(
      """
      INSERT INTO Z_4TAGS (Z_2TAGS, Z_4WORKS, Z_FOK_4WORKS) VALUES (1, 3, 1024), (1, 1, 2048), (2, 2, 1024);
      INSERT INTO Z_1FRIENDS (Z_1FRIENDS, REFLEXIVE) VALUES (1, 2);
      """)
    #expect(
      try DumpStores.dump(store) == """
        {"entity":"Book","key":1,"attributes":{"pages":7,"title":"Cosmos"},"relationships":{"author":"Person/p1","tags":["Tag/p1"]}}
        {"entity":"Person","key":1,"attributes":{"name":"Ana"},"relationships":{"favourites":["Tag/p2","Tag/p1"],"friends":["Person/p2"],"works":["Book/p1","Song/p2"]}}
        {"entity":"Person","key":2,"attributes":{"name":"Bo"},"relationships":{"favourites":[],"friends":["Person/p1"],"works":["Song/p3"]}}
        {"entity":"Song","key":2,"attributes":{"length":2.5,"title":null},"relationships":{"author":"Person/p1","tags":["Tag/p2"]}}
        {"entity":"Song","key":3,"attributes":{"length":1.0,"title":""},"relationships":{"author":"Person/p2","tags":["Tag/p1"]}}
        {"entity":"Tag","key":1,"attributes":{"label":"a"},"relationships":{"fan":"Person/p1","works":["Song/p3","Book/p1"]}}
        {"entity":"Tag","key":2,"attributes":{"label":"b"},"relationships":{"fan":"Person/p1","works":["Song/p2"]}}
        {"entity":"Tag","key":3,"attributes":{"label":"c"},"relationships":{"fan":null,"works":[]}}

        """)
    withExtendedLifetime(folder) {}
  }

  @Test func `only the chosen entities are written and counted`() throws {
    let (folder, store) = try DumpStores.filled()
    var options = StoreDump.Options()
    options.entityNames = ["Tag", "Song"]
    let sink = MemorySink()
    let counts = try StoreDump(store, options: options).write(to: sink)
    #expect(counts == StoreDump.Counts(objects: ["Tag": 3, "Song": 2], danglingLinks: 0))
    #expect(
      sink.text.split(separator: "\n").map { $0.prefix(16) } == [
        "{\"entity\":\"Song\"", "{\"entity\":\"Song\"", "{\"entity\":\"Tag\",", "{\"entity\":\"Tag\",",
        "{\"entity\":\"Tag\",",
      ])
    withExtendedLifetime(folder) {}
  }

  @Test func `metadata is in a first line, without parts that depend on the framework`() throws {
    let (folder, store) = try DumpStores.make()
    try store.updateMetadata {
      $0.values["app"] = .dictionary([
        "b": .array([.boolean(true), .integer(1), .real(1)]), "a": .data(Data([1])),
        "c": .date(Date(timeIntervalSinceReferenceDate: 0)),
      ])
    }
    var options = StoreDump.Options()
    options.includesMetadata = true
    let hashes = store.metadata.versionHashes.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
    #expect(
      try DumpStores.dump(store, options) == """
        {"metadata":{"identifier":"11111111-2222-3333-4444-555555555555","versionIdentifiers":[],\
        "versionHashes":{\(hashes.joined(separator: ","))},"applicationValues":{"app":{"a":{"data":"AQ=="},\
        "b":[true,1,1.0],"c":{"date":"2001-01-01T00:00:00Z"}}}}}

        """)
    withExtendedLifetime(folder) {}
  }

  @Test func `dangling references are shown, and do not stop the dump`() throws {
    let (folder, store) = try DumpStores.filled()
    try store.database.execute(
      """
      UPDATE ZWORK SET ZAUTHOR = 99 WHERE Z_PK = 1;
      UPDATE ZTAG SET ZFAN = 77 WHERE Z_PK = 3;
      INSERT INTO Z_4TAGS (Z_2TAGS, Z_4WORKS, Z_FOK_4WORKS) VALUES (0, 2, 1), (1, 55, 1), (66, 1, 1), (68, 69, 2), (3, NULL, 1);
      """)
    let lines = try DumpStores.dump(store).split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains("dangling") || $0.contains("[null") } == [
        #"{"entity":"Book","key":1,"attributes":{"pages":7,"title":"Cosmos"},"relationships":"#
          + #"{"author":{"dangling":"Person/p99"},"tags":[{"dangling":"Tag/p66"}]}}"#,
        #"{"entity":"Song","key":2,"attributes":{"length":2.5,"title":null},"relationships":"#
          + #"{"author":"Person/p1","tags":[{"dangling":"Tag/p0"}]}}"#,
        #"{"entity":"Tag","key":1,"attributes":{"label":"a"},"relationships":"#
          + #"{"fan":"Person/p1","works":[{"dangling":"Work/p55"}]}}"#,
        #"{"entity":"Tag","key":3,"attributes":{"label":"c"},"relationships":"#
          + #"{"fan":{"dangling":"Person/p77"},"works":[null]}}"#,
        #"{"danglingLink":{"entity":"Work","relationship":"tags","owner":null,"target":3}}"#,
        #"{"danglingLink":{"entity":"Work","relationship":"tags","owner":55,"target":1}}"#,
        #"{"danglingLink":{"entity":"Work","relationship":"tags","owner":69,"target":68}}"#,
      ])
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    (
      "UPDATE ZPERSON SET ZNAME = x'00' WHERE Z_PK = 2",
      "holds a blob where a value of type String is expected: column ZNAME of table ZPERSON, "
        + "attribute 'name' of Person/p2", "ZPERSON WHERE Z_PK = 2"
    ),
    (
      "UPDATE ZWORK SET ZPAGES = 'many' WHERE Z_PK = 1",
      "holds text where a value of type Integer 32 is expected: column ZPAGES of table ZWORK, "
        + "attribute 'pages' of Book/p1", "ZWORK WHERE Z_PK = 1"
    ),
    (
      "UPDATE ZWORK SET ZAUTHOR = 'Ana' WHERE Z_PK = 3",
      "holds text where the key of an object is expected: column ZAUTHOR of table ZWORK, "
        + "attribute 'author' of Song/p3", "ZWORK WHERE Z_PK = 3"
    ),
    (
      "INSERT INTO Z_4TAGS (Z_2TAGS, Z_4WORKS) VALUES (2, 'x')",
      "holds text where the key of an object is expected: column Z_4WORKS of table Z_4TAGS, "
        + "attribute 'works' of Tag/p2", "Z_4TAGS WHERE Z_PK = 2"
    ),
    (
      "UPDATE ZPERSON SET ZNAME = CAST(x'FF' AS TEXT) WHERE Z_PK = 1",
      "holds text that is not UTF-8: column ZNAME of table ZPERSON, attribute 'name' of Person/p1",
      "ZPERSON WHERE Z_PK = 1"
    ),
  ])
  func `an invalid value is an error that names its place`(sql: String, problem: String, place: String) throws {
    let (folder, store) = try DumpStores.filled()
    try store.database.execute(sql)
    let error = #expect(throws: Diagnostic.self) { try DumpStores.dump(store) }
    #expect(
      error?.description == """
        error[store.bad-value]: store '\(store.url.path)' \(problem)
          correct the value, e.g. with sqlite3 on a copy: \(place)
        """)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    ("INSERT INTO ZWORK (Z_PK, Z_ENT) VALUES (9, 77)", "table ZWORK that belongs to no entity: Z_ENT 77, Z_PK 9"),
    ("INSERT INTO ZWORK (Z_PK) VALUES (9)", "table ZWORK that belongs to no entity: Z_ENT 0, Z_PK 9"),
  ])
  func `a row of an unknown entity is an error and not skipped`(sql: String, problem: String) throws {
    let (folder, store) = try DumpStores.filled()
    try store.database.execute(sql)
    let error = #expect(throws: Diagnostic.self) { try DumpStores.dump(store) }
    #expect(
      error?.description == """
        error[store.unknown-entity-number]: store '\(store.url.path)' has a row in \(problem)
          the store was not written with this model, or the row is damaged
        """)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: ["77", "2", "NULL"])
  func `a row with another number in a table with one entity is dumped like the others, and counted`(
    number: String
  ) throws {
    let (folder, store) = try DumpStores.filled()
    let before = try DumpStores.dump(store)
    try store.database.execute("UPDATE ZPERSON SET Z_ENT = \(number) WHERE Z_PK = 1")
    #expect(try DumpStores.dump(store) == before)
    let counts = try StoreDump(store).write(to: MemorySink())
    #expect(counts.misnumberedRows == [MisnumberedRows(entity: "Person", table: "ZPERSON", count: 1)])
    withExtendedLifetime(folder) {}
  }

  @Test func `a sink that fails stops the dump with its own error`() throws {
    final class FullSink: ByteSink {
      func write(_ bytes: UnsafeRawBufferPointer) throws { throw POSIXError(.ENOSPC) }
    }
    let (folder, store) = try DumpStores.filled()
    #expect(throws: POSIXError(.ENOSPC)) { try StoreDump(store).write(to: FullSink()) }
    // The transaction is over.
    #expect(!store.database.isInTransaction)
    withExtendedLifetime(folder) {}
  }

  @Test func `an object with very many targets is written in pieces`() throws {
    final class PieceSink: ByteSink {
      var longest = 0
      var total = 0
      func write(_ bytes: UnsafeRawBufferPointer) throws {
        longest = max(longest, bytes.count)
        total += bytes.count
      }
    }
    let (folder, store) = try DumpStores.big(tags: 50_000)
    let sink = PieceSink()
    var options = StoreDump.Options()
    options.entityNames = ["Person"]
    try StoreDump(store, options: options).write(to: sink)
    #expect(sink.total > 500_000)
    #expect(sink.longest < 70_000)
    withExtendedLifetime(folder) {}
  }
}
