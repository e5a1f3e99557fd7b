import Foundation
import HeavyliftExpression
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

@Suite struct StoredFormTests {
  private static let values: [SQLiteValue] = [
    .null, .integer(0), .integer(-7), .integer(.max), .real(0), .real(-0.0), .real(3), .real(-2.5), .real(1e18),
    .real(9.3e18), .real(-9_223_372_036_854_775_808), .real(1e300), .real(.infinity), .text(""), .text("it's ?"),
    .text("a\u{0}b"), .text("\u{600}' OR \"'\u{301}"), .blob(Data()), .blob(Data([0, 1, 255])),
    .blob(Data("0.1234567890123456789012".utf8)),
  ]

  /// The bytes of a value: the two zeros are equal but not identical.
  private static func exactly(_ value: SQLiteValue?) -> String {
    if case .real(let number)? = value { return "real \(number.bitPattern)" }
    return "\(value.map { "\($0)" } ?? "nothing")"
  }

  @Test(arguments: ["INTEGER", "FLOAT", "TIMESTAMP", "DECIMAL", "VARCHAR", "BLOB"])
  func `an expression gives the value that would be read back from a column`(type: String) throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.appending("a.sqlite").path, mode: .create)
    try StoredForm.register(on: database)
    try database.execute("CREATE TABLE held (a \(type))")
    for value in Self.values {
      // Only values of the column's attribute type occur there.
      switch (value, type) {
      case (.null, _), (.text, "VARCHAR"), (.blob, "BLOB"), (.integer, "INTEGER"): break
      case (.integer, "FLOAT"), (.integer, "TIMESTAMP"), (.integer, "DECIMAL"): break
      case (.real, "FLOAT"), (.real, "TIMESTAMP"), (.real, "DECIMAL"), (.blob, "DECIMAL"): break
      default: continue
      }
      try database.run("DELETE FROM held")
      try database.run("INSERT INTO held VALUES (?)", value)
      let held = try database.firstValue("SELECT a FROM held")
      let given = try database.firstValue("SELECT \(StoredForm.expression("?", as: type))", value)
      #expect(Self.exactly(given) == Self.exactly(held), "\(value) as \(type)")
    }
  }

  @Test func `a literal is the value that it represents`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.appending("a.sqlite").path, mode: .create)
    for value in Self.values {
      guard let literal = try StoredForm.literal(SQLValue(value), database) else { continue }
      #expect(Self.exactly(try database.firstValue("SELECT \(literal)")) == Self.exactly(value), "\(literal)")
    }
    #expect(try StoredForm.literal(.real(0.1), database) == "0.1")
    #expect(try StoredForm.literal(.integer(.min), database) == nil)
  }

  @Test func `question marks within quotes are kept`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.appending("a.sqlite").path, mode: .create)
    let sql = try StoredForm.inlined("a = ? OR b = '?''?' OR \"c?\" = ?", [.text("it's"), .integer(3)], database)
    #expect(sql == "a = 'it''s' OR b = '?''?' OR \"c?\" = 3")
    // SQLite reads bytes, and so a mark that forms one character with another scalar is still a mark.
    #expect(try StoredForm.inlined("'\u{600}' = ?", [.text("\u{600}'")], database) == "'\u{600}' = '\u{600}'''")
    #expect(try StoredForm.inlined("a = ?", [], database) == nil)
    #expect(try StoredForm.inlined("a", [.null], database) == nil)
  }
}
