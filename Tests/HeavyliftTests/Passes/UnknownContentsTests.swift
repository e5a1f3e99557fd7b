import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// Contents of a store's file outside its model are never lost silently.
@Suite struct UnknownContentsTests {
  private func test(_ sql: String) throws -> MigrationTest {
    let test = try PatternModels.test()
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
    return test
  }

  private let mapping = MappingModel(
    entityMappings: [PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings])

  @Test func `other tables are migrated with everything that belongs to them`() throws {
    let test = try test(
      """
      CREATE TABLE journal (id INTEGER PRIMARY KEY AUTOINCREMENT, "the text" TEXT, twice AS (id * 2));
      CREATE INDEX journal_text ON journal ("the text");
      CREATE TABLE tally (word TEXT PRIMARY KEY, n) WITHOUT ROWID;
      CREATE TRIGGER journal_added AFTER INSERT ON journal BEGIN INSERT INTO tally VALUES (NEW."the text", 1); END;
      INSERT INTO journal VALUES (3, 'a'), (9, 'b'); DELETE FROM journal WHERE id = 9;
      """)
    try test.migrate(mapping)
    #expect(try test.rows("SELECT id, \"the text\", twice FROM journal") == ["integer(3) text(\"a\") integer(6)"])
    #expect(try test.rows("SELECT word FROM tally ORDER BY 1") == ["text(\"a\")", "text(\"b\")"])
    #expect(try test.rows("SELECT seq FROM sqlite_sequence WHERE name = 'journal'") == ["integer(9)"])
    #expect(
      try test.rows("SELECT name FROM sqlite_master WHERE tbl_name = 'journal' AND type <> 'table' ORDER BY 1") == [
        "text(\"journal_added\")", "text(\"journal_text\")",
      ])
  }

  @Test func `a trigger that names what the new version does not have is left behind with a warning`() throws {
    let test = try test(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, n);
      CREATE TRIGGER "on insert" AFTER INSERT ON log BEGIN UPDATE ZSETTING SET Z_OPT = 1; END;
      CREATE TRIGGER changed AFTER UPDATE ON log BEGIN DELETE FROM ZSETTING; END;
      CREATE TRIGGER removed AFTER DELETE ON log BEGIN UPDATE ZALBUM SET Z_OPT = Z_OPT + 1; END;
      CREATE TRIGGER counted AFTER DELETE ON log WHEN appFunction(OLD.n) BEGIN SELECT 1; END;
      INSERT INTO log VALUES (1, 2);
      """)
    let report = try test.migrate(mapping)
    #expect(
      report.notes.map(\.description).filter { $0.contains("trigger") } == [
        """
        warning[migration.trigger-left-behind]: trigger 'on insert' of table 'log' does not fit the new version and is \
        left behind: no such table: main.ZSETTING
          create it again for the new version's tables if it is needed
        """,
        """
        warning[migration.trigger-left-behind]: trigger 'changed' of table 'log' does not fit the new version and is \
        left behind: no such table: main.ZSETTING
          create it again for the new version's tables if it is needed
        """,
      ])
    #expect(
      try test.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log' ORDER BY 1") == [
        "text(\"counted\")", "text(\"removed\")",
      ])
  }

  @Test func `contents that cannot be migrated are rejected, with their names`() throws {
    let test = try test(
      """
      CREATE VIRTUAL TABLE search USING fts5(title); CREATE VIEW titles AS SELECT ZTITLE FROM ZTRACK;
      CREATE TRIGGER watch AFTER INSERT ON ZTRACK BEGIN SELECT 1; END;
      """)
    let error = test.failure { _ = try test.migrate(mapping) }
    #expect(
      error?.description == """
        error[migration.134150]: the store contains items that belong neither to Core Data nor to the store's model: \
        virtual table 'search', view 'titles', trigger 'watch'
          remove them first, or leave them behind: with '--leave-behind' in the tool, or with \
        MigrationOptions.unknownTables = .leaveBehind in code
        """)
    var options = MigrationOptions()
    options.unknownTables = .leaveBehind
    let report = try test.migrate(mapping, options: options)
    #expect(report.notes.map(\.problem).contains("left behind, as requested: view 'titles'"))
  }

  @Test(arguments: [
    (
      "ALTER TABLE ZTRACK ADD COLUMN ZEXTRA; UPDATE ZTRACK SET ZEXTRA = 'x' WHERE Z_PK = 1",
      "column 'ZEXTRA' of table 'ZTRACK', 1 value"
    ),
    (
      """
      CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZOTHER VALUES (1, 99, 1, 'x'), (2, 99, 1, 'y'); INSERT INTO Z_PRIMARYKEY VALUES (99, 'Other', 0, 2)
      """, "table 'ZOTHER' of entity 'Other', 2 rows"
    ),
    ("INSERT INTO Z_METADATA SELECT 2, 'X', Z_PLIST FROM Z_METADATA", "1 further row of table 'Z_METADATA'"),
  ])
  func `data in a column of no property is refused by name, and dropped on request`(
    sql: String, name: String
  ) throws {
    let test = try test(sql)
    let error = test.failure { _ = try test.migrate(mapping) }
    #expect(
      error?.problem == "the store contains items that belong neither to Core Data nor to the store's model: \(name)")
    var options = MigrationOptions()
    options.unknownTables = .leaveBehind
    let report = try test.migrate(mapping, options: options)
    #expect(report.notes.map(\.problem) == ["left behind, as requested: \(name)"])
  }

  @Test func `an empty column of no property is dropped with a note`() throws {
    let test = try test("ALTER TABLE ZTRACK ADD COLUMN ZEXTRA")
    #expect(
      try test.migrate(mapping).notes.map(\.problem) == [
        "column 'ZEXTRA' of table 'ZTRACK' is empty, belongs to no property, and is left behind"
      ])
  }

  @Test func `an empty table of an entity that the model lacks is dropped with a note`() throws {
    let test = try test(
      """
      CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (99, 'Other', 0, 2)
      """)
    #expect(
      try test.migrate(mapping).notes.map(\.problem) == [
        "table 'ZOTHER' is left behind: it is empty, and the model does not have its entity 'Other'"
      ])
  }

  @Test func `a user's own index is kept if the new table has its columns`() throws {
    let test = try test(
      "CREATE INDEX mine ON ZTRACK (ZTITLE DESC); CREATE INDEX other ON ZSETTING (Z_OPT); PRAGMA user_version = 77; "
        + "PRAGMA application_id = 1234")
    let report = try test.migrate(mapping)
    #expect(
      report.notes.map(\.problem) == [
        "index 'other' of table 'ZSETTING' does not fit the new version and is left behind: no such table: "
          + "main.ZSETTING"
      ])
    #expect(
      try test.rows("SELECT sql FROM sqlite_master WHERE name = 'mine'") == [
        "text(\"CREATE INDEX mine ON ZTRACK (ZTITLE DESC)\")"
      ])
    #expect(try test.rows("PRAGMA user_version") == ["integer(77)"])
    #expect(try test.rows("PRAGMA application_id") == ["integer(1234)"])
  }

  @Test func `an application's metadata is kept, and history is reported as dropped`() throws {
    let test = try test(
      """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      INSERT INTO ATRANSACTION VALUES (1, 16002, 1)
      """)
    let store = try PersistentStore(url: test.source, models: [test.old])
    try store.updateMetadata { $0.values["com.example.token"] = .string("kept") }
    try store.close()
    let report = try test.migrate(mapping)
    #expect(
      report.notes.map(\.problem) == ["persistent history is left behind: 1 row of 'ATRANSACTION'"])
    let (_, new) = try test.bothStores()
    #expect(new.metadata.applicationValues == ["com.example.token": .string("kept")])
  }
}
