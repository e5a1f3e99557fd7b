import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Relationships that expressions read, and relationships that expressions set.
@Suite struct ExpressionReconciliationTests {
  @Test func `an attribute that reads a migrated relationship does not replace its links`() throws {
    func box(_ target: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Box", attributes: [Models.attribute("number", .integer64)],
          relationships: [Models.toOne("content", target)]),
        EntityDescription(name: "Item", attributes: [Models.attribute("number", .integer64)]),
        EntityDescription(name: "Tool", superentityName: "Item"),
      ])
    }
    func mapping(_ properties: PropertyMappingDescription...) throws -> MappingModel {
      let number = PropertyMappingDescription.attribute(
        "number", try MappingExpression(parsing: "$source.content.number"))
      return MappingModel(entityMappings: [
        EntityMappingDescription(source: "Box", destination: "Box", properties: [number] + properties)
      ])
    }
    func test() throws -> MigrationTest {
      try MigrationTest(from: box("Item"), to: box("Tool")) { context in
        for entity in ["Tool", "Item"] { try context.insert("Box")[toOne: "content"] = context.insert(entity) }
      }
    }
    try InverseReconciliationTests.expect(
      "1 link of relationship 'Box.content' would be lost: 'Box.content' of the new version leads to 'Tool' objects, "
        + "which the linked object does not become", mapping(), test)
    #expect(
      LinkReconciliationTests.text(try test().migrate(mapping(.relationship("content", through: "ToolToTool"))).links)
        == [
          "Box.content 2: 1 carried, 1 dropped"
        ])
    #expect(
      LinkReconciliationTests.text(
        try test().migrate(mapping(.init(.relationship, name: "content", source: .unmapped))).links) == [
          "Box.content 2: 2 replaced"
        ])
  }

  @Test func `an expression that follows a migrated relationship does not replace its links`() throws {
    func model(_ content: String, _ box: RelationshipDescription...) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Box", relationships: [Models.toOne("content", content)] + box),
        EntityDescription(name: "Item", relationships: [Models.toOne("maker", "Maker")]),
        EntityDescription(name: "Maker"), EntityDescription(name: "Tool", superentityName: "Item"),
      ])
    }
    let maker = PropertyMappingDescription.relationship(
      "maker",
      try MappingExpression(parsing: InverseReconciliationTests.counterparts("MakerToMaker", "$source.content.maker")))
    try InverseReconciliationTests.expect(
      "1 link of relationship 'Box.content' would be lost: 'Box.content' of the new version leads to 'Tool' objects, "
        + "which the linked object does not become",
      MappingModel(entityMappings: [
        EntityMappingDescription(source: "Box", destination: "Box", properties: [maker]),
        EntityMappingDescription(source: "Maker", destination: "Maker"),
      ])
    ) {
      try MigrationTest(from: model("Item"), to: model("Tool", Models.toOne("maker", "Maker"))) { context in
        for entity in ["Tool", "Item"] {
          let item = try context.insert(entity)
          item[toOne: "maker"] = try context.insert("Maker")
          try context.insert("Box")[toOne: "content"] = item
        }
      }
    }
  }

  @Test func `a relationship's expression may choose links that another relationship does not fit`() throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Box", relationships: [Models.toMany("items", "Item", "boxes")]),
      EntityDescription(name: "Item", relationships: [Models.toMany("boxes", "Box", "items")]),
      EntityDescription(
        name: "Tool", superentityName: "Item", attributes: [Models.attribute("size", .integer64)]),
    ])
    let new = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Box", relationships: [Models.toMany("items", "Tool"), Models.toMany("others", "Item")]),
      EntityDescription(name: "Item"),
      EntityDescription(
        name: "Tool", superentityName: "Item", attributes: [Models.attribute("size", .integer64)]),
    ])
    let others = PropertyMappingDescription.relationship(
      "others",
      try MappingExpression(
        parsing: InverseReconciliationTests.counterparts(
          "ItemToItem", "SUBQUERY($source.items, $i, $i.entity.name == \"Item\")")))
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Box", destination: "Box", properties: [others])
    ])
    let test = try MigrationTest(from: old, to: new) { context in
      try context.insert("Box")[toMany: "items"] = [context.insert("Item"), context.insert("Tool")]
    }
    #expect(LinkReconciliationTests.text(try test.migrate(mapping).links) == ["Box.items 2: 1 carried, 1 replaced"])
  }

  private static func carts(_ cart: RelationshipDescription) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Cart", attributes: [Models.attribute("number", .integer64)],
        relationships: [Models.toMany("items", "Item", cart.name)]),
      EntityDescription(
        name: "Item", attributes: [Models.attribute("number", .integer64)], relationships: [cart]),
      EntityDescription(name: "SpecialCart", superentityName: "Cart"),
    ])
  }

  /// Carts of two entities with items; each item belongs to one cart in the new model.
  private static func carts(_ links: [(cart: Int, item: Int)], special: Int = 0) throws -> MigrationTest {
    let (old, new) = (carts(Models.toMany("carts", "Cart", "items")), carts(Models.toOne("cart", "Cart", "items")))
    return try MigrationTest(from: old, to: new) { context in
      let carts = try (1...3).map { number in
        let cart = try context.insert(number == special ? "SpecialCart" : "Cart")
        cart["number"] = .integer(Int64(number))
        return cart
      }
      let items = try (1...3).map { number in
        let item = try context.insert("Item")
        item["number"] = .integer(Int64(number))
        return item
      }
      // The carts and the items get their keys in the order of their numbers.
      try context.save()
      for (cart, item) in links { try carts[cart - 1].add(items[item - 1], to: "items") }
    }
  }

  private static func items(of entities: String..., sharedToLast: Bool = false) throws -> MappingModel {
    let expression = try MappingExpression(
      parsing: InverseReconciliationTests.counterparts("ItemToItem", "SUBQUERY($source.items, $i, $i.number < 3)"))
    var items = PropertyMappingDescription.relationship("items", expression)
    items.leavesSharedToLast = sharedToLast
    return MappingModel(
      entityMappings: entities.map { EntityMappingDescription(source: $0, destination: $0, properties: [items]) }
        + [EntityMappingDescription(source: "Item", destination: "Item")])
  }

  @Test func `an expression does not give a target to several owners`() throws {
    let links = [(1, 1), (1, 2), (2, 1), (3, 3)]
    let mapping = try Self.items(of: "Cart", "SpecialCart")
    try InverseReconciliationTests.expect(
      "1 link of relationship 'Cart.items' would be lost: in the destination, 'Item.cart' allows each object only one "
        + "owner, but entity mappings 'CartToCart' and 'SpecialCartToSpecialCart' give objects to several owners",
      mapping
    ) { try Self.carts(links) }
    #expect(
      LinkReconciliationTests.text(try Self.carts([(1, 1), (1, 2), (3, 3)]).migrate(mapping).links) == [
        "Cart.items 3: 3 replaced"
      ])
    let last = try Self.carts(links)
    try last.migrate(Self.items(of: "Cart", "SpecialCart", sharedToLast: true))
    #expect(try last.lines("Item", "cart") == ["Item/p1 cart=Cart/p2", "Item/p2 cart=Cart/p1", "Item/p3 cart=nil"])
  }

  @Test func `an expression does not take targets from a relationship that is copied`() throws {
    let mapping = try Self.items(of: "SpecialCart")
    let shared = try Self.carts([(1, 1), (2, 1), (3, 2)], special: 3)
    #expect(
      shared.failure { try shared.migrate(mapping) }?.problem
        == "1 link of relationship 'Cart.items' would be lost: in the destination, 'Item.cart' allows each object only "
        + "one owner, but in the source 1 object is shared: Item/p1 by 2 owners")
    // The expression and the copy share an item.
    for special in 1...2 {
      try InverseReconciliationTests.expect(
        "1 link of relationship 'Cart.items' would be lost: in the destination, 'Item.cart' allows each object only one "
          + "owner, but entity mappings 'SpecialCartToSpecialCart' and 'CartToCart' give objects to several owners",
        mapping
      ) { try Self.carts([(1, 1), (2, 1), (3, 2)], special: special) }
    }
    #expect(
      LinkReconciliationTests.text(try Self.carts([(1, 1), (2, 2), (2, 3)], special: 2).migrate(mapping).links) == [
        "Cart.items 3: 1 carried, 2 replaced"
      ])
  }

  @Test func `an expression at the other end chooses the owner`() throws {
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Cart", destination: "Cart"),
      EntityMappingDescription(
        source: "Item", destination: "Item",
        properties: [
          .relationship(
            "cart",
            try MappingExpression(
              parsing: InverseReconciliationTests.counterparts(
                "CartToCart", "SUBQUERY($source.carts, $c, $c.number == 2)")))
        ]),
    ])
    let test = try Self.carts([(1, 1), (2, 1)])
    try test.migrate(mapping)
    #expect(try test.lines("Item", "cart").first == "Item/p1 cart=Cart/p2")
  }
}
