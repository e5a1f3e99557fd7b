import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Properties that some entity mappings keep and others lose.
@Suite struct PartlyLostPropertyTests {
  private static func attribute(_ name: String) -> AttributeDescription {
    AttributeDescription(name: name, type: .integer64)
  }

  /// Members and guests are persons. In the second version, only they have `since`.
  private static func model(isMoved: Bool, adds: [String] = []) -> ManagedObjectModel {
    let since = [attribute("since")]
    return ManagedObjectModel(
      name: "Club \(isMoved ? 2 : 1)",
      entities: [
        EntityDescription(name: "Guest", superentityName: "Person", attributes: isMoved ? since : []),
        EntityDescription(name: "Member", superentityName: "Person", attributes: isMoved ? since : []),
        EntityDescription(
          name: "Person", attributes: [attribute("kind")] + (isMoved ? [] : since) + adds.map { attribute($0) }),
      ])
  }

  private static func found(
    _ mappings: [EntityMappingDescription], adds: [String] = []
  ) -> (messages: [String], losses: [String]) {
    let complete = MappingModel(entityMappings: mappings)
      .complete(from: model(isMoved: false), to: model(isMoved: true, adds: adds))
    let losses = [complete].losses.map {
      "\($0.entity).\($0.property ?? "") \($0.reason.rawValue) by \($0.entityMappings.joined(separator: ", "))"
    }
    return (complete.check().filter { $0.severity != .note }.map(\.description), losses)
  }

  @Test func `an attribute that moved to sub-entities is lost by the others`() {
    let implied = Self.found([])
    #expect(
      implied.messages == [
        """
        warning[mapping.partly-lost-property]: implied entity mapping 'PersonToPerson' does not migrate attribute 'since' \
        of source entity 'Person', although other entity mappings read it: destination entity 'Person' does not have it
          write '<entity-mapping source="Person" destination="Person">' with '<drop name="since"/>' inside if the values \
        of 'since' are to be deleted
        """
      ])
    #expect(implied.losses == ["Person.since unread by PersonToPerson"])
    let written = Self.found([EntityMappingDescription(source: "Person", destination: "Person")])
    #expect(
      written.messages == [
        """
        warning[mapping.partly-lost-property]: entity mapping 'PersonToPerson' does not migrate attribute 'since' of source \
        entity 'Person', although other entity mappings read it: destination entity 'Person' does not have it
          write '<drop name="since"/>' if the values of 'since' are to be deleted
        """
      ])
  }

  @Test func `a drop resolves it only for its own entity`() {
    let dropped = Self.found([
      EntityMappingDescription(source: "Person", destination: "Person", drops: [DroppedProperty("since")])
    ])
    #expect(dropped.messages == [])
    #expect(dropped.losses == ["Person.since dropped by PersonToPerson"])
  }

  @Test func `a new attribute that may be the old one is an error`() {
    let renamed = Self.found([], adds: ["sinceYear"])
    #expect(
      renamed.messages.first { $0.hasPrefix("error") } == """
        error[mapping.possible-renaming]: attribute 'since' of source entity 'Person' was removed, and 'sinceYear' of \
        destination entity 'Person' is new and has no value. Was it renamed?
          write '<entity-mapping source="Person" destination="Person"><attribute name="sinceYear" value="$source.since"/>\
        </entity-mapping>' if it was, or put '<drop name="since"/>' there instead if its values are to be deleted
        """)
  }

  @Test func `mappings of the same entity read for each other where they take the same objects`() throws {
    func person(_ name: String, _ filter: String?, reads: Bool = false) throws -> EntityMappingDescription {
      EntityMappingDescription(
        name: name, source: "Person", destination: "Person",
        filter: try filter.map { try MappingPredicate(parsing: $0) },
        properties: reads ? [.attribute("kind", try MappingExpression(parsing: "$source.since"))] : [],
        intendsDuplicates: true)
    }
    #expect(try Self.found([person("All", nil), person("Some", nil, reads: true)]).losses == [])
    let some = try Self.found([person("All", nil), person("Some", "kind == 1", reads: true)])
    #expect(some.messages == [])
    // The objects that the filter excludes lose their values; only a store shows how many there are.
    #expect(some.losses == ["Person.since unread by All"])
    let other = try Self.found([person("One", "kind == 1"), person("Two", "kind != 1", reads: true)])
    #expect(other.messages.map { $0.prefix(45) } == ["warning[mapping.partly-lost-property]: entity"])
    #expect(other.losses == ["Person.since unread by One"])
  }

  @Test func `a renaming identifier that names a property of the new version needs a decision`() throws {
    func found(
      _ properties: [PropertyMappingDescription], copying: ConservativeCopy = .everything
    ) throws -> [String] {
      var new = Self.model(isMoved: false)
      new.name = "Club 2"
      let place = try #require(new.entities.firstIndex { $0.name == "Person" })
      new.entities[place].attributes.append(
        AttributeDescription(name: "memberSince", type: .integer64, renamingIdentifier: "since"))
      let mapping = MappingModel(
        copying: copying,
        entityMappings: [
          EntityMappingDescription(source: "Person", destination: "Person", properties: properties),
          EntityMappingDescription(source: "Guest", destination: "Guest", properties: properties),
          EntityMappingDescription(source: "Member", destination: "Member", properties: properties),
        ])
      return mapping.complete(from: Self.model(isMoved: false), to: new).check().filter { $0.severity != .note }.map(
        \.description)
    }
    let messages = try found([])
    #expect(messages.count == 3)
    #expect(
      messages.first { $0.contains("'PersonToPerson'") } == """
        error[mapping.ambiguous-renaming]: attribute 'memberSince' of entity mapping 'PersonToPerson' has renaming \
        identifier 'since', but another property gets the values of 'since'
          write '<attribute name="memberSince" value="$source.since"/>' if it was renamed, or '<attribute \
        name="memberSince" copy="no"/>' if it is new
        """)
    #expect(try found([.attribute("memberSince", try MappingExpression(parsing: "$source.since"))]) == [])
    #expect(try found([PropertyMappingDescription(.attribute, name: "memberSince", source: .unmapped)]) == [])
    #expect(try found([], copying: .sameName) == [], "renaming identifiers are ignored")
  }
}
