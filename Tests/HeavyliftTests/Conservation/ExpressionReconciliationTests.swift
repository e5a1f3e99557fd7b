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
      "1 link of relationship 'Box.content' would be lost: the objects at both ends are migrated, but not by entity "
        + "mappings that fit 'Box.content'", mapping(), test)
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
      "1 link of relationship 'Box.content' would be lost: the objects at both ends are migrated, but not by entity "
        + "mappings that fit 'Box.content'",
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
}
