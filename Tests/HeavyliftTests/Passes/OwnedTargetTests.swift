import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// To-many relationships without an inverse: each target's row names its owner.
@Suite struct OwnedTargetTests {
  /// Carts with items and an ordered queue of items.
  private static func model(_ cart: String, _ items: String, isRenamed: Bool) -> ManagedObjectModel {
    ManagedObjectModel(
      name: cart,
      entities: [
        EntityDescription(
          name: cart, attributes: [Models.attribute("name", .string)],
          relationships: [
            RelationshipDescription(
              name: items, destinationEntityName: "Item", deleteRule: .cascade,
              renamingIdentifier: isRenamed ? "items" : nil),
            Models.toMany("queue", "Item", isOrdered: true),
          ], renamingIdentifier: isRenamed ? "Cart" : nil),
        EntityDescription(name: "Item", attributes: [Models.attribute("number", .integer64)]),
        EntityDescription(name: "Special", superentityName: "Item"),
      ])
  }

  private static let (old, new) = (
    model("Cart", "items", isRenamed: false), model("Basket", "entries", isRenamed: true)
  )

  private static func fill(_ context: ManagedObjectContext) throws {
    let carts = try (0..<3).map { _ in try context.insert("Cart") }
    let items = try (0..<6).map { number in
      let item = try context.insert(number % 3 == 2 ? "Special" : "Item")
      item["number"] = .integer(Int64(number))
      return item
    }
    carts[0][toMany: "items"] = [items[0], items[2]]
    carts[2][toMany: "items"] = [items[4]]
    carts[1][toMany: "queue"] = [items[5], items[0], items[3]]
  }

  private static let rows = [
    "integer(1) integer(1) integer(2)", "integer(2) null null", "integer(3) integer(1) null",
    "integer(4) null integer(2)", "integer(5) integer(3) null", "integer(6) null integer(2)",
  ]

  private func test(_ policies: PolicyRegistry = PolicyRegistry()) throws -> MigrationTest {
    try MigrationTest(from: Self.old, to: Self.new, policies: policies, fill: Self.fill)
  }

