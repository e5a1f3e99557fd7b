import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@Suite struct ValueTests {
  // Created on each use: the leak checker does not see through the tagged pointers of global values.
  static var edges: [SQLiteValue] {
    [
      .null, .integer(0), .integer(.min), .integer(.max), .integer(-1), .real(0), .real(-0.0), .real(.infinity),
      .real(-.infinity), .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), .real(.pi), .real(5),
      .text(""), .text("a\0b"), .text("\0"), .text("Cafe\u{301} 👩‍👩‍👧 \u{FEFF}"), .text("\u{10FFFF}\u{FFFD}"),
      .text(String(repeating: "lang ", count: 100_000)), .blob(Data()), .blob(Data([0])),
      .blob(Data([0xFF, 0xC0, 0, 1])),
      .blob(Data(repeating: 7, count: 1_000_000)), .blob(Data([1, 2, 3, 4]).dropFirst(2)),
    ]
  }

  /// Uses a table column without affinity, so that SQLite converts nothing.
  private func roundTrip(_ values: [SQLiteValue]) throws -> [SQLiteValue] {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (key INTEGER PRIMARY KEY, value)")
    for value in values { try database.run("INSERT INTO t (value) VALUES (?)", value) }
    var cursor = try database.prepare("SELECT value, typeof(value) FROM t ORDER BY key").query()
    var result: [SQLiteValue] = []
    while try cursor.next() {
      let value = try cursor.row.value(at: 0)
      let type = try cursor.row.text(at: 1)
      let stored = cursor.row.type(at: 0)
      #expect(type == stored.description)
      #expect(type == value.type.description)
      result.append(value)
    }
    return result
  }

  private static func isIdentical(_ lhs: SQLiteValue, _ rhs: SQLiteValue) -> Bool {
    switch (lhs, rhs) {
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    // `==` on strings respects canonical equivalence; storage must not.
    case (.text(let left), .text(let right)): Array(left.utf8) == Array(right.utf8)
    default: lhs == rhs
    }
  }

  @Test(arguments: edges)
  func `an extreme value comes back as it was`(value: SQLiteValue) throws {
    let result = try roundTrip([value])
    #expect(result.count == 1 && ValueTests.isIdentical(result[0], value))
  }

  @Test func `the sign of zero is lost where SQLite stores a whole number as an integer`() throws {
    // "As an internal optimization, small floating point values with no fractional component … are written to disk as
    // integers" (https://sqlite.org/datatype3.html) holds for REAL columns, which is where Core Data keeps doubles.
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (value FLOAT)")
    try database.run("INSERT INTO t VALUES (?)", .real(-0.0))
    let value = try database.firstValue("SELECT value FROM t")
    guard case .real(let number) = value else {
      Issue.record("\(String(describing: value))")
      return
    }
    #expect(number.bitPattern == (0.0).bitPattern)
  }

  @Test(arguments: [Double.nan, -.nan, .signalingNaN])
  func `a NaN is stored as NULL`(nan: Double) throws {
    #expect(try roundTrip([.real(nan)]) == [.null])
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random values come back bit for bit`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let values = (0..<500).map { _ in ValueTests.randomValue(using: &generator) }
    let result = try roundTrip(values)
    #expect(result.count == values.count)
    for (index, (sent, received)) in zip(values, result).enumerated() {
      #expect(ValueTests.isIdentical(sent, received), "seed \(seed), value \(index)")
    }
  }

  private static func randomValue(using generator: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
    case 2:
      let number = Double(bitPattern: generator.next())
      return .real(number.isNaN ? -.infinity : number)
    case 3:
      var text = ""
      for _ in 0..<Int.random(in: 0..<40, using: &generator) {
        let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
        guard let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) else { continue }
        text.unicodeScalars.append(scalar)
      }
      return .text(text)
    default:
      return .blob(
        Data((0..<Int.random(in: 0..<60, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
  }

  @Test func `text that is not UTF-8 is an error, and its bytes are there`() throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT CAST(x'61FF62' AS TEXT) AS title").query()
    #expect(try cursor.next())
    var errors: [SQLiteError] = []
    do throws(SQLiteError) { _ = try cursor.row.text(at: 0) } catch { errors.append(error) }
    do throws(SQLiteError) { _ = try cursor.row.value(at: 0) } catch { errors.append(error) }
    let message = """
      database ':memory:': column 'title' holds text that is not valid UTF-8 (SQLITE_MISMATCH)
        in: SELECT CAST(x'61FF62' AS TEXT) AS title
        to get the stored bytes, use 'withUnsafeBytes(at:)'
      """
    #expect(errors.map(\.description) == [message, message])
    #expect(errors.map(\.isInvalidText) == [true, true])
    let text = cursor.row.withUnsafeText(at: 0) { Array($0) }
    let bytes = cursor.row.withUnsafeBytes(at: 0) { Array($0) }
    #expect(text == [0x61, 0xFF, 0x62])
    #expect(bytes == [0x61, 0xFF, 0x62])
    let blob = cursor.row.blob(at: 0)
    #expect(blob == Data([0x61, 0xFF, 0x62]))
  }

  @Test func `empty and missing are different things`() throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT '', x'', NULL").query()
    #expect(try cursor.next())
    let texts = try (0..<3).map { column in try cursor.row.text(at: column) }
    let blobs = (0..<3).map { column in cursor.row.blob(at: column) }
    let nulls = (0..<3).map { column in cursor.row.isNull(at: column) }
    let sizes = (0..<3).map { column in
      cursor.row.withUnsafeText(at: column) { $0.count } + cursor.row.withUnsafeBytes(at: column) { $0.count }
    }
    #expect(texts == ["", "", nil])
    #expect(blobs == [Data(), Data(), nil])
    #expect(nulls == [false, false, true])
    #expect(sizes == [0, 0, 0])
  }

  @Test func `numbers and text convert by SQLite's rules`() throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT '42abc', 2.9, NULL, 'x', 9e99").query()
    #expect(try cursor.next())
    let integers = (0..<5).map { column in cursor.row.integer(at: column) }
    #expect(integers == [42, 2, 0, 0, .max])
    let doubles = (0..<5).map { column in cursor.row.double(at: column) }
    #expect(doubles == [42, 2.9, 0, 0, 9e99])
    let text = try cursor.row.text(at: 1)
    #expect(text == "2.9")
  }

  @Test func `a UTF-16 database gives and takes the same text`() throws {
    let database = try Database.inMemory()
    try database.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (value)")
    try database.run("INSERT INTO t VALUES (?)", .text("Grüße 👋\0!"))
    #expect(try database.firstValue("SELECT value FROM t") == .text("Grüße 👋\0!"))
  }
}
