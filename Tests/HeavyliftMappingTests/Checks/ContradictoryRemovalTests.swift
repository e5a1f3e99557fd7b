import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Mappings that remove objects which others migrate.
@Suite struct ContradictoryRemovalTests {
  private static let model = ManagedObjectModel(
    name: "Shop",
    entities: [
      EntityDescription(
        name: "Order",
        attributes: [
          AttributeDescription(name: "paid", type: .boolean), AttributeDescription(name: "total", type: .integer32),
        ]),
      EntityDescription(
        name: "Receipt", attributes: [AttributeDescription(name: "total", type: .integer32)]),
    ])

  private static func removal(_ filter: String? = nil) throws -> EntityMappingDescription {
    EntityMappingDescription(
      type: .remove, source: "Order", filter: try filter.map { try MappingPredicate(parsing: $0) })
  }

  private static func orders(_ filter: String? = nil, to destination: String = "Order") throws
    -> EntityMappingDescription
  {
    EntityMappingDescription(
      source: "Order", destination: destination, filter: try filter.map { try MappingPredicate(parsing: $0) })
  }

  private static func messages(_ passes: [EntityMappingDescription]...) -> [[String]] {
    passes.map { MappingModel(entityMappings: $0) }.complete(from: model, to: model).map { complete in
      complete.check().filter { $0.code == "mapping.contradictory-removal" }.map(\.description)
    }
  }

  private static let useless = """
    error[mapping.contradictory-removal]: entity mapping 'RemoveOrder' removes objects that entity mapping 'OrderToOrder' \
    migrates; they are not removed
    """

  @Test func `objects that another mapping certainly migrates cannot be removed`() throws {
    #expect(
      Self.messages([try Self.orders(), try Self.removal("paid == NO")]) == [
        [
          """
          \(Self.useless)
            write where="paid != FALSE" in entity mapping 'OrderToOrder' if these objects are to be deleted; otherwise, \
          remove 'RemoveOrder'
          """
        ]
      ])
    #expect(
      Self.messages([try Self.removal(), try Self.orders()]) == [["\(Self.useless)\n  remove one of the two"]])
    #expect(
      Self.messages([try Self.orders("total > 3"), try Self.removal("total > 3")]) == [
        ["\(Self.useless)\n  remove one of the two"]
      ])
  }

  @Test func `filters that may match the same object are a warning`() throws {
    #expect(
      Self.messages([try Self.orders("total > 3"), try Self.removal("paid == NO")]) == [
        [
          """
          warning[mapping.contradictory-removal]: entity mapping 'RemoveOrder' may remove objects that entity mapping \
          'OrderToOrder' migrates; they are not removed
            write filters that no object passes twice, or remove one of the two
          """
        ]
      ])
  }

  @Test func `a removal after a split is only useless`() throws {
    let found = Self.messages([try Self.orders(to: "Receipt"), try Self.removal()])
    #expect(found[0].map { $0.prefix(8) } == ["warning["])
  }

  @Test func `the rest may be removed`() throws {
    #expect(Self.messages([try Self.orders("total > 3"), try Self.removal()]) == [[]])
    #expect(Self.messages([try Self.orders("total > 3"), try Self.removal("NOT (total > 3)")]) == [[]])
    #expect(Self.messages([try Self.removal(), try Self.removal("total > 3")]) == [[]])
    #expect(Self.messages([try Self.orders(), try Self.removal("FALSEPREDICATE")]) == [[]])
    var custom = try Self.orders()
    custom.policyClassName = "OrderPolicy"
    #expect(Self.messages([custom, try Self.removal("paid == NO")]) == [[]])
  }

  @Test func `the other mapping may belong to another pass`() throws {
    #expect(
      Self.messages([try Self.orders()], [try Self.removal()]) == [
        [],
        [
          """
          error[mapping.contradictory-removal]: entity mapping 'RemoveOrder' removes objects that entity mapping \
          'OrderToOrder' of an earlier pass migrates; they are not removed
            remove one of the two
          """
        ],
      ])
    #expect(
      Self.messages([try Self.removal()], [try Self.orders()]) == [
        [],
        [
          """
          error[mapping.contradictory-removal]: entity mapping 'RemoveOrder' of an earlier pass removes objects that \
          entity mapping 'OrderToOrder' migrates; they are not removed
            remove one of the two
          """
        ],
      ])
  }
}
