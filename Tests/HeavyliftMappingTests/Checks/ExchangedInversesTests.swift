import HeavyliftMapping
import HeavyliftModel
import Testing

/// Two relationships that exchange their inverses, and are copied by name.
@Suite struct ExchangedInversesTests {
  /// `Team.players` and `Team.guests` have the inverses `one` and `other`.
  private static func model(_ one: String, _ other: String) -> ManagedObjectModel {
    func end(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity)
    }
    return ManagedObjectModel(
      name: "League",
      entities: [
        EntityDescription(
          name: "Player", relationships: [end(one, "Team", "players"), end(other, "Team", "guests")]),
        EntityDescription(
          name: "Team", relationships: [end("guests", "Player", other), end("players", "Player", one)]),
      ])
  }

  private static func messages(
    _ mappings: [EntityMappingDescription], to new: ManagedObjectModel = model("visits", "team")
  ) -> [String] {
    let complete = MappingModel(entityMappings: mappings).complete(from: model("team", "visits"), to: new)
    return complete.check().filter { $0.severity != .note }.map(\.description)
  }

  @Test func `an implied copy of both ends is refused, as in inference`() {
    let message = """
      error[mapping.inverse-disagrees]: relationship 'players' of implied entity mapping 'TeamToTeam' comes from 'players', \
      but its inverse 'visits' of implied entity mapping 'PlayerToPlayer' comes from 'visits', which is not the inverse of \
      'players'
        map only one side and write 'copy="no"' on the other, or use '$source.guests' here
      """
    let found = Self.messages([])
    #expect(found.count == 2)
    #expect(found.contains(message))
    #expect(Self.messages([EntityMappingDescription(source: "Team", destination: "Team")]).count == 2)
  }

  @Test func `a mapping of one end decides it`() {
    let kept = EntityMappingDescription(
      source: "Team", destination: "Team",
      properties: ["guests", "players"].map { PropertyMappingDescription(.relationship, name: $0, source: .unmapped) })
    #expect(Self.messages([kept]) == [])
  }

  @Test func `relationships that keep their inverses are copied`() {
    #expect(Self.messages([], to: Self.model("team", "visits")) == [])
  }
}
