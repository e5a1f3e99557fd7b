import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Reading a store that another program changes.
@Suite struct SnapshotTests {
  @Test func `metadata, entity numbers and schema belong to the state of the rows`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Music.sqlite")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Track")])
    let other = try PersistentStore.create(at: url, model: model)
    defer { try? other.close() }
    let file = try StoreFile(url: url)
    defer { try? file.close() }
    func change(_ number: Int) throws {
      try other.database.execute(
        """
        BEGIN; CREATE TABLE Extra\(number) (x); UPDATE Z_METADATA SET Z_UUID = 'store \(number)';
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(number); INSERT INTO ZTRACK (Z_PK, Z_ENT) VALUES (\(number), 1); COMMIT
        """)
    }
    try change(1)
    try file.readingConsistently { present in
      try change(2)
      #expect(present.metadata.identifier == "store 1")
      #expect(present.primaryKeys.map(\.maximum) == [1])
      #expect(present.schema.contains { $0.name == "Extra1" } && !present.schema.contains { $0.name == "Extra2" })
      #expect(try present.database.firstValue("SELECT max(Z_PK) FROM ZTRACK") == .integer(1))
    }
  }
}
