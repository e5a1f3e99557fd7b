import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// The links of a relationship, and the rows that they lack.
@Suite struct LinkCountTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Album",
      relationships: [
        RelationshipDescription(
          name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
      ]),
    EntityDescription(
      name: "Tag",
      relationships: [
        RelationshipDescription(
          name: "tracks", destinationEntityName: "Track", inverseName: "tags", inverseEntityName: "Track")
      ]),
    EntityDescription(
      name: "Track",
      relationships: [
        RelationshipDescription(
          name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album", maxCount: 1),
        RelationshipDescription(
          name: "tags", destinationEntityName: "Tag", inverseName: "tracks", inverseEntityName: "Tag"),
      ]),
  ])

  /// Calls `body` with a store of two tags and two tracks, all linked, after SQL has changed it.
  private func withStore(_ sql: String, _ body: (PersistentStore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("store.sqlite"), model: Self.model)
    defer { try? store.close() }
    try store.database.execute(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
      INSERT INTO Z_2TRACKS (Z_2TAGS, Z_3TRACKS) VALUES (1, 1), (1, 2), (2, 1), (2, 2)
      """)
    try store.database.execute(sql)
    try body(store)
  }

  @Test(arguments: [
    ("", ["1-1", "1-2", "2-1", "2-2"]),
    ("INSERT INTO Z_2TRACKS VALUES (1, NULL), (1, NULL)", ["1-0", "1-0", "1-1", "1-2", "2-1", "2-2"]),
    ("INSERT INTO Z_2TRACKS VALUES (NULL, 2), (NULL, 2)", ["0-2", "0-2", "1-1", "1-2", "2-1", "2-2"]),
    (
      """
      CREATE TABLE other (Z_2TAGS INTEGER, Z_3TRACKS INTEGER, number INTEGER,
        PRIMARY KEY (Z_2TAGS, Z_3TRACKS, number));
      INSERT INTO other SELECT Z_2TAGS, Z_3TRACKS, 1 FROM Z_2TRACKS;
      INSERT INTO other SELECT Z_2TAGS, Z_3TRACKS, 2 FROM Z_2TRACKS;
      DROP TABLE Z_2TRACKS;
      ALTER TABLE other RENAME TO Z_2TRACKS
      """, ["1-1", "1-2", "2-1", "2-2"]
    ),
  ]) func `a link that a damaged table contains twice is visited once, but each row without a key`(
    damage: String, links: [String]
  ) throws {
    try withStore(damage) { store in
      var found: [String] = []
      try store.forEachLink(ofEntity: "Tag", relationship: "tracks") { found.append("\($0)-\($1)") }
      #expect(found.sorted() == links)
    }
  }

  @Test func `rows are looked up at the ends that may lack them`() throws {
    func keys(_ keys: Int64...) -> KeySet { keys.reduce(into: KeySet()) { $0.insert($1) } }
    try withStore("INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT) VALUES (5, 1, 1)") { store in
      let many = try store.missingRows(
        ofEntity: "Tag", relationship: "tracks", owners: keys(1, 3), targets: keys(0, 2, 900_000))
      #expect(many.owners == keys(3))
      #expect(many.targets == keys(0, 900_000))
      // The owner's row contains the link, so it exists.
      let toOne = try store.missingRows(
        ofEntity: "Track", relationship: "album", owners: keys(1, 3), targets: keys(5, 6))
      #expect(toOne.owners == KeySet())
      #expect(toOne.targets == keys(6))
      let toMany = try store.missingRows(
        ofEntity: "Album", relationship: "tracks", owners: keys(5, 6), targets: keys(1, 3))
      #expect(toMany.owners == keys(6))
      #expect(toMany.targets == KeySet())
    }
  }
}
