import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Relationships that are their own inverse, and relationships that become each other's inverse.
@Suite struct InverseReconciliationTests {
  private static func people(_ relationships: RelationshipDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person", attributes: [Models.attribute("number", .integer64)], relationships: relationships)
    ])
  }

  /// A store with people, each of whom has the people with some numbers in a relationship.
  private static func test(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ links: [(owner: Int, name: String, target: Int)]
  ) throws -> MigrationTest {
    try MigrationTest(from: old, to: new) { context in
      let people = try (1...6).map { number in
        let person = try context.insert("Person")
        person["number"] = .integer(Int64(number))
        return person
      }
      // Nothing else depends on the keys of the new objects, so the people keep the order of their numbers.
      try context.save()
      for (owner, name, target) in links {
        let relationship = old.relationship(name, of: "Person")
        if relationship?.isToMany == true {
          try people[owner - 1].add(people[target - 1], to: name)
        } else {
          people[owner - 1][toOne: name] = people[target - 1]
        }
      }
    }
  }

  /// Expects an error whether the relationships are set by statements or object by object.
  static func expect(
    _ problem: String, _ mapping: MappingModel = MappingModel(entityMappings: []),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ test: () throws -> MigrationTest
  ) throws {
    for forcesObjects in [false, true] {
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      let test = try test()
      #expect(
        test.failure { try test.migrate(mapping, options: options) }?.problem == problem,
        sourceLocation: sourceLocation)
    }
  }

  private static func expect(
    carried text: [String], _ mapping: MappingModel = MappingModel(entityMappings: []),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ test: () throws -> MigrationTest
  ) throws {
    for forcesObjects in [false, true] {
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      let links = try test().migrate(mapping, options: options).links
      #expect(LinkReconciliationTests.text(links) == text, sourceLocation: sourceLocation)
    }
  }

  @Test func `a link that only one object has is not lost when the relationship becomes its own inverse`() throws {
    let (one, own) = (
      Self.people(Models.toOne("friend", "Person")), Self.people(Models.toOne("friend", "Person", "friend"))
    )
    let reason = "in the destination, 'Person.friend' is its own inverse, so both objects of a link need it"
    try Self.expect(
      "1 link of relationship 'Person.friend' would be lost: \(reason) (Person/p1 and Person/p2)"
    ) { try Self.test(one, own, [(1, "friend", 2), (3, "friend", 4), (4, "friend", 3)]) }
    try Self.expect(carried: ["Person.friend 3: 3 carried"]) {
      try Self.test(one, own, [(1, "friend", 2), (2, "friend", 1), (3, "friend", 3)])
    }
    let (many, ownMany) = (
      Self.people(Models.toMany("friends", "Person")), Self.people(Models.toMany("friends", "Person", "friends"))
    )
    try Self.expect(
      "1 link of relationship 'Person.friends' would be lost: in the destination, 'Person.friends' is its own inverse, "
        + "so both objects of a link need it (Person/p1 and Person/p2)"
    ) { try Self.test(many, ownMany, [(1, "friends", 2), (3, "friends", 4), (4, "friends", 3)]) }
    try Self.expect(carried: ["Person.friends 2: 2 carried"]) {
      try Self.test(many, ownMany, [(1, "friends", 2), (2, "friends", 1)])
    }
  }

  @Test func `links in one direction do not become a relationship that is its own inverse`() throws {
    let old = Self.people(Models.toOne("next", "Person", "previous"), Models.toOne("previous", "Person", "next"))
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Person", destination: "Person",
        properties: [
          .relationship("buddy", try MappingExpression(parsing: Self.counterparts("PersonToPerson", "$source.next")))
        ])
    ])
    let test = try Self.test(old, Self.people(Models.toOne("buddy", "Person", "buddy")), [(1, "next", 2)])
    #expect(
      test.failure { try test.migrate(mapping) }?.description == """
        error[migration.134110]: 1 link of relationship 'Person.next' would be lost: in the destination, 'Person.buddy' \
        is its own inverse, so both objects of a link need it (Person/p1 and Person/p2)
          give both objects the link with an expression, or set it in a policy
        """)
    let both = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Person", destination: "Person",
        properties: [
          .relationship(
            "buddy",
            try MappingExpression(
              parsing: Self.counterparts(
                "PersonToPerson", "TERNARY($source.next != nil, $source.next, $source.previous)")))
        ])
    ])
    try test.migrate(both)
    #expect(try test.lines("Person", "buddy").prefix(2) == ["Person/p1 buddy=Person/p2", "Person/p2 buddy=Person/p1"])
  }

  @Test func `a relationship that was its own inverse does not lose shared targets`() throws {
    let old = Self.people(Models.toMany("friends", "Person", "friends"))
    let links = [(1, "friends", 2), (1, "friends", 3), (3, "friends", 4)]
    func problem(_ carrier: String) -> String {
      "2 links of relationship 'Person.friends' would be lost: in the destination, '\(carrier)' allows each object only "
        + "one owner, but in the source 2 objects are shared: Person/p1 by 2 owners, Person/p3 by 2 owners"
    }
    try Self.expect(problem("Person.friends")) {
      try Self.test(old, Self.people(Models.toMany("friends", "Person")), links)
    }
    try Self.expect(problem("Person.owner")) {
      try Self.test(
        old, Self.people(Models.toMany("friends", "Person", "owner"), Models.toOne("owner", "Person", "friends")), links
      )
    }
    try Self.expect(carried: ["Person.friends 2: 2 carried"]) {
      try Self.test(old, Self.people(Models.toMany("friends", "Person")), [(1, "friends", 2)])
    }
  }

  @Test func `a relationship that is its own inverse keeps the links of migrated objects`() throws {
    let model = Self.people(
      Models.toMany("friends", "Person", "friends"), Models.toOne("partner", "Person", "partner"))
    func test() throws -> MigrationTest {
      try Self.test(
        model, model,
        [
          (1, "friends", 2), (1, "friends", 3), (3, "friends", 4), (5, "friends", 5), (1, "partner", 2),
          (3, "partner", 4), (5, "partner", 5),
        ])
    }
    try Self.expect(carried: ["Person.friends 7: 7 carried", "Person.partner 5: 5 carried"]) { try test() }
    let some = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Person", destination: "Person", filter: try MappingPredicate(parsing: "number != 4"))
    ])
    try Self.expect(
      carried: ["Person.friends 7: 5 carried, 2 dropped", "Person.partner 5: 3 carried, 2 dropped"], some, test)
  }

  @Test(arguments: [(1, 2), (2, 1)])
  func `a damaged store may have links of its own inverse in one direction only`(owner: Int, target: Int) throws {
    let model = Self.people(Models.toMany("friends", "Person", "friends"))
    let test = try Self.test(model, model, [(1, "friends", 2), (1, "friends", 3)])
    try Database(path: test.source.path, mode: .readWrite).execute(
      "DELETE FROM Z_1FRIENDS WHERE Z_1FRIENDS = \(owner) AND REFLEXIVE = \(target)")
    #expect(
      LinkReconciliationTests.text(try test.migrate(MappingModel(entityMappings: [])).links) == [
        "Person.friends 3: 3 carried"
      ])
    #expect(try test.rows("SELECT count(*) FROM Z_1FRIENDS") == ["integer(4)"])
  }

  @Test func `two relationships that become each other's inverse lose nothing`() throws {
    let old = Self.people(Models.toMany("kids", "Person"), Models.toOne("parent", "Person"))
    let new = Self.people(Models.toMany("kids", "Person", "parent"), Models.toOne("parent", "Person", "kids"))
    try Self.expect(
      "1 link of relationships 'Person.kids' and 'Person.parent' would be lost: in the destination, they are the two ends "
        + "of 'Person.parent', but in the source they disagree (Person/p6 and Person/p5)"
    ) {
      try Self.test(old, new, [(1, "kids", 2), (2, "parent", 1), (5, "kids", 6)])
    }
    try Self.expect(carried: ["Person.kids 2: 2 carried", "Person.parent 2: 2 carried"]) {
      try Self.test(
        old, new, [(1, "kids", 2), (2, "parent", 1), (5, "kids", 6), (6, "parent", 5)])
    }
    let (ones, inverses) = (
      Self.people(Models.toOne("left", "Person"), Models.toOne("right", "Person")),
      Self.people(Models.toOne("left", "Person", "right"), Models.toOne("right", "Person", "left"))
    )
    try Self.expect(carried: ["Person.left 1: 1 carried", "Person.right 1: 1 carried"]) {
      try Self.test(ones, inverses, [(1, "left", 2), (2, "right", 1)])
    }
    try Self.expect(
      "2 links of relationships 'Person.left' and 'Person.right' would be lost: in the destination, they are the two "
        + "ends of 'Person.left', but in the source they disagree (Person/p1 and Person/p2, Person/p4 and Person/p3)"
    ) { try Self.test(ones, inverses, [(1, "left", 2), (3, "right", 4)]) }
  }

  @Test func `two ends filled from two relationships do not overwrite each other's links`() throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A", relationships: [Models.toMany("x", "B", "y"), Models.toMany("p", "B", "q")]),
      EntityDescription(name: "B", relationships: [Models.toOne("y", "A", "x"), Models.toOne("q", "A", "p")]),
      EntityDescription(name: "A1", superentityName: "A"), EntityDescription(name: "B1", superentityName: "B"),
    ])
    let new = ManagedObjectModel(entities: [
      EntityDescription(name: "A", relationships: [Models.toMany("bs", "B", "a")]),
      EntityDescription(name: "B", relationships: [Models.toOne("a", "A", "bs")]),
      EntityDescription(name: "A1", superentityName: "A"), EntityDescription(name: "B1", superentityName: "B"),
    ])
    func mapping(_ entity: String, _ name: String, from origin: String) -> EntityMappingDescription {
      EntityMappingDescription(
        source: entity, destination: entity,
        properties: [
          PropertyMappingDescription(
            .relationship, name: name, source: .related(from: .source(key: origin), through: nil))
        ])
    }
    let mappings = MappingModel(entityMappings: [
      mapping("A", "bs", from: "x"), mapping("A1", "bs", from: "x"), mapping("B", "a", from: "q"),
      mapping("B1", "a", from: "q"),
    ])
    try Self.expect(
      "1 link of relationships 'B.q' and 'B.y' would be lost: in the destination, they are the two ends of 'B.a', but in "
        + "the source they disagree (B/p1 and A/p1)", mappings
    ) {
      try MigrationTest(from: old, to: new) { context in
        let (a, b) = (
          try (0..<2).map { _ in try context.insert("A") }, try (0..<2).map { _ in try context.insert("B") }
        )
        b[0][toOne: "y"] = a[0]
        b[1][toOne: "q"] = a[1]
        b[1][toOne: "y"] = a[1]
      }
    }
  }

  @Test func `two ends filled from two relationships are migrated if only one end is mapped`() throws {
    let old = Self.people(
      Models.toMany("kids", "Person"), Models.toOne("parent", "Person"))
    let new = Self.people(Models.toMany("kids", "Person", "parent"), Models.toOne("parent", "Person", "kids"))
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Person", destination: "Person",
        properties: [PropertyMappingDescription(.relationship, name: "parent", source: .unmapped)])
    ])
    let test = try Self.test(old, new, [(1, "kids", 2), (3, "parent", 4)])
    #expect(
      test.failure { try test.migrate(MappingModel(entityMappings: [])) }?.remedy
        == "map only one end and write 'copy=\"no\"' on the other, or choose the objects in a policy")
    #expect(
      LinkReconciliationTests.text(try test.migrate(mapping).links) == [
        "Person.kids 1: 1 carried", "Person.parent 1: 1 dropped",
      ])
  }

  static func counterparts(_ mapping: String, _ objects: String) -> String {
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(mapping)\", \(objects))"
  }
}
