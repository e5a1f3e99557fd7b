import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftMapping

/// The shortest equivalent mapping model.
struct MappingConversionTests {
  /// Returns the effect of a complete mapping, line by line, without reasons.
  private func meaning(_ complete: CompleteMappingModel) -> [String] {
    complete.entityMappings.flatMap { mapping -> [String] in
      let head =
        "\(mapping.name): \(mapping.type) \(mapping.sourceEntityName ?? "-") \(mapping.destinationEntityName ?? "-") "
        + "\(mapping.filter?.description ?? "-") \(mapping.sourceExpression?.description ?? "-") "
        + "\(mapping.policyClassName ?? "-") \(mapping.userInfo)"
      return [head]
        + (mapping.attributeMappings + mapping.relationshipMappings).map {
          "\($0.kind) \($0.name) = \($0.valueExpression?.description ?? "-") \($0.userInfo)"
        }
    }
  }

  @Test func `a converted mapping model is equivalent, and converting it again changes nothing`() {
    for seed in Seeds.some(of: 0..<300) { checkConversion(seed) }
  }

  private func checkConversion(_ seed: UInt64) {
    var generator = CollidingMappingGenerator(seed: seed)
    let (source, destination) = (generator.model(), generator.model())
    let original = generator.mapping()
    let converted = original.converted(for: source, destination: destination)
    #expect(
      meaning(converted.complete(from: source, to: destination))
        == meaning(original.complete(from: source, to: destination)), "seed \(seed)")
    #expect(converted.converted(for: source, destination: destination) == converted, "seed \(seed)")
  }

  @Test func `a converted mapping model mentions no more than the original, and nothing redundant`() {
    for seed in 0..<100 { checkShortness(seed) }
  }

  private func checkShortness(_ seed: Int) {
    var generator = CollidingMappingGenerator(seed: UInt64(seed) + 100_000)
    let (source, destination) = (generator.model(), generator.model())
    var listed = generator.mapping()
    // A mapping that lists everything, like a compiled file.
    let complete = listed.complete(from: source, to: destination)
    listed.entityMappings = complete.entityMappings.map { mapping in
      var entityMapping = mapping.description
      entityMapping.copying = nil
      entityMapping.propertyMappings = (mapping.attributeMappings + mapping.relationshipMappings).map {
        PropertyMappingDescription(
          $0.kind, name: $0.name, source: $0.valueExpression.map { .expression($0) } ?? .unmapped,
          userInfo: $0.userInfo)
      }
      return entityMapping
    }
    listed.copying = .listed
    listed.unmentionedEntities = .dropped
    let converted = listed.converted(for: source, destination: destination)
    let removals = converted.entityMappings.count - listed.entityMappings.count
    // A removal has no properties: it is one line.
    let meant = meaning(listed.complete(from: source, to: destination))
    func meaningOfOthers(_ mapping: MappingModel) -> [String] {
      Array(meaning(mapping.complete(from: source, to: destination)).dropLast(removals))
    }
    #expect(meaningOfOthers(converted) == meant, "seed \(seed)")
    for (index, mapping) in converted.entityMappings.dropLast(removals).enumerated() {
      #expect(mapping.propertyMappings.count <= listed.entityMappings[index].propertyMappings.count)
      for place in mapping.propertyMappings.indices {
        var shorter = converted
        shorter.entityMappings[index].propertyMappings.remove(at: place)
        #expect(meaningOfOthers(shorter) != meant, "seed \(seed)")
      }
    }
  }

  private let old = ManagedObjectModel(
    name: "Music 1",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "seconds", type: .integer32),
        ],
        relationships: [RelationshipDescription(name: "album", destinationEntityName: "Album", maxCount: 1)]),
      EntityDescription(name: "Album", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])
  private let new = ManagedObjectModel(
    name: "Music 2",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "name", type: .string, renamingIdentifier: "title"),
          AttributeDescription(name: "seconds", type: .integer64),
        ],
        relationships: [
          RelationshipDescription(name: "album", destinationEntityName: "Album", maxCount: 1),
          RelationshipDescription(name: "original", destinationEntityName: "Album", maxCount: 1),
        ]),
      EntityDescription(name: "Album", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])

  @Test func `implicit copies are not mentioned, and standard forms become short ones`() throws {
    let mapping = MappingModel(
      copying: .listed,
      entityMappings: [
        EntityMappingDescription(
          name: "TrackToTrack", type: .transform, source: "Track", destination: "Track",
          sourceExpression: .fetch(ofSourceEntity: "Track", where: nil),
          properties: [
            .attribute("name", .source(key: "title")), PropertyMappingDescription(.attribute, name: "seconds"),
            .relationship(
              "album", .destinationInstances(ofEntityMapping: "AlbumToAlbum", for: .source(key: "album"))),
            .relationship(
              "original", .destinationInstances(ofEntityMapping: "Other", for: .source(key: "album"))),
            .attribute("unknown", .source(key: "title")),
          ]),
        EntityMappingDescription(
          source: "Album", destination: "Album", properties: [PropertyMappingDescription(.attribute, name: "name")]),
      ])
    #expect(
      mapping.converted(for: old, destination: new)
        == MappingModel(
          source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
          entityMappings: [
            EntityMappingDescription(
              source: "Track", destination: "Track",
              properties: [
                .relationship("original", from: .source(key: "album"), through: "Other"),
                .attribute("unknown", .source(key: "title")),
              ]),
            EntityMappingDescription(source: "Album", destination: "Album"),
          ]))
  }

  @Test func `a property that must not follow a renaming identifier is copied by name`() {
    let mapping = MappingModel(
      copying: .listed, unmentionedEntities: .dropped,
      entityMappings: [
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [
            PropertyMappingDescription(.attribute, name: "name"),
            PropertyMappingDescription(.attribute, name: "seconds"),
          ])
      ])
    #expect(
      mapping.converted(for: old, destination: new)
        == MappingModel(
          source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"), copying: .sameName,
          entityMappings: [
            EntityMappingDescription(source: "Track", destination: "Track", drops: [DroppedProperty("title")]),
            EntityMappingDescription(type: .remove, source: "Album"),
          ]))
  }

  @Test func `a policy that does everything leaves nothing to mention`() {
    let mapping = MappingModel(
      copying: .listed,
      entityMappings: [
        EntityMappingDescription(source: "Track", destination: "Track", policy: "TrackPolicy"),
        EntityMappingDescription(
          source: "Album", destination: "Album", properties: [PropertyMappingDescription(.attribute, name: "name")]),
        EntityMappingDescription(
          name: "Again", source: "Album", destination: "Album",
          properties: [PropertyMappingDescription(.attribute, name: "name")]),
      ])
    #expect(
      mapping.converted(for: old, destination: new).entityMappings.map(\.copying) == [.listed, nil, nil])
  }
}
