import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Stores that Core Data mirrors with CloudKit.
@Suite struct MirroredRecordsTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  /// Drafts are 1, folders 2 and notes 3; after the migration, albums are 1, folders 2, journals 3 and notes 4.
  private static let models: [ManagedObjectModel] = {
    let first = ManagedObjectModel(
      name: "Notes 1",
      entities: ["Draft", "Folder", "Note"].map {
        EntityDescription(name: $0, attributes: [Models.attribute("text", .string)])
      })
    var second = first
    second.name = "Notes 2"
    second.entities.removeAll { $0.name == "Draft" }
    second.entities += ["Album", "Journal"].map { EntityDescription(name: $0) }
    return [first, second]
  }()

  init() throws {
    folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: store, model: Self.models[0])
    let context = ManagedObjectContext(store: store)
    for entity in ["Draft", "Folder", "Note", "Note", "Note"] { try context.insert(entity)["text"] = "x" }
    try context.save()
    try store.database.execute(
      """
      CREATE TABLE ANSCKRECORDMETADATA (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, ZENTITYPK INTEGER, ZRECORDNAME VARCHAR,
        UNIQUE (ZENTITYID, ZENTITYPK));
      INSERT INTO ANSCKRECORDMETADATA VALUES
        (1, 16010, 1, 1, 1, 'draft'), (2, 16010, 1, 2, 1, 'folder'), (3, 16010, 1, 3, 1, 'note 1'),
        (4, 16010, 1, 3, 2, 'note 2'), (5, 16010, 1, 4, 1, 'dead'), (6, 16010, 1, NULL, NULL, 'none'),
        (7, 16010, 1, 3, 9, 'deleted');
      CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTOKEN BLOB);
      INSERT INTO ANSCKDATABASEMETADATA VALUES (1, 16005, 1, x'00');
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 9), (16005, 'NSCKDatabaseMetadata', 0, 1),
        (16010, 'NSCKRecordMetadata', 0, 7);
      """)
    try store.close()
  }

  private func rows(_ sql: String) throws -> [String] {
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    var cursor = try database.prepare(sql).query()
    var rows: [String] = []
    while try cursor.next() {
      guard case .text(let text) = try cursor.row.values()[0] else { continue }
      rows.append(text)
    }
    return rows
  }

  private func records() throws -> [String] {
    try rows(
      "SELECT ZRECORDNAME || ifnull(': ' || ZENTITYID || ' ' || ZENTITYPK, '') FROM ANSCKRECORDMETADATA ORDER BY Z_PK")
  }

  private func manager(_ mapping: MappingModel? = nil) -> IncrementalMigrationManager {
    IncrementalMigrationManager(
      models: Self.models,
      mappings: MappingSearch(mapping.map { [MappingCandidate(file: "1-2.xml", mappingModel: $0)] } ?? []),
      infersMissingMappings: true)
  }

  private func mapping(_ notes: EntityMappingDescription...) -> MappingModel {
    MappingModel(
      source: ModelReference(name: "Notes 1"), destination: ModelReference(name: "Notes 2"),
      entityMappings: [EntityMappingDescription(type: .remove, source: "Draft")]
        + [EntityMappingDescription(source: "Folder", destination: "Folder")] + notes)
  }

  @Test(arguments: [IncrementalMigrationOptions.Mode.copy, .inPlace])
  func `records keep leading to their objects`(_ mode: IncrementalMigrationOptions.Mode) throws {
    let report = try manager().migrate(store, options: IncrementalMigrationOptions(mode: mode))
    #expect(
      try rows("SELECT Z_NAME || ' ' || Z_ENT FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        "Album 1", "Folder 2", "Journal 3", "Note 4", "NSCKDatabaseMetadata 16005",
        "NSCKRecordMetadata 16010",
      ])
    let expected = ["folder: 2 1", "note 1: 4 1", "note 2: 4 2", "none", "deleted: 4 9"]
    #expect(try records() == expected)
    #expect(try rows("SELECT CAST(Z_MAX AS TEXT) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["1", "7"])
    #expect(try rows("SELECT CAST(count(*) AS TEXT) FROM ANSCKDATABASEMETADATA") == ["1"])
    #expect(
      try #require(report.hops[0].report).notes.map(\.description) == [
        """
        warning[migration.records-left-behind]: 2 rows of table 'ANSCKRECORDMETADATA' are left behind: the objects of \
        these CloudKit records are not migrated
          delete the records in CloudKit if they are no longer needed
        """
      ])
  }

  @Test func `a store that starts as a copy is no exception`() throws {
    let manager = IncrementalMigrationManager(
      models: Self.models, infersMissingMappings: true,
      execution: MappingHopExecution(options: options { $0.keeping = .always }))
    try manager.migrate(store)
    #expect(try records() == ["folder: 2 1", "note 1: 4 1", "note 2: 4 2", "none", "deleted: 4 9"])
    #expect(try rows("SELECT CAST(Z_MAX AS TEXT) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["1", "7"])
  }

  private func options(_ change: (inout MigrationOptions) -> Void) -> MigrationOptions {
    var options = MigrationOptions()
    change(&options)
    return options
  }

  @Test func `records of objects that a filter leaves out are left behind`() throws {
    let filtered = mapping(
      EntityMappingDescription(
        source: "Note", destination: "Note", filter: try MappingPredicate(parsing: "text == 'kept'")),
      EntityMappingDescription(
        type: .remove, source: "Note", filter: try MappingPredicate(parsing: "NOT (text == 'kept')")))
    try Database(path: store.path, mode: .readWrite).execute("UPDATE ZNOTE SET ZTEXT = 'kept' WHERE Z_PK = 2")
    let report = try manager(filtered).migrate(store)
    #expect(try records() == ["folder: 2 1", "note 2: 4 2", "none", "deleted: 4 9"])
    let notes = try #require(report.hops[0].report).notes.map(\.problem)
    #expect(notes.contains { $0.hasPrefix("3 rows of table 'ANSCKRECORDMETADATA' are left behind") })
  }

  @Test func `records of objects that get other keys are not carried over`() throws {
    let split = mapping(
      EntityMappingDescription(
        name: "first", source: "Note", destination: "Note", filter: try MappingPredicate(parsing: "text == 'x'")),
      EntityMappingDescription(
        name: "others", source: "Note", destination: "Journal", filter: try MappingPredicate(parsing: "text != 'x'")))
    let refusal = """
      the store is mirrored with CloudKit: table 'ANSCKRECORDMETADATA' has 3 records of Note objects, which do not keep \
      their entity and keys
      """
    #expect(failure { try manager(split).migrate(store) }?.contains(refusal) == true)
    let hop = try manager(split).chainPlan(for: store).hops[0]
    #expect(failure { try MappingHopExecution().plan(from: store, hop: hop) }?.contains(refusal) == true)
    let leaving = MappingHopExecution(options: options { $0.unknownTables = .leaveBehind })
    try IncrementalMigrationManager(
      models: Self.models, mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: split)]),
      execution: leaving
    ).migrate(store)
    #expect(try rows("SELECT name FROM sqlite_schema WHERE name LIKE 'ANSCK%'") == [])
  }
}
