import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import Testing

/// Passes that create the same objects twice.
@Suite struct DoubledPassesTests {
  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [EntityDescription(name: "Track", attributes: [AttributeDescription(name: "rank", type: .integer32)])])

  private static func tracks(_ filter: String? = nil, duplicates: Bool = false) throws -> EntityMappingDescription {
    EntityMappingDescription(
      source: "Track", destination: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) },
      intendsDuplicates: duplicates)
  }

  private static func messages(
    _ first: EntityMappingDescription, _ second: EntityMappingDescription, isXcodes: Bool = false
  ) -> [String] {
    let models = [first, second].map {
      MappingModel(unmentionedEntities: isXcodes ? .dropped : .copied, entityMappings: [$0])
    }
    return models.complete(from: model, to: model).flatMap { complete in
      complete.check().filter { $0.code == "mapping.doubled-objects" }.map(\.description)
    }
  }

  private static let message = """
    mapping.doubled-objects]: entity mapping 'TrackToTrack' duplicates objects: entity mapping 'TrackToTrack' of an \
    earlier pass uses the same source objects
      remove one of the two, split the objects between them with 'where', or write duplicates="intended"
    """

  @Test func `a pass must not create the objects of an earlier pass again`() throws {
    #expect(Self.messages(try Self.tracks(), try Self.tracks()) == ["error[\(Self.message)"])
    #expect(Self.messages(try Self.tracks("rank > 3"), try Self.tracks()) == ["error[\(Self.message)"])
    #expect(Self.messages(try Self.tracks("rank > 3"), try Self.tracks("rank > 5")) == ["warning[\(Self.message)"])
    let message = Self.message.replacing(
      "  remove one", with: "  convert the mapping with 'heavylift convert' first, then remove one")
    #expect(Self.messages(try Self.tracks(), try Self.tracks(), isXcodes: true) == ["warning[\(message)"])
  }

  @Test func `passes may share the objects between them, or duplicate them on purpose`() throws {
    #expect(Self.messages(try Self.tracks("rank > 3"), try Self.tracks("NOT (rank > 3)")) == [])
    #expect(Self.messages(try Self.tracks(), try Self.tracks(duplicates: true)) == [])
    #expect(Self.messages(try Self.tracks(duplicates: true), try Self.tracks()) == [])
  }
}
