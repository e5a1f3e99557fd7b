import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Composites of which a mapping reads only some elements.
@Suite struct LostElementTests {
  private static let address = CompositeDescription(
    name: "Address",
    elements: [
      Models.attribute("city", .string), Models.attribute("street", .string),
      AttributeDescription(name: "position", type: .composite, compositeName: "Position"),
    ])
  private static let position = CompositeDescription(
    name: "Position", elements: [Models.attribute("x", .integer64), Models.attribute("y", .integer64)])

  private static let old = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription(name: "address", type: .composite, compositeName: "Address"),
          Models.attribute("number", .integer64),
        ])
    ], composites: [address, position])

  private static func new(_ attributes: [AttributeDescription]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Person", attributes: attributes + [Models.attribute("number", .integer64)])
    ])
  }

  private static let city = Models.attribute("city", .string)
  private static let readingCity = ("city", "$source.address.city")

  /// Returns the messages of a check, and the losses of a migration of three persons: all with a city, two with a street,
  /// and one with a position of which only `y` has a value.
  private static func found(
    _ properties: [(name: String, value: String)], into attributes: [AttributeDescription], where filter: String? = nil,
    drops: [String] = []
  ) throws -> (messages: [String], losses: [String]) {
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "PersonToPerson", source: "Person", destination: "Person",
        filter: try filter.map { try MappingPredicate(parsing: $0) },
        properties: try properties.map { .attribute($0.name, try MappingExpression(parsing: $0.value)) },
        drops: drops.map { DroppedProperty($0) })
    ])
    let test = try MigrationTest(from: old, to: new(attributes)) { context in
      for number in 1...3 as ClosedRange<Int64> {
        let person = try context.insert("Person")
        person["number"] = .integer(number)
        var address: [String: Value] = ["city": .string("Oslo")]
        if number > 1 { address["street"] = .string("Storgata \(number)") }
        if number > 2 { address["position"] = .composite(["y": .integer(7)]) }
        person["address"] = .composite(address)
      }
    }
    let messages = mapping.complete(from: old, to: new(attributes)).check().map(\.description)
    if messages.contains(where: { $0.hasPrefix("error") }) { return (messages, []) }
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    let report = try test.migrate(mapping)
    #expect(report.losses == plan.losses)
    return (messages, plan.losses.map(\.description))
  }

  @Test func `elements that nothing reads are lost`() throws {
    let found = try Self.found([Self.readingCity], into: [Self.city])
    #expect(
      found.messages == [
        """
        note[mapping.unread-property]: nothing reads 'address.position.x', 'address.position.y' and 'address.street' of \
        source entity 'Person'
          their values are not migrated
        """
      ])
    #expect(
      found.losses == [
        "1 value of 'address.position.y' of entity 'Person' is not migrated: the destination does not have it",
        "2 values of 'address.street' of entity 'Person' are not migrated: the destination does not have it",
      ])
  }

  @Test func `an element is read with all that it contains`() throws {
    let found = try Self.found(
      [Self.readingCity, ("position", "$source.address.position.y"), ("street", "$source.address.street")],
      into: [Self.city, Models.attribute("position", .integer64), Models.attribute("street", .string)])
    #expect(found.losses == [])
    #expect(
      found.messages.map { $0.prefix(64) } == ["note[mapping.unread-property]: nothing reads 'address.position.x"])
  }

  @Test(arguments: [
    (["address"], []), (["address.street", "address.position"], []), (["address.position"], ["address.street"]),
  ]) func `a drop names the composite or an element`(drops: [String], unread: [String]) throws {
    let found = try Self.found([Self.readingCity], into: [Self.city], drops: drops)
    #expect(
      found.messages.map(\.description)
        == unread.map {
          "note[mapping.unread-property]: nothing reads '\($0)' of source entity 'Person'\n  its values are not migrated"
        })
    #expect(found.losses.count == 2)
    #expect(found.losses.filter { $0.hasSuffix("the mapping drops it") }.count == 2 - unread.count)
  }

  @Test func `a drop of an unknown element is an error`() throws {
    let found = try Self.found([Self.readingCity], into: [Self.city], drops: ["address.land"])
    #expect(
      found.messages.first?.hasPrefix(
        "error[mapping.misplaced-drop]: entity mapping 'PersonToPerson' drops 'address.land', but source entity 'Person' "
          + "has no such property") == true, "\(found.messages)")
  }

  @Test func `a new attribute without a value may be the element`() throws {
    let found = try Self.found([Self.readingCity], into: [Self.city, Models.attribute("street", .string)])
    #expect(
      found.messages.first == """
        error[mapping.possible-renaming]: attribute 'address.street' of source entity 'Person' was removed, and 'street' of \
        destination entity 'Person' is new and has no value. Was it renamed?
          write '<attribute name="street" value="$source.address.street"/>' if it was, or '<drop name="address.street"/>' \
        if its values are to be deleted
        """, "\(found.messages)")
  }

  @Test func `a composite of which nothing is read is lost as a whole, whatever a filter tests`() throws {
    let found = try Self.found([], into: [], where: "address.city == 'Oslo'")
    #expect(
      found.losses == [
        "warning: 3 values of 'address' of entity 'Person' are not migrated: entity mapping 'PersonToPerson' does not "
          + "read it"
      ])
  }
}
