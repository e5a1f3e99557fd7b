import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// A value written as read equals the one that an object would have written.
@Suite struct MadeValuesTests {
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
  ]

  private func column(_ type: AttributeType) -> AttributeColumn {
    AttributeColumn(
      name: "value", type: type, column: "ZVALUE", allowsExternalBinaryDataStorage: false, isDerived: false,
      elements: [])
  }

  @Test(arguments: types)
  func `values equal the decoded ones, and are written the same`(type: AttributeType) throws {
    let database = try Database(path: ":memory:", mode: .readWrite)
    try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, ahead, later)")
    for stored in Self.stored { try database.execute("INSERT INTO t (ahead) VALUES (\(stored))") }
    try database.execute("UPDATE t SET later = ahead")
    let made = MadeValues(MadeLayout(slotCount: 3, [(1, type)]), rows: Self.stored.count)
    var (keys, expected) = ([Int64](), [Value]())
    var cursor = try database.prepare("SELECT id, ahead FROM t ORDER BY id").query()
    while try cursor.next() {
      let decoded = try? AttributeCodec.decode(cursor.row, at: 1, as: type) as Value
      let isPlain = made.append(cursor.row.view(at: 1), as: type)
      // Values that cannot be decoded are reported on access: they must not be written.
      if isPlain { #expect(decoded != nil, "\(cursor.row.integer(at: 0))") }
      guard let decoded else { continue }
      if !isPlain { made.append(decoded) }
      keys.append(cursor.row.integer(at: 0))
      expected.append(decoded)
    }
    #expect(keys.count > 1)
    let ahead = try database.prepare("UPDATE t SET ahead = ? WHERE id = ?")
    let later = try database.prepare("UPDATE t SET later = ? WHERE id = ?")
    for (row, key) in keys.enumerated() {
      #expect(made.value(at: row, 0).isIdentical(to: expected[row]), "\(Self.stored[Int(key) - 1])")
      if let value = try made.bind(row, 0, to: ahead, at: 1) {
        try ahead.bind(AttributeCodec.encode(value, as: column(type)), at: 1)
      }
      try ahead.bind(key, at: 2)
      try ahead.execute()
      try later.bind(AttributeCodec.encode(expected[row], as: column(type)), at: 1)
      try later.bind(key, at: 2)
      try later.execute()
      for (isMandatory, bounds) in [(true, nil), (false, 0...5), (true, 0...5)] as [(Bool, ClosedRange<Int64>?)] {
        #expect(
          made.isKept(at: row, 0, isMandatory: isMandatory, bounds: bounds)
            == expected[row].isKept(isMandatory: isMandatory, bounds: bounds), "\(Self.stored[Int(key) - 1])")
      }
    }
    let differing = try database.firstValue(
      "SELECT group_concat(id) FROM t WHERE typeof(ahead) <> typeof(later) OR quote(ahead) <> quote(later)")
    #expect(differing == .null)
  }

  @Test func `an incomplete row does not affect the next one`() throws {
    let database = try Database(path: ":memory:", mode: .readWrite)
    let made = MadeValues(MadeLayout(slotCount: 2, [(1, .integer64), (0, .string)]), rows: 2)
    var cursor = try database.prepare("SELECT 1, 'x' UNION ALL SELECT 2, 'y'").query()
    _ = try cursor.next()
    #expect(made.append(cursor.row.view(at: 0), as: .integer64))
    #expect(!made.append(cursor.row.view(at: 1), as: .integer64))
    made.completeRow(0)
    _ = try cursor.next()
    #expect(made.append(cursor.row.view(at: 0), as: .integer64) && made.append(cursor.row.view(at: 1), as: .string))
    made.completeRow(1)
    #expect(made.value(at: 1, 0) == .integer(2) && made.value(at: 1, 1) == .string("y"))
    #expect(made.weight == 1)
  }
}
