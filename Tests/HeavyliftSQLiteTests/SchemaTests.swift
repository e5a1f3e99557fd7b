import HeavyliftSQLite
import Testing

@Suite struct SchemaTests {
  let database: Database

  init() throws {
    database = try Database.inMemory()
    try database.execute(
      """
      CREATE TABLE "Z""BOOK" ( Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR NOT NULL DEFAULT 'x', ZBLOB,
        ZSUM INTEGER AS (Z_PK + 1));
      CREATE TABLE pair (b INTEGER, a INTEGER, PRIMARY KEY (a, b), UNIQUE (b));
      CREATE INDEX ZTITLE_INDEX ON "Z""BOOK" (ZTITLE COLLATE NOCASE DESC, lower(ZBLOB)) WHERE Z_PK > 0;
      CREATE VIEW v AS SELECT 1 AS one;
      CREATE TRIGGER tr AFTER INSERT ON pair BEGIN SELECT 1; END;
      """)
  }

  @Test func `tables are found by name`() throws {
    #expect(try database.tableExists("Z\"BOOK"))
    #expect(try database.tableExists("z\"book"))
    #expect(try !database.tableExists("v"))
    #expect(try !database.tableExists("ZTITLE_INDEX"))
    #expect(throws: SQLiteError.self) { try database.tableExists("x", in: "nowhere") }
  }

  @Test func `columns are described as they were declared`() throws {
    #expect(
      try database.columns(of: "Z\"BOOK") == [
        ColumnInfo(name: "Z_PK", declaredType: "INTEGER", primaryKeyPosition: 1),
        ColumnInfo(name: "ZTITLE", declaredType: "VARCHAR", isNotNull: true, defaultSQL: "'x'"),
        ColumnInfo(name: "ZBLOB", declaredType: ""),
        ColumnInfo(name: "ZSUM", declaredType: "INTEGER", isGenerated: true),
      ])
    #expect(try database.columns(of: "pair").map(\.primaryKeyPosition) == [2, 1])
    #expect(try database.columns(of: "pair").map(\.isPrimaryKey) == [true, true])
    #expect(try database.columns(of: "v").map(\.name) == ["one"])
    #expect(try database.columns(of: "missing") == [])
  }

  @Test(arguments: [
    ("(a)", "rowid"), ("(a INTEGER PRIMARY KEY)", "rowid"), ("(ROWID)", "_rowid_"),
    ("(a, rowid AS (a), _rowid_ AS (a) STORED)", "oid"), ("(rowid, _rowid_, oid)", nil),
    ("(a PRIMARY KEY) WITHOUT ROWID", nil), ("(rowid PRIMARY KEY) WITHOUT ROWID", nil),
  ])
  func `a row ID is named unless columns hide it`(definition: String, name: String?) throws {
    try database.execute("CREATE TABLE own \(definition)")
    #expect(try database.rowIDName(of: "own") == name)
  }

  @Test func `indexes are described with their columns`() throws {
    #expect(
      try database.indexes(of: "Z\"BOOK") == [
        IndexInfo(
          name: "ZTITLE_INDEX", isPartial: true,
          columns: [.init(name: "ZTITLE", isDescending: true, collation: "NOCASE"), .init(name: nil)])
      ])
    #expect(
      try database.indexes(of: "pair") == [
        IndexInfo(
          name: "sqlite_autoindex_pair_1", isUnique: true, origin: .primaryKey,
          columns: [.init(name: "a"), .init(name: "b")]),
        IndexInfo(
          name: "sqlite_autoindex_pair_2", isUnique: true, origin: .uniqueConstraint, columns: [.init(name: "b")]),
      ])
    #expect(try database.indexes(of: "missing") == [])
  }

  @Test func `the schema lists everything in the order in which it was made`() throws {
    let objects = try database.schemaObjects()
    #expect(
      objects.map { "\($0.type) \($0.name) of \($0.tableName)" } == [
        "table Z\"BOOK of Z\"BOOK", "table pair of pair", "index sqlite_autoindex_pair_1 of pair",
        "index sqlite_autoindex_pair_2 of pair", "index ZTITLE_INDEX of Z\"BOOK", "view v of v", "trigger tr of pair",
      ])
    #expect(objects[2].sql == nil)
    #expect(objects[5].sql == "CREATE VIEW v AS SELECT 1 AS one")
  }

  @Test(arguments: ["plain", "a\"b", "\"", "", "semi;colon", "sp ace", "Grüße", "SELECT", "q\"\u{301}q", "\u{600}\"q"])
  func `a quoted name is that name`(name: String) throws {
    try database.execute("CREATE TABLE other (\(name.asSQLIdentifier) TEXT)")
    #expect(try database.columns(of: "other").map(\.name) == [name])
  }
}
