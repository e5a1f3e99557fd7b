import Foundation
import Heavylift
import HeavyliftSQLite
import Testing

/// Each of the destination's rules, broken and reported with counts and keys.
@Suite struct StoreValidationTests {
  private static func model(_ name: String, change: (inout EntityDescription) -> Void = { _ in }) -> ManagedObjectModel
  {
    var item = EntityDescription(
      name: "Item",
      attributes: [
        Models.attribute("name", .string), Models.attribute("size", .integer64), Models.attribute("date", .date),
        Models.attribute("price", .decimal),
      ],
      relationships: [
        Models.toOne("box", "Box", "items"), Models.toMany("tags", "Tag", "items"),
        Models.toMany("friends", "Item", "friends"),
      ])
    change(&item)
    return ManagedObjectModel(
      name: name,
      entities: [
        item, EntityDescription(name: "Part", superentityName: "Item"),
        EntityDescription(name: "Box", relationships: [Models.toMany("items", "Item", "box")]),
        EntityDescription(name: "Tag", relationships: [Models.toMany("items", "Item", "tags")]),
      ])
  }

  /// Ten objects, the last one a part: those with odd numbers have all values, the others lack some.
  private static func fill(_ context: ManagedObjectContext) throws {
    let (box, tags) = (try context.insert("Box"), try (0..<3).map { _ in try context.insert("Tag") })
    var items: [ManagedObject] = []
    for number in 1...10 {
      let item = try context.insert(number == 10 ? "Part" : "Item")
      item["size"] = .integer(Int64(number * 10_000))
      item["date"] = .date(Date(timeIntervalSinceReferenceDate: Double(number)))
      item["price"] = .decimal(Decimal(number) / 10)
      item["name"] = number % 2 == 1 ? .string(String(repeating: "x", count: number)) : .null
      if number % 2 == 1 { item[toOne: "box"] = box }
      try item.setObjects(Array(tags.prefix(number % 4)), forKey: "tags")
      items.append(item)
    }
    try items[0].setObjects([items[1], items[2]], forKey: "friends")
  }

