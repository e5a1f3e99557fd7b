import HeavyliftMapping
import HeavyliftModel
import Testing

/// Removed entities that were probably renamed.
@Suite struct RenamedEntityTests {
  /// `Item` is the parent of an entity of that name and with those attributes; `Tag` makes the models comparable.
  private static func model(_ name: String, _ attributes: [String], superentity: String? = nil) -> ManagedObjectModel {
    func text(_ name: String) -> AttributeDescription { AttributeDescription(name: name, type: .string) }
    return ManagedObjectModel(
      name: "Shop",
      entities: [
        EntityDescription(name: name, superentityName: superentity, attributes: attributes.map(text)),
        EntityDescription(name: "Item", attributes: [text("added"), text("changed")]),
        EntityDescription(name: "Tag", attributes: [text("title")]),
      ])
  }

  private static let old = model("Customer", ["email", "name", "since"])
  private static let new = model("Client", ["email", "name", "since"])

  private static func warnings(_ old: ManagedObjectModel, _ new: ManagedObjectModel) throws -> [String] {
    try MappingModel.inferred(from: old, to: new).complete(from: old, to: new).check().filter { $0.severity != .note }
      .map(\.description)
  }

  @Test func `an inferred mapping warns about an entity that it removes`() throws {
    let warning = """
      warning[mapping.possible-entity-renaming]: source entity 'Customer' was removed with all its objects, and \
      destination entity 'Client' is new, gets no objects, and has the same or nearly the same properties. Was it renamed?
        if it was, set the renaming identifier of 'Client' to 'Customer', or write a mapping file with '<entity-mapping \
      source="Customer" destination="Client"/>'
      """
    #expect(try Self.warnings(Self.old, Self.new) == [warning])
    #expect(try Self.warnings(Self.old, Self.model("Client", ["email", "name", "phone"])) == [warning])
  }

  @Test func `an entity with other properties was not renamed`() throws {
    #expect(try Self.warnings(Self.old, Self.model("Client", ["email", "phone", "street"])) == [])
    #expect(try Self.warnings(Self.old, Self.model("Client", ["email", "name", "a", "b", "c"])) == [])
    #expect(try Self.warnings(Self.model("Customer", []), Self.model("Client", [])) == [])
    // Properties of a common parent say nothing.
    #expect(
      try Self.warnings(
        Self.model("Customer", ["email"], superentity: "Item"), Self.model("Book", ["pages"], superentity: "Item"))
        == [])
  }

  @Test(arguments: [false, true]) func `a mapping file is asked about an entity that it does not mention`(
    isXcodes: Bool
  ) {
    let mapping = MappingModel(
      unmentionedEntities: isXcodes ? .dropped : .copied,
      entityMappings: ["Item", "Tag"].map { EntityMappingDescription(source: $0, destination: $0) } + [
        EntityMappingDescription(type: .add, destination: "Client")
      ])
    #expect(
      mapping.complete(from: Self.old, to: Self.new).check().map(\.description) == [
        """
        \(isXcodes ? "warning" : "error")[mapping.dropped-entity]: no entity mapping covers source entity 'Customer', and \
        the destination model does not have it
          \(isXcodes ? "convert the mapping with 'heavylift convert' first, then " : "")write '<entity-mapping \
        source="Customer" destination="Client"/>' if it was renamed, or '<entity-mapping \
        type="remove" source="Customer"/>' if its objects are to be deleted
        """
      ])
  }

  @Test func `a removal by name is an answer`() {
    let mapping = MappingModel(entityMappings: [EntityMappingDescription(type: .remove, source: "Customer")])
    let found = mapping.complete(from: Self.old, to: Self.new).check().map(\.code)
    #expect(found == ["mapping.unfilled-entity"])
  }

  @Test func `a draft asks, and removes nothing until its author decides`() {
    let draft = MappingModel.draft(from: Self.old, to: Self.new).mapping
    #expect(draft.entityMappings.map(\.name) == ["Client", "ItemToItem", "TagToTag"])
    #expect(
      draft.entityMappings[0].markup.closingComments == [
        """
         TODO: entity 'Customer' was removed. If it was renamed to 'Client', write source="Customer" here instead of \
        type="add"; otherwise, write <entity-mapping type="remove" source="Customer"/>.\u{20}
        """
      ])
    #expect(draft.complete(from: Self.old, to: Self.new).check().map(\.code) == ["mapping.dropped-entity"])
  }
}
