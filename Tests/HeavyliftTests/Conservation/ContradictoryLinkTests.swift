import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// One-to-one relationships whose two ends contradict each other in a damaged store.
@Suite struct ContradictoryLinkTests {
  private static let pages = ManagedObjectModel(
    name: "Pages",
    entities: [
      EntityDescription(
        name: "Page", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toOne("next", "Page", "previous"), Models.toOne("previous", "Page", "next")])
    ])
  private static let pairs = ManagedObjectModel(
    name: "Pairs",
    entities: [
      EntityDescription(name: "Left", relationships: [Models.toOne("right", "Right", "left")]),
      EntityDescription(name: "Right", relationships: [Models.toOne("left", "Left", "right")]),
    ])

  /// Four pages, of which the first two and the last two are linked.
  private static func fillPages(_ context: ManagedObjectContext) throws {
    let pages = try (1...4).map { _ in try context.insert("Page") }
    pages[0][toOne: "next"] = pages[1]
    pages[2][toOne: "next"] = pages[3]
  }

  private static func fillPairs(_ context: ManagedObjectContext) throws {
    for _ in 0..<2 { try context.insert("Left").setObject(context.insert("Right"), forKey: "right") }
  }

  private static func change(_ test: MigrationTest, _ sql: String) throws {
    try Database(path: test.source.path, mode: .readWrite).execute(sql)
  }

  /// The links in a column: the owner's key and the target's, such as "1-2 3-4".
  private static func links(_ column: String, of table: String, in store: URL) throws -> String {
    let database = try Database(path: store.path, mode: .readOnly)
    var cursor = try database.prepare("SELECT Z_PK, \(column) FROM \(table) WHERE \(column) NOT NULL ORDER BY 1")
      .query()
    var links: [String] = []
    while try cursor.next() { links.append("\(cursor.row.integer(at: 0))-\(cursor.row.integer(at: 1))") }
    return links.joined(separator: " ")
  }

  private static let changes = [
    "UPDATE ZPAGE SET ZNEXT = 4 WHERE Z_PK = 1", "UPDATE ZPAGE SET ZNEXT = NULL WHERE Z_PK = 1",
    "UPDATE ZPAGE SET ZPREVIOUS = NULL WHERE Z_PK = 2", "UPDATE ZPAGE SET ZPREVIOUS = 3 WHERE Z_PK = 1",
    "UPDATE ZPAGE SET ZNEXT = 1 WHERE Z_PK = 1",
  ]

  @Test(arguments: changes, [nil, "CallingSuper"])
  func `each end keeps its links`(change: String, policy: String?) throws {
    let test = try MigrationTest(
      from: Self.pages, to: Self.pages, policies: PolicyRegistry(CallingSuper.self), fill: Self.fillPages)
    try Self.change(test, change)
    try test.migrate(EntityMappingDescription(source: "Page", destination: "Page", policy: policy))
    let old = try (
      Self.links("ZNEXT", of: "ZPAGE", in: test.source), Self.links("ZPREVIOUS", of: "ZPAGE", in: test.source)
    )
    let new = try (
      Self.links("ZNEXT", of: "ZPAGE", in: test.destination), Self.links("ZPREVIOUS", of: "ZPAGE", in: test.destination)
    )
    #expect(new == old)
  }

  @Test(arguments: [true, false]) func `each end keeps its links through a chain of hops`(composesHops: Bool) throws {
    let versions = ["Pages 1", "Pages 2", "Pages 3"].enumerated().map { number, name in
      var model = Self.pages
      (model.name, model.versionIdentifiers) = (name, [name])
      model.entities[0].attributes += (0..<number).map { Models.attribute("more\($0)", .string) }
      return model
    }
    let test = try MigrationTest(from: versions[0], to: versions[2], fill: Self.fillPages)
    try Self.change(test, "UPDATE ZPAGE SET ZNEXT = NULL WHERE Z_PK = 1")
    let report = try IncrementalMigrationManager(models: versions, infersMissingMappings: true).migrate(
      test.source, into: test.destination, options: .init(composesHops: composesHops))
    #expect(report.hops.count == (composesHops ? 1 : 2))
    #expect(try Self.links("ZNEXT", of: "ZPAGE", in: test.destination) == "3-4")
    #expect(try Self.links("ZPREVIOUS", of: "ZPAGE", in: test.destination) == "2-1 4-3")
  }

  @Test(arguments: [
    ("UPDATE ZLEFT SET ZRIGHT = NULL WHERE Z_PK = 1", "1-1 2-2", "1-1 2-2"),
    ("UPDATE ZRIGHT SET ZLEFT = NULL WHERE Z_PK = 1", "1-1 2-2", "1-1 2-2"),
    ("UPDATE ZLEFT SET ZRIGHT = NULL", "1-1 2-2", "1-1 2-2"),
    // The right objects come last, so their links win.
    ("UPDATE ZLEFT SET ZRIGHT = 1 WHERE Z_PK = 2", "1-1 2-2", "1-1 2-2"),
    (
      "UPDATE ZLEFT SET ZRIGHT = 1 WHERE Z_PK = 2; UPDATE ZRIGHT SET ZLEFT = NULL", "2-1", "1-2"
    ),
  ])
  func `object by object, a link that only one end has is kept, and of contradictory ones the last`(
    change: String, lefts: String, rights: String
  ) throws {
    let test = try MigrationTest(from: Self.pairs, to: Self.pairs, fill: Self.fillPairs)
    try Self.change(test, change)
    var options = MigrationOptions()
    options.forcesObjects = true
    let report = try test.migrate(MappingModel(entityMappings: []), options: options)
    #expect(try Self.links("ZRIGHT", of: "ZLEFT", in: test.destination) == lefts)
    #expect(try Self.links("ZLEFT", of: "ZRIGHT", in: test.destination) == rights)
    #expect(report.notes.map(\.code) == ["store.contradictory-links"])
  }

  @Test(arguments: [
    (false, "the store is damaged, and the new store has the same links; to repair a link, set it again"),
    (true, "the store is damaged: of two links that contradict each other, the new store has the one that is set last"),
  ])
  func `contradictory links are reported`(forcesObjects: Bool, remedy: String) throws {
    let test = try MigrationTest(from: Self.pages, to: Self.pages, fill: Self.fillPages)
    // The first page now leads to the last one, which is unchanged.
    try Self.change(test, "UPDATE ZPAGE SET ZNEXT = 4 WHERE Z_PK = 1")
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    #expect(
      try test.migrate(MappingModel(entityMappings: []), options: options).notes.map(\.description) == [
        """
        warning[store.contradictory-links]: 2 links of one-to-one relationships are not matched by the object at the \
        other end: 2 in 'Page.next'
          \(remedy)
        """
      ])
  }
}

private final class CallingSuper: EntityMigrationPolicy {}