  private func expectLinks(_ test: MigrationTest) throws {
    #expect(try test.rows("SELECT Z_PK, Z1ENTRIES, Z1QUEUE FROM ZITEM ORDER BY Z_PK") == Self.rows)
    #expect(
      try test.lines("Basket", "entries", "queue") == [
        "Basket/p1 entries=[Item/p1 Special/p3] queue=[]",
        "Basket/p2 entries=[] queue=[Special/p6 Item/p1 Item/p4]", "Basket/p3 entries=[Item/p5] queue=[]",
      ])
  }

  @Test(arguments: [false, true]) func `links are migrated, renamed and in order`(forcesObjects: Bool) throws {
    let test = try test()
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let mapping = try MappingModel.inferred(from: Self.old, to: Self.new)
    try test.migrate(mapping, options: options)
    try expectLinks(test)
    let (source, destination) = (
      try PersistentStore(url: test.source, models: [Self.old], mode: .readOnly),
      try PersistentStore(url: test.destination, models: [Self.new], mode: .readOnly)
    )
    let report = try StoreVerifier(source: source, destination: destination, mappings: [mapping]).verify()
    #expect(report.isClean, "\(report)")
  }

  @Test func `an owner is written with the target's row, with the order of its list`() throws {
    let test = try test()
    let mapping = try MappingModel.inferred(from: Self.old, to: Self.new)
    let plan: MigrationPlan = try test.manager.plan(from: test.source, with: [mapping])
    let owner = RelationshipPlan(
      name: "Basket.entries", source: "Cart.items", targets: [0], way: .withRow, isDeclared: false, needsLookUp: false)
    let queueOwner = RelationshipPlan(
      name: "Basket.queue", source: "Cart.queue", targets: [0], way: .withRow, isDeclared: false, needsLookUp: false,
      keepsInverseOrder: true)
    #expect(
      plan.steps.map { "\($0.name): \($0.rows.rawValue), \($0.relationships.rawValue)" } == [
        "CartToBasket: sql, sql", "ItemToItem: sql, nothing", "SpecialToSpecial: sql, nothing",
      ])
    #expect(
      plan.steps.map(\.rowRelationships) == [[], [owner, queueOwner], [owner, queueOwner]])
  }

  @Test func `a target with two source objects goes to the last one only if the mapping says so`() throws {
    var old = Self.old
    old.entities[0].relationships = [Models.toMany("items", "Item", "carts")]
    old.entities[1].relationships = [Models.toMany("carts", "Cart", "items")]
    var new = Self.old
    new.entities[0].relationships = [Models.toMany("items", "Item")]
    let mapping = MappingModel(entityMappings: [])
    #expect(
      mapping.complete(from: old, to: new).check().filter { $0.code == "mapping.narrowed-inverse" }.map(\.problem)
        == [
          "the migration fails if objects share a target through relationship 'items' of implied "
            + "entity mapping 'CartToCart': without an inverse, a target has only one owner, but 'carts' is to-many "
            + "in the source"
        ])
    let whole = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Cart", destination: "Cart"),
      EntityMappingDescription(source: "Item", destination: "Item"),
      EntityMappingDescription(source: "Special", destination: "Special"),
    ])
    #expect(
      whole.complete(from: old, to: new).check().filter { $0.code == "mapping.narrowed-inverse" }.map(\.description)
        == [
          """
          warning[mapping.narrowed-inverse]: the migration fails if objects share a target through \
          relationship 'items' of entity mapping 'CartToCart': without an inverse, a target has only one owner, but 'carts' \
          is to-many in the source
            give the relationship a to-many inverse in the model, choose the owner in a policy, or write 'shared="last"' \
          if the last owner should keep the target
          """
        ])
    var shared = whole
    shared.entityMappings[0].propertyMappings = [
      PropertyMappingDescription(.relationship, name: "items", leavesSharedToLast: true)
    ]
    #expect(shared.complete(from: old, to: new).check().filter { $0.code == "mapping.narrowed-inverse" } == [])
    let message = """
      error[migration.134110]: 1 link of relationship 'Cart.items' would be lost: in the destination, 'Cart.items' \
      allows each object only one owner, but in the source 1 object is shared: Item/p1 by 2 owners
        choose the owner with an expression or a policy, or write 'shared="last"' in the mapping of the relationship \
      if the last owner should keep it
      """
    for forcesObjects in [false, true] {
      let test = try MigrationTest(from: old, to: new) { context in
        let (carts, item) = (try (0..<3).map { _ in try context.insert("Cart") }, try context.insert("Item"))
        for cart in carts.prefix(2) { cart[toMany: "items"] = [item] }
      }
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      // Statements are planned with the keys that they take; links set by objects are counted afterwards.
      #expect(test.failure { try test.migrate(whole, options: options) }?.description == message)
      if !forcesObjects {
        #expect(test.failure { _ = try test.manager.plan(from: test.source, with: [whole]) }?.description == message)
      }
      let links = try test.migrate(shared, options: options).links
      #expect(links.map { "\($0.count) \($0.carried) \($0.dropped)" } == ["2 1 1"])
      #expect(try test.lines("Cart", "items").map { $0.suffix(9) } == [" items=[]", "[Item/p1]", " items=[]"])
    }
  }

  @Test func `a missing owner is reported`() throws {
    let test = try test()
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Cart", destination: "Basket"),
      EntityMappingDescription(source: "Item", destination: "Item"),
      EntityMappingDescription(source: "Special", destination: "Special"),
    ])
    try test.migrate(mapping)
    let store = try PersistentStore(url: test.destination, models: [Self.new])
    defer { try? store.close() }
    try store.database.execute("UPDATE ZITEM SET Z1ENTRIES = 77 WHERE Z_PK = 5")
    do {
      try StoreValidation(store).perform()
      Issue.record("nothing was thrown")
    } catch let error as HopError {
      #expect(
        (error.underlying as? MigrationViolations)?.violations.map(\.description) == [
          """
          error[133000]: 1 × Item: 'Basket.entries' has an owner that does not exist (Item/p5)
            remove the object from the relationship before a policy deletes the owner
          """
        ])
    }
  }

  @Test func `links pass through versions in between`() throws {
    let versions = (0..<4).map { version in
      var model = Self.old
      model.entities[0].relationships.removeAll { $0.isOrdered }
      for place in model.entities.indices { model.entities[place].versionHashModifier = "\(version)" }
      return model
    }
    let whole = ["Cart", "Item", "Special"].map { EntityMappingDescription(source: $0, destination: $0) }
    let both = try HopChain(
      .chain(versions, [whole, whole, whole]) { context in
        let carts = try (0..<3).map { _ in try context.insert("Cart") }
        for number in 0..<6 {
          try carts[number % 2].add(context.insert(number % 3 == 2 ? "Special" : "Item"), to: "items")
        }
      })
    #expect(both.disagreement == nil)
    #expect(both.separate.error == nil)
    #expect(both.combined.rows["ZITEM"]?.isEmpty == false)
  }
}
