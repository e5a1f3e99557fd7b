import HeavyliftSQLite
import Testing

@testable import HeavyliftStore

@Suite struct OrderKeysTests {
  @Test func `order keys sort like the keys that they are computed from, however large`() throws {
    let database = try Database(path: ":memory:", mode: .readWrite)
    let keys: [Int64] = [1, 2, 3, 1 << 42, 1 << 52 - 1, 1 << 52, 1 << 52 + 1, 1 << 62, 1 << 62 + 1, .max - 1, .max]
    let places = try keys.map { key -> Int64 in
      guard case .integer(let place) = try database.firstValue("SELECT \(OrderKeys.place(ofKey: "\(key)"))") else {
        Issue.record("no integer for \(key)")
        return 0
      }
      return place
    }
    #expect(places == places.sorted())
    #expect(Set(places.prefix(6)).count == 6)
    #expect(places.prefix(2) == [OrderKeys.spacing, 2 * OrderKeys.spacing])
  }
}