  @Test func `the report names a rule that the old store already breaks`() throws {
    var date = Models.attribute("date", .date)
    date.isOptional = false
    func model(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(name: name, entities: [EntityDescription(name: "Item", attributes: [date])])
    }
    let test = try MigrationTest(from: model("1"), to: model("2")) { context in
      for _ in 1...3 { try context.insert("Item")["date"] = .date(Date(timeIntervalSinceReferenceDate: 0)) }
    }
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.execute("UPDATE ZITEM SET ZDATE = NULL WHERE Z_PK = 2")
    try database.close()
    let reason = """
      the migrated store breaks a rule of its model in 1 place:
      error[1570]: 1 × Item: 'date' is mandatory and has no value (Item/p2)
        the old store already breaks this rule: 'date' is mandatory there, but nil in 1 × Item; give it a value, or \
      make it optional or give it a default in the model
      """
    let error = test.failure { try test.migrate(EntityMappingDescription(source: "Item", destination: "Item")) }
    #expect(error?.problem == reason)
    let inferred = try MappingModel.inferred(from: model("1"), to: model("2"))
    #expect(
      test.failure { try test.migrate(inferred) }?.problem
        == reason + "; a migration in place (--in-place) does not check values that stay as they are")
  }

  @Test func `the remedy for a missing value does not suggest a default that is there`() throws {
    var size = Models.attribute("size", .integer32, default: .integer(3))
    let old = ManagedObjectModel(name: "1", entities: [EntityDescription(name: "Item", attributes: [size])])
    size.isOptional = false
    let new = ManagedObjectModel(name: "2", entities: [EntityDescription(name: "Item", attributes: [size])])
    let test = try MigrationTest(from: old, to: new) { context in try context.insert("Item")["size"] = .null }
    let error = test.failure { try test.migrate(EntityMappingDescription(source: "Item", destination: "Item")) }
    #expect(
      error?.problem == """
        the migrated store breaks a rule of its model in 1 place:
        error[1570]: 1 × Item: 'size' is mandatory and has no value (Item/p1)
          give it a value, or make it optional in the model: only new objects get the default
        """)
  }

  private func check(
    _ expected: [String], _ code: HopError.Code, change: (inout EntityDescription) -> Void
  ) throws {
    let new = Self.model("2", change: change)
    let test = try MigrationTest(from: Self.model("1"), to: new, fill: Self.fill)
    // Policies may do things that the check of a mapping would refuse.
    let error = test.failure {
      try test.manager.migrateUnchecked(
        from: test.source, to: test.destination, IdentityMigrationTests.mapping(of: new))
    }
    #expect(error?.code == code)
    let violations = error?.underlying as? MigrationViolations
    #expect(violations?.violations.map { "\($0)".split(separator: "\n")[0] } == expected.map { $0[...] })
    #expect(try test.files() == ["old.sqlite"])
  }

  private func attribute(
    _ name: String, _ change: @escaping (inout AttributeDescription) -> Void
  ) -> (inout EntityDescription) -> Void {
    { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == name {
        change(&entity.attributes[index])
      }
    }
  }

  private func relationship(
    _ name: String, _ change: @escaping (inout RelationshipDescription) -> Void
  ) -> (inout EntityDescription) -> Void {
    { entity in
      for index in entity.relationships.indices where entity.relationships[index].name == name {
        change(&entity.relationships[index])
      }
    }
  }

  @Test func `a mandatory attribute without a value`() throws {
    try check(
      [
        "error[1570]: 4 × Item: 'name' is mandatory and has no value (Item/p2, Item/p4, Item/p6, Item/p8)",
        "error[1570]: 1 × Part: 'name' is mandatory and has no value (Part/p10)",
      ], .validation, change: attribute("name") { $0.isOptional = false })
  }

  @Test func `a mandatory relationship without a target`() throws {
    try check(
      [
        "error[1570]: 4 × Item: 'box' is mandatory but has no target (Item/p2, Item/p4, Item/p6, Item/p8)",
        "error[1570]: 1 × Part: 'box' is mandatory but has no target (Part/p10)",
      ], .validation, change: relationship("box") { $0.isOptional = false })
  }

  @Test func `too few and too many objects`() throws {
    try check(
      [
        "error[1580]: 5 × Item: 'tags' leads to fewer than 2 objects (Item/p1, Item/p4, Item/p5, Item/p8, Item/p9)"
      ], .validation,
      change: relationship("tags") {
        $0.isOptional = false
        $0.minCount = 2
      })
    try check(
      ["error[1580]: 2 × Item: 'tags' leads to fewer than 1 object (Item/p4, Item/p8)"], .validation,
      change: relationship("tags") {
        $0.isOptional = false
        $0.minCount = 1
      })
    // An empty relationship is valid if it is optional.
    try check(
      ["error[1580]: 3 × Item: 'tags' leads to fewer than 2 objects (Item/p1, Item/p5, Item/p9)"], .validation,
      change: relationship("tags") { $0.minCount = 2 })
    try check(
      ["error[1590]: 2 × Item: 'tags' leads to more than 2 objects (Item/p3, Item/p7)"], .validation,
      change: relationship("tags") { $0.maxCount = 2 })
    try check(
      ["error[1580]: 2 × Item: 'friends' leads to fewer than 2 objects (Item/p2, Item/p3)"], .validation,
      change: relationship("friends") { $0.minCount = 2 })
  }

  @Test func `a mandatory to-many without a minimum may be empty`() throws {
    let new = Self.model("2", change: relationship("tags") { $0.isOptional = false })
    let test = try MigrationTest(from: Self.model("1"), to: new, fill: Self.fill)
    try test.migrate(IdentityMigrationTests.mapping(of: new))
    #expect(try test.files() == ["new.sqlite", "old.sqlite"])
  }

  @Test func `values out of bounds`() throws {
    try check(
      [
        "error[1610]: 6 × Item: 'size' is larger than 32767, the maximum of Integer 16 "
          + "(Item/p4, Item/p5, Item/p6, Item/p7, Item/p8, …)",
        "error[1610]: 1 × Part: 'size' is larger than 32767, the maximum of Integer 16 (Part/p10)",
      ], .validation,
      change: attribute("size") { $0.type = .integer16 })
    try check(
      ["error[1620]: 1 × Item: 'price' is smaller than the minimum of 0.15 (Item/p1)"], .numberTooSmall,
      change: attribute("price") { $0.validation.minimum = .decimal(0.15) })
    try check(
      ["error[1630]: 1 × Part: 'date' is later than the model allows (Part/p10)"], .dateTooLate,
      change: attribute("date") { $0.validation.maximum = .date(Date(timeIntervalSinceReferenceDate: 9.5)) })
    try check(
      ["error[1660]: 2 × Item: 'name' is longer than 5 characters (Item/p7, Item/p9)"], .validation,
      change: attribute("name") { $0.validation.maximumLength = 5 })
    try check(
      ["error[1680]: 1 × Item: 'name' does not match the pattern x{1,8} (Item/p9)"], .stringPatternMismatch,
      change: attribute("name") { $0.validation.regularExpression = "x{1,8}" })
  }

  @Test func `duplicates of unique values`() throws {
    let unique = EntityDescription.UniquenessConstraint(["label"])
    var old = ManagedObjectModel(
      name: "1",
      entities: [
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("label", .string), Models.attribute("kind", .integer16)])
      ])
    let fill: (ManagedObjectContext) throws -> Void = { context in
      for label in ["a", "b", "a", nil, nil, "c", "b", "a"] {
        try context.insert("Tag").setValue(label.map(Value.string) ?? .null, forKey: "label")
      }
    }
    var new = old
    new.name = "2"
    new.entities[0].uniquenessConstraints = [unique]
    new.entities[0].attributes[0].isOptional = false
    old.entities[0].attributes[0].isOptional = false
    new.entities[0].attributes[0].isOptional = true
    old.entities[0].attributes[0].isOptional = true
    let test = try MigrationTest(from: old, to: new, fill: fill)
    let error = test.failure { _ = try test.migrate(EntityMappingDescription(source: "Tag", destination: "Tag")) }
    #expect(error?.code == .constraintViolation)
    #expect(
      error?.description == """
        error[migration.134111]: the migrated store breaks a rule of its model in 5 places:
        error[134111]: 5 × Tag: 'label' must be unique, but other objects have the same value \
        (Tag/p1, Tag/p3, Tag/p8, Tag/p2, Tag/p7)
          merge these objects, or give them different values
        """)
    #expect(try test.files() == ["old.sqlite"])
  }
}
