import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

/// Tables whose pages can be read but do not agree, and tables of the user's own.
@Suite struct SalvageTests {
  private static let pageSize = 512
  private let folder: TemporaryFolder
  private var path: String { folder.appending("damaged.sqlite").path }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ sql: String) throws {
    let database = try Database(path: path, mode: .create)
    try database.execute("PRAGMA page_size = \(Self.pageSize); \(sql)")
    try database.close()
  }

  /// A table without an index that could list missing rows, on leaf pages below an interior page.
  private func makeNumbers() throws {
    try make(
      """
      CREATE TABLE number (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)
        INSERT INTO number SELECT i, 'the number ' || i FROM c;
      """)
  }

  private func numbers(_ database: Database) throws -> [Int64: String] {
    var rows: [Int64: String] = [:]
    var cursor = try database.prepare("SELECT id, name FROM number NOT INDEXED").query()
    while try cursor.next() { rows[cursor.row.integer(at: 0)] = try cursor.row.text(at: 1) }
    return rows
  }

  private func salvage() throws -> (Database, losses: [String]) {
    let new = try Database(path: folder.appending("\(UUID().uuidString).sqlite").path, mode: .create)
    return (new, try Salvage(of: path, into: new).run().map(\.description))
  }

  /// The offsets of the row IDs in the cells of all pages of a type, with the row ID's number of bytes.
  private func keys(onPagesOfType type: UInt8, _ data: Data) -> [(offset: Int, length: Int)] {
    var found: [(Int, Int)] = []
    for page in 1..<data.count / Self.pageSize where data[page * Self.pageSize] == type {
      let start = page * Self.pageSize
      let count = Int(data[start + 3]) << 8 + Int(data[start + 4])
      let array = start + (type == 5 ? 12 : 8)
      for cell in 0..<count {
        let pointer = Int(data[array + 2 * cell]) << 8 + Int(data[array + 2 * cell + 1])
        // An interior cell begins with the number of a page, and a leaf cell with the length of its payload.
        let offset = start + pointer + (type == 5 ? 4 : 1)
        found.append((offset, data[offset] & 0x80 == 0 ? 1 : 2))
      }
    }
    return found
  }

  @Test func `a row without a row ID that violates a constraint is listed`() throws {
    try make(
      """
      CREATE TABLE word (word TEXT PRIMARY KEY, rank INTEGER UNIQUE NOT NULL) WITHOUT ROWID;
      INSERT INTO word VALUES ('alpha', 101), ('beta', 102), ('gamma', 103), ('delta', 104);
      """)
    var data = try Data(contentsOf: URL(filePath: path))
    // The rank of 'beta' becomes that of 'alpha'; the table is one page, and its index another.
    let word = try #require(data.range(of: Data("beta".utf8)))
    #expect(data[word.upperBound] == 102)
    data[word.upperBound] = 101
    try data.write(to: URL(filePath: path))
    let (new, losses) = try salvage()
    #expect(losses == ["row 2 of table 'word', in the order of its pages, which violates a constraint of the table"])
    #expect(try new.firstValue("SELECT count(*) FROM word") == .integer(3))
  }

  @Test func `a damaged row ID costs its own row and no other, and no row gets a false one`() throws {
    try makeNumbers()
    let whole = try Data(contentsOf: URL(filePath: path))
    let keys = keys(onPagesOfType: 13, whole)
    #expect(keys.count == 300)
    var random = SeededGenerator(seed: 5)
    // Of a last row, nothing shows that its row ID is too high.
    for (key, _) in keys.dropLast().shuffled(using: &random).prefix(120) {
      var data = whole
      // The bit that says how many bytes a number has stays: the rest of the row would be read from another place.
      data[key] ^= 1 << UInt8.random(in: 0..<7, using: &random)
      try data.write(to: URL(filePath: path))
      let (new, losses) = try salvage()
      let rows = try numbers(new)
      let comment = Comment(rawValue: "byte \(key): \(losses)")
      #expect(rows.allSatisfy { $0.value == "the number \($0.key)" }, comment)
      #expect(rows.count >= 298 && losses.count == 1, comment)
      #expect(losses.allSatisfy { $0.contains("whose row ID is damaged") }, comment)
    }
  }

  @Test func `whatever bit of a table is wrong, the salvage ends, and lists what is lost`() throws {
    try makeNumbers()
    let whole = try Data(contentsOf: URL(filePath: path))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<150 {
      var data = whole
      let byte = Int.random(in: Self.pageSize..<data.count, using: &random)
      data[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try data.write(to: URL(filePath: path))
      let (new, losses) = try salvage()
      guard case .integer(let count)? = try new.firstValue("SELECT count(*) FROM number") else { return }
      // Without an index, nothing says which rows a page with a wrong number of rows has had.
      #expect(count > 270 || !losses.isEmpty, "byte \(byte): \(count)")
    }
  }

  @Test func `a damaged row ID between pages costs nothing`() throws {
    try makeNumbers()
    let whole = try Data(contentsOf: URL(filePath: path))
    for (key, length) in keys(onPagesOfType: 5, whole) {
      for change: UInt8 in [1, 2, 8] {
        var data = whole
        data[key + length - 1] ^= change
        try data.write(to: URL(filePath: path))
        let (new, losses) = try salvage()
        #expect(try numbers(new).count == 300, "byte \(key): \(losses)")
        #expect(losses == [])
      }
    }
  }

  @Test func `pages in the wrong order cost nothing, and a page that is there twice costs the one that it replaces`()
    throws
  {
    try makeNumbers()
    let whole = try Data(contentsOf: URL(filePath: path))
    let cells = keys(onPagesOfType: 5, whole).map { $0.offset - 4 }
    var swapped = whole
    swapped.replaceSubrange(cells[2]..<cells[2] + 4, with: whole[cells[3]..<cells[3] + 4])
    var doubled = swapped
    swapped.replaceSubrange(cells[3]..<cells[3] + 4, with: whole[cells[2]..<cells[2] + 4])
    try swapped.write(to: URL(filePath: path))
    let (new, losses) = try salvage()
    #expect(try numbers(new).count == 300 && losses == [], "\(losses)")
    doubled.replaceSubrange(cells[3]..<cells[3] + 4, with: whole[cells[3]..<cells[3] + 4])
    try doubled.write(to: URL(filePath: path))
    let rows = try numbers(salvage().0)
    #expect(rows.count > 270 && rows.count < 300 && rows.allSatisfy { $0.value == "the number \($0.key)" })
  }

  @Test func `tables of every kind are salvaged whole`() throws {
    try make(
      """
      CREATE TABLE plain (a INTEGER PRIMARY KEY, b); INSERT INTO plain VALUES (-5, 'x'), (0, 'y'), (7, x'00');
      CREATE TABLE keyed (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO keyed VALUES ('k', 1), ('l', 2);
      CREATE TABLE named (rowid TEXT, b); INSERT INTO named VALUES ('r', 1), ('s', 2);
      CREATE TABLE all_names (rowid, _rowid_, oid); INSERT INTO all_names VALUES (1, 2, 3), (4, 5, 6);
      CREATE TABLE falling (a INTEGER PRIMARY KEY DESC, b); INSERT INTO falling VALUES (5, 'five'), (7, 'seven');
      CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT, b); INSERT INTO counted VALUES (3, 1), (9, 1);
      DELETE FROM counted WHERE a = 9;
      CREATE TABLE emptied (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO emptied VALUES (4); DELETE FROM emptied;
      CREATE TABLE computed (a, b AS (a * 2)); INSERT INTO computed (a) VALUES (4);
      CREATE TABLE odd (a TEXT); INSERT INTO odd VALUES (CAST(x'61FF62' AS TEXT));
      CREATE TABLE gaps (a); INSERT INTO gaps (rowid, a) VALUES (1, 'x'), (3, 'y'), (7, 'z');
      CREATE TABLE hidden (a, rowid AS (a * 2)); INSERT INTO hidden (oid, a) VALUES (6, 1), (9, 2);
      CREATE TABLE keyed_by_name (rowid TEXT PRIMARY KEY, b) WITHOUT ROWID;
      INSERT INTO keyed_by_name VALUES ('k', 1), ('l', 2);
      """)
    let (new, losses) = try salvage()
    #expect(losses == [])
    let old = try Database(path: path, mode: .readOnly)
    for table in try old.schemaObjects() where table.type == .table {
      func rows(_ database: Database) throws -> [String] {
        let rowID = try [database.rowIDName(of: table.name)].compactMap(\.self)
        let names = try (database.columns(of: table.name).map(\.name) + rowID).map { "quote(CAST(\($0) AS BLOB))" }
        var cursor = try database.prepare("SELECT \(names.joined(separator: ", ")) FROM \(table.name)").query()
        var rows: [String] = []
        while try cursor.next() { rows.append("\(try cursor.row.values())") }
        return rows.sorted()
      }
      #expect(try rows(new) == rows(old), "\(table.name)")
    }
  }

  @Test func `the unreadable rest of a table without row IDs is listed`() throws {
    try make(
      """
      CREATE TABLE keyed (a TEXT PRIMARY KEY, b) WITHOUT ROWID;
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)
        INSERT INTO keyed SELECT printf('key %05d', i), i FROM c;
      """)
    var data = try Data(contentsOf: URL(filePath: path))
    // A leaf page in the middle of the table.
    let page = try #require((4..<data.count / Self.pageSize).first { data[$0 * Self.pageSize] == 10 })
    data.replaceSubrange(page * Self.pageSize..<(page + 1) * Self.pageSize, with: Data(count: Self.pageSize))
    try data.write(to: URL(filePath: path))
    let (new, losses) = try salvage()
    guard case .integer(let count)? = try new.firstValue("SELECT count(*) FROM keyed") else { return }
    #expect(count > 0 && losses == ["all rows of table 'keyed' after the first \(count)"])
  }

  @Test func `a table whose root cannot be read is listed, whatever row IDs an index has`() throws {
    try make(
      """
      CREATE TABLE own (id INTEGER PRIMARY KEY, n); CREATE INDEX own_n ON own (n);
      INSERT INTO own VALUES (-3, 1), (0, 2), (5, 3);
      """)
    let database = try Database(path: path, mode: .readOnly)
    let root = try database.firstValue("SELECT rootpage FROM sqlite_master WHERE name = 'own'")
    try database.close()
    guard case .integer(let page)? = root else { return }
    var data = try Data(contentsOf: URL(filePath: path))
    let start = (Int(page) - 1) * Self.pageSize
    data.replaceSubrange(start..<start + Self.pageSize, with: Data(count: Self.pageSize))
    try data.write(to: URL(filePath: path))
    let (_, losses) = try salvage()
    #expect(losses == ["row -3 of table 'own'", "rows 0 and above of table 'own'"])
  }
}
