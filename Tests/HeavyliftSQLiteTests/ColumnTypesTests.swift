import HeavyliftSQLite
import Testing

@Suite struct ColumnTypesTests {
  @Test(arguments: SQLiteType.allCases) func `a column holds exactly the allowed types`(allowed: SQLiteType) throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT 0, 1, 1.5, 'a', x'00', NULL").query()
    #expect(try cursor.next())
    var types = ColumnTypes()
    types.append([allowed])
    for column in 1..<6 {
      let holds = types.holds(cursor.row, from: column)
      #expect(holds == (cursor.row.type(at: column) == allowed), "column \(column)")
    }
  }

  @Test func `each column has types of its own`() throws {
    let database = try Database.inMemory()
    var cursor = try database.prepare("SELECT 1, NULL, 'a' UNION ALL SELECT 1, 'a', NULL").query()
    var types = ColumnTypes()
    for allowed in [[.integer], [.integer, .null], [.text]] as [Set<SQLiteType>] { types.append(allowed) }
    #expect(types.count == 3)
    #expect(try cursor.next())
    var holds = types.holds(cursor.row, from: 0)
    #expect(holds)
    #expect(try cursor.next())
    holds = types.holds(cursor.row, from: 0)
    #expect(!holds)
  }
}
