import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct ConstraintTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person", attributes: [Models.attribute("first", .string), Models.attribute("last", .string)],
      relationships: [Models.toOne("home", "Home", "people")], uniquenessConstraints: [.init(["first", "last"])]),
    EntityDescription(
      name: "Home", attributes: [Models.attribute("number", .integer32)],
      relationships: [Models.toMany("people", "Person", "home")], uniquenessConstraints: [.init(["number"])]),
    EntityDescription(name: "Villa", superentityName: "Home"),
  ])

  func person(_ test: TestStore, _ first: String?, _ last: String?) throws -> ManagedObject {
    try test.insert("Person", ["first": first.map(Value.string) ?? .null, "last": last.map(Value.string) ?? .null])
  }

  @Test func `all objects that violate a constraint are reported, with their duplicates`() throws {
    let test = try TestStore(Self.model)
    _ = try person(test, "Ana", "López")
    let other = try person(test, "Eva", "López")
    _ = try test.insert("Home", ["number": 7])
    try test.context.save()
    _ = try person(test, "Ana", "López")
    _ = try person(test, "Bob", "Ray")
    _ = try person(test, "Bob", "Ray")
    _ = try test.insert("Villa", ["number": 7])
    other["first"] = "Ana"
    let text = message { try test.context.save() }
    #expect(
      text == """
        Person/p2: error[133021]: 'first', 'last' must be unique together, but Person/p1 has the same values
          change one of the two objects, or merge them
        Person/t4: error[133021]: 'first', 'last' must be unique together, but Person/p2 has the same values
          change one of the two objects, or merge them
        Person/t6: error[133021]: 'first', 'last' must be unique together, but Person/t5 has the same values
          change one of the two objects, or merge them
        Villa/t7: error[133021]: 'number' must be unique, but Home/p1 has the same value
          change one of the two objects, or merge them
        """)
    #expect(try test.rows("SELECT count(*) FROM ZPERSON") == ["2"])
  }

  @Test func `missing values are unique, and so are equal-looking values with different code points`() throws {
    let test = try TestStore(Self.model)
    for _ in 0..<2 { _ = try person(test, nil, "López") }
    _ = try person(test, "Jos\u{E9}", "x")
    _ = try person(test, "Jose\u{301}", "x")
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZPERSON") == ["4"])
    _ = try person(test, "Jos\u{E9}", "x")
    #expect(
      message { try test.context.save() } == """
        Person/t5: error[133021]: 'first', 'last' must be unique together, but Person/p3 has the same values
          change one of the two objects, or merge them
        """)
  }

  @Test func `objects may swap their values, or take those of a deleted object`() throws {
    let test = try TestStore(Self.model)
    let people = try ["a", "b", "c"].map { try person(test, $0, "x") }
    try test.context.save()
    people[0]["first"] = "b"
    people[1]["first"] = "c"
    people[2]["first"] = "a"
    try test.context.save()
    #expect(try test.rows("SELECT ZFIRST, Z_OPT FROM ZPERSON ORDER BY Z_PK") == ["b 2", "c 2", "a 2"])
    try test.context.delete(people[0])
    people[1]["first"] = "b"
    _ = try person(test, "c", "x")
    try test.context.save()
    #expect(try test.rows("SELECT ZFIRST FROM ZPERSON ORDER BY Z_PK") == ["b", "a", "c"])
  }
}
