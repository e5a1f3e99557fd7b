import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Rows copied from SQLite.
@Suite struct RowPageTests {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string, .uri, .binaryData, .transformable,
    .uuid, .decimal,
  ]

  /// Every kind of value that a column may hold.
  private static let stored = [
    "NULL", "0", "1", "5", "-1", "70000", "9223372036854775807", "-9223372036854775808", "0.0", "-0.0", "1.5", "1e300",
    "9e18", "0.1", "''", "'a'", "'a text that is longer than fifteen bytes'", "'ä € 🇩🇪'", "CAST(x'6100ff' AS TEXT)",
    "CAST(x'610062' AS TEXT)", "x''", "x'00ff'", "x'000102030405060708090a0b0c0d0e0f'",
    "x'000102030405060708090a0b0c0d0e'", "'12.5'", "'1e5'", "9e999",
    // The digits of a decimal that a number holds.
    "x'3132'",
    // Numbers as only some programs write them, or as no number is written at all.
    "'0x10'", "'inf'", "'nan'", "' \t+7.25 apples'", "'1,5'", "'-2.5e-3x'", "'5.'", "'.5e1'", "'1e'", "'1e+'", "'--4'",
    "'-'", "'1_000'", "'9223372036854775808'", "'-9223372036854775809.5'", "'1e400'", "CAST(x'310032' AS TEXT)",
    "x'2d312e3565'",
  ]

  private func column(_ type: AttributeType) -> AttributeColumn {
    AttributeColumn(
      name: "value", type: type, column: "ZVALUE", allowsExternalBinaryDataStorage: false, isDerived: false,
      elements: [])
  }

  private func page(_ database: Database, _ sql: String, _ columns: [PrefetchedAttributes.Column], rows: Int) throws
    -> RowPage
  {
    var cursor = try database.prepare(sql).query()
    var page: RowPage?
    while try cursor.next() {
      let filling =
        page
        ?? RowPage(width: cursor.row.columnCount, rows: rows, PrefetchedAttributes(slotCount: 3, columns))
      filling.append(cursor.row)
      page = filling
    }
    return try #require(page)
  }

  @Test(arguments: types)
  func `values equal those of the query, and are written the same`(type: AttributeType) throws {
    let declared = type.declaredColumnType
    let database = try Database(path: ":memory:", mode: .readWrite)
    try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, stored, early \(declared), later \(declared))")
    for stored in Self.stored { try database.execute("INSERT INTO t (stored) VALUES (\(stored))") }
    let sql = "SELECT id, stored FROM t ORDER BY id"
    let page = try page(database, sql, [.init(slot: 1, position: 1, type: type)], rows: Self.stored.count)
    #expect(page.count == Self.stored.count)
    let early = try database.prepare("UPDATE t SET early = ? WHERE id = ?")
    let later = try database.prepare("UPDATE t SET later = ? WHERE id = ?")
    var (row, fitting) = (-1, 0)
    var cursor = try database.prepare(sql).query()
    while try cursor.next() {
      row += 1
      let stored = Self.stored[row]
      let decoded = try? AttributeCodec.decode(cursor.row, at: 1, as: type) as Value
      let copied = try? AttributeCodec.decode(PageRow(page: page, index: row), at: 1, as: type) as Value
      #expect(copied.map { $0.isIdentical(to: decoded ?? .null) } == decoded.map { _ in true }, "\(stored)")
      #expect(page.cell(row, 1).integer == cursor.row.integer(at: 1), "\(stored)")
      #expect(page.cell(row, 1).double == cursor.row.double(at: 1), "\(stored)")
      // Values that cannot be decoded are reported on access: they must not be written.
      guard page.fits(row), let decoded else {
        #expect(!page.fits(row), "\(stored)")
        continue
      }
      fitting += 1
      #expect(page.attribute(0, ofRow: row).isIdentical(to: decoded), "\(stored)")
      try page.bind(attribute: 0, ofRow: row, to: early, at: 1)
      try early.bind(cursor.row.integer(at: 0), at: 2)
      try early.execute()
      try later.bind(AttributeCodec.encode(decoded, as: column(type)), at: 1)
      try later.bind(cursor.row.integer(at: 0), at: 2)
      try later.execute()
    }
    #expect(fitting > 1)
    let differing = try database.firstValue(
      "SELECT group_concat(id) FROM t WHERE typeof(early) <> typeof(later) OR quote(early) <> quote(later)")
    #expect(differing == .null)
  }

  @Test func `a page that grows keeps its values`() throws {
    let database = try Database(path: ":memory:", mode: .readWrite)
    let sql =
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
      + "SELECT i, printf('%0*d', 1 + i * 97, i) FROM n"
    let page = try page(database, sql, [.init(slot: 0, position: 1, type: .string)], rows: 100)
    for row in 0..<100 {
      let text = try #require(page.attribute(0, ofRow: row).string)
      #expect(text.utf8.count == max(1 + row * 97, "\(row)".count) && Int(text) == row)
    }
    #expect(page.weight == (0..<100).reduce(0) { $0 + max(1 + $1 * 97, "\($1)".count) })
  }

  @Test func `a value that is too large is omitted, and its row is neither complete nor given`() throws {
    let database = try Database(path: ":memory:", mode: .readWrite)
    let sql = "SELECT 1, 'x' UNION ALL SELECT 2, zeroblob(1048577) UNION ALL SELECT 3, zeroblob(1048576)"
    let page = try page(database, sql, [.init(slot: 0, position: 0, type: .integer64)], rows: 3)
    #expect((0..<3).map(page.isComplete) == [true, false, true])
    #expect((0..<3).map(page.fits) == [true, false, true])
    #expect(page.cell(2, 1).bytes.count == 1_048_576)
    #expect(page.weight == 1 + 1_048_577 + 1_048_576)
    #expect(page.memory == page.weight + 3 * 2 * 16)
  }
}
