import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

/// Files with a damaged page: detected, and salvaged row by row.
struct DamageTests {
  private static let pageSize = 1_024
  private let folder: TemporaryFolder
  private var path: String { folder.appending("store.sqlite").path }

  init() throws {
    folder = try TemporaryFolder()
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      PRAGMA page_size = \(Self.pageSize);
      PRAGMA user_version = 7;
      PRAGMA application_id = 99;
      CREATE TABLE ZTRACK ( Z_PK INTEGER PRIMARY KEY, ZALBUM INTEGER, ZTITLE VARCHAR, ZDATA BLOB );
      CREATE INDEX ZTRACK_ZALBUM_INDEX ON ZTRACK (ZALBUM);
      CREATE TABLE Z_1TAGS ( Z_1TRACKS INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1TRACKS, Z_2TAGS) );
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
        INSERT INTO ZTRACK SELECT i, i % 7, 'Track ' || i, CASE WHEN i = 200 THEN zeroblob(5000) END FROM c;
      INSERT INTO Z_1TAGS SELECT Z_PK, Z_PK % 5 FROM ZTRACK;
      """)
    try database.close()
  }

  private func rows(_ database: Database, _ table: String = "ZTRACK") throws -> [Int64: [SQLiteValue]] {
    var rows: [Int64: [SQLiteValue]] = [:]
    var cursor = try database.prepare("SELECT rowid, * FROM \(table) NOT INDEXED").query()
    while try cursor.next() { rows[cursor.row.integer(at: 0)] = try cursor.row.values() }
    return rows
  }

  private func rows(_ table: String = "ZTRACK") throws -> [Int64: [SQLiteValue]] {
    let database = try Database(path: path, mode: .readOnly)
    defer { try? database.close() }
    return try rows(database, table)
  }

  private func findings() throws -> [String] {
    let database = try Database(path: path, mode: .readOnly)
    defer { try? database.close() }
    return try database.damage()
  }

  private func change(page: Int, _ body: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    let range = (page - 1) * Self.pageSize..<page * Self.pageSize
    var bytes = Data(data[range])
    body(&bytes)
    data.replaceSubrange(range, with: bytes)
    try data.write(to: URL(filePath: path))
  }

  private func root(of name: String) throws -> Int {
    let database = try Database(path: path, mode: .readOnly)
    defer { try? database.close() }
    let value = try database.firstValue("SELECT rootpage FROM sqlite_master WHERE name = ?", .text(name))
    guard case .integer(let page)? = value else { throw CocoaError(.featureUnsupported) }
    return Int(page)
  }

  private func salvage() throws -> (rows: [Int64: [SQLiteValue]], losses: [Salvage.Loss], new: Database) {
    let new = try Database(path: folder.appending("new-\(UUID().uuidString).sqlite").path, mode: .create)
    let losses = try Salvage(of: path, into: new).run()
    return (try rows(new), losses, new)
  }

  @Test func `a sound file has no damage, and is salvaged whole`() throws {
    #expect(try findings() == [])
    let before = try (rows(), rows("Z_1TAGS"))
    let (tracks, losses, new) = try salvage()
    #expect(losses == [])
    #expect(tracks == before.0)
    #expect(try rows(new, "Z_1TAGS") == before.1)
    #expect(try new.firstValue("PRAGMA user_version") == .integer(7))
    #expect(try new.firstValue("PRAGMA application_id") == .integer(99))
    #expect(try new.indexes(of: "ZTRACK").map(\.name) == ["ZTRACK_ZALBUM_INDEX"])
    #expect(try new.damage() == [])
  }

  @Test func `violations of the schema's rules are not damage`() throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE own (a INTEGER NOT NULL, b INTEGER CHECK (b > 0));
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO own VALUES (1, -1);
      """)
    try database.close()
    #expect(try findings() == [])
  }

  /// A page of zeros cannot be read; a page with fewer cells reads as if the rows had never existed.
  @Test(arguments: [false, true])
  func `every row of a damaged store is salvaged unchanged or listed as lost`(isEmptied: Bool) throws {
    let whole = try Data(contentsOf: URL(filePath: path))
    let before = try rows()
    var (found, complete) = (0, 0)
    for page in 2...whole.count / Self.pageSize {
      // An overflow page holds only a value.
      if isEmptied, ![2, 5, 10, 13].contains(whole[(page - 1) * Self.pageSize]) { continue }
      try whole.write(to: URL(filePath: path))
      try change(page: page) { bytes in
        if isEmptied { bytes[3...4] = Data([0, 1]) } else { bytes = Data(count: bytes.count) }
      }
      let comment = Comment(rawValue: "page \(page)")
      let (after, losses, new) = try salvage()
      let findings = try findings()
      if !findings.isEmpty { found += 1 }
      if after == before { complete += 1 }
      #expect(!findings.isEmpty || after == before && losses.isEmpty, comment)
      for (key, row) in before where after[key] != row {
        let isListed = losses.contains { loss in
          switch loss {
          case .rows(let table, let keys): table == "ZTRACK" && keys.contains(key)
          case .value(let table, let lost, _): table == "ZTRACK" && lost == key
          case .object, .misplaced, .rest, .unfit: false
          }
        }
        #expect(isListed, "\(comment): row \(key) is not listed")
      }
      #expect(Set(after.keys).isSubset(of: before.keys), comment)
      #expect(try new.damage() == [], comment)
    }
    #expect(found > 20 && complete > 3, "\(found) findings, \(complete) complete")
  }

  @Test func `an index whose collation is unknown is listed, and costs no row`() throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE INDEX own ON ZTRACK (ZTITLE);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX own ON ZTRACK (ZTITLE COLLATE app_names)' WHERE name = 'own';
      """)
    try database.close()
    let before = try rows()
    let (after, losses, new) = try salvage()
    #expect(after == before)
    #expect(losses.map(\.description) == ["'own', which cannot be rebuilt: no such collation sequence: app_names"])
    #expect(try new.indexes(of: "ZTRACK").map(\.name) == ["ZTRACK_ZALBUM_INDEX"])
  }

  @Test func `what a unique index forbids is salvaged without the index, and what a table forbids is listed`() throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE UNIQUE INDEX once ON ZTRACK (ZTITLE);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE UNIQUE INDEX once ON ZTRACK (ZALBUM)' WHERE name = 'once';
      UPDATE sqlite_master SET sql = 'CREATE TABLE Z_1TAGS ( Z_1TRACKS INTEGER, Z_2TAGS INTEGER CHECK (Z_2TAGS < 4), \
      PRIMARY KEY (Z_1TRACKS, Z_2TAGS) )' WHERE name = 'Z_1TAGS';
      """)
    try database.close()
    let before = try rows()
    let (after, losses, new) = try salvage()
    #expect(after == before)
    #expect(losses.first?.description == "row 2 of table 'Z_1TAGS'")
    #expect(losses.last?.description == "'once', which cannot be rebuilt: UNIQUE constraint failed: ZTRACK.ZALBUM")
    #expect(losses.count == 81)
    #expect(try rows(new, "Z_1TAGS").count == 320)
  }

  @Test func `one page costs the rows that it holds, and no others`() throws {
    let root = try root(of: "ZTRACK")
    let whole = try Data(contentsOf: URL(filePath: path))
    let start = (root - 1) * Self.pageSize
    // The cell array of an interior page starts after 12 bytes, and a cell with the number of its page.
    let cell = start + Int(whole[start + 16]) << 8 + Int(whole[start + 17])
    let page = whole[cell..<cell + 4].reduce(0) { $0 << 8 + Int($1) }
    try change(page: page) { $0 = Data(count: $0.count) }
    let (after, losses, _) = try salvage()
    guard losses.count == 1, case .rows("ZTRACK", let keys) = losses[0] else {
      Issue.record("\(losses)")
      return
    }
    #expect(keys.count < 100 && after.count == 400 - keys.count)
    #expect(losses[0].description == "rows \(keys.lowerBound) to \(keys.upperBound) of table 'ZTRACK'")
  }

  @Test func `an index with a missing entry or a different value counts as damage`() throws {
    for sql in [
      "DELETE FROM ZTRACK WHERE Z_PK = 30", "UPDATE ZTRACK SET ZALBUM = ZALBUM + 1 WHERE Z_PK = 30",
    ] {
      let whole = try Data(contentsOf: URL(filePath: path))
      let index = try root(of: "ZTRACK_ZALBUM_INDEX")
      let database = try Database(path: path, mode: .readWrite)
      try database.executeUnseen(byIndex: "ZTRACK_ZALBUM_INDEX", sql)
      try database.close()
      #expect(try root(of: "ZTRACK_ZALBUM_INDEX") == index)
      #expect(
        try findings() == [
          sql.hasPrefix("DELETE")
            ? "index 'ZTRACK_ZALBUM_INDEX' does not have one entry for each row of 'ZTRACK': 400 instead of 399"
            : "index 'ZTRACK_ZALBUM_INDEX' does not match the values of 'ZTRACK'"
        ])
      try whole.write(to: URL(filePath: path))
    }
  }

  @Test(arguments: [
    ("NULL", "''"), ("NULL", "-1"), ("NULL", "0.0"), ("NULL", "x''"), ("''", "x''"), ("0", "''"), ("97", "'a'"),
    ("'a'", "x'61'"), ("1", "1.5"), ("4607182418800017408", "'\u{1}'"), ("'12345678'", "x'3132333435363738'"),
  ])
  func `an index with another value counts as damage`(values: (String, String)) throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE own (Z_PK INTEGER PRIMARY KEY, a BLOB); CREATE INDEX own_a ON own (a);
      INSERT INTO own (a) VALUES (\(values.0)), (3), (NULL);
      """)
    try database.executeUnseen(byIndex: "own_a", "UPDATE own SET a = \(values.1) WHERE Z_PK = 1")
    try database.close()
    #expect(try findings() == ["index 'own_a' does not match the values of 'own'"])
  }

  @Test(arguments: ["own (a) WHERE a > 10", "own (a + 1)", "own (abs(a)) WHERE b IS NOT NULL"])
  func `an index with a condition or an expression is compared with its table`(definition: String) throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE own (Z_PK INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL); CREATE INDEX own_a ON \(definition);
      INSERT INTO own SELECT Z_PK, Z_PK, 1 FROM ZTRACK;
      """)
    #expect(try database.damage() == [])
    try database.executeUnseen(byIndex: "own_a", "UPDATE own SET a = a + 1 WHERE Z_PK = 30")
    try database.close()
    #expect(try findings().first == "row 30 missing from index own_a")
  }

  @Test func `indexes over values of every kind are not damage`() throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE kinds (Z_PK INTEGER PRIMARY KEY, a FLOAT, b TIMESTAMP, c DECIMAL, d VARCHAR, e BLOB);
      CREATE INDEX ia ON kinds (a DESC, b); CREATE INDEX ic ON kinds (c, d COLLATE NOCASE); CREATE INDEX ie ON kinds (e);
      INSERT INTO kinds (a, b, c, d, e) VALUES (5.0, 5.0, '1.50', 'ä', x'00'), (-0.0, 1e300, 'NaN', '', NULL),
        (NULL, -0.0, 7, 7, 7.5), (9007199254740993, 0.1, '9007199254740993', 'A', 'text');
      ALTER TABLE kinds ADD COLUMN f FLOAT DEFAULT 3; CREATE INDEX ifloat ON kinds (f);
      """)
    try database.close()
    #expect(try findings() == [])
  }

  @Test func `a collation that only the app has is not damage, and hides none`() throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE own (Z_PK INTEGER PRIMARY KEY, a VARCHAR);
      INSERT INTO own SELECT Z_PK, 'note ' || Z_PK FROM ZTRACK;
      CREATE INDEX own_a ON own (a COLLATE NOCASE);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'AppsOwn') WHERE name = 'own_a';
      """)
    try database.close()
    #expect(try findings() == [])
    try change(page: try root(of: "own")) { $0 = Data(count: $0.count) }
    #expect(try findings().isEmpty == false)
  }
}

extension Database {
  /// Executes a statement that leaves an index as it is: SQLite does not update an index that is missing from the schema.
  fileprivate func executeUnseen(byIndex index: String, _ sql: String) throws {
    try execute(
      """
      PRAGMA writable_schema = ON;
      CREATE TEMP TABLE kept AS SELECT * FROM sqlite_master WHERE name = '\(index)';
      DELETE FROM sqlite_master WHERE name = '\(index)';
      PRAGMA writable_schema = RESET;
      \(sql);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master SELECT * FROM temp.kept;
      PRAGMA writable_schema = RESET;
      """)
  }
}
