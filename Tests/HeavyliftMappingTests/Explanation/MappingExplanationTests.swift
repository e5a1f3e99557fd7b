import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// A mapping explained in full.
@Suite struct MappingExplanationTests {
  let old = ManagedObjectModel(
    name: "Music 1",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "gone", type: .string), AttributeDescription(name: "left", type: .string),
          AttributeDescription(name: "rank", type: .string), AttributeDescription(name: "seconds", type: .integer32),
          AttributeDescription(name: "title", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "artists", destinationEntityName: "Artist", inverseName: "tracks", inverseEntityName: "Artist")
        ]),
      EntityDescription(
        name: "Artist",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "artists", inverseEntityName: "Track")
        ]), EntityDescription(name: "Cache"),
    ])
  let new = ManagedObjectModel(
    name: "Music 2",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "added", type: .date),
          AttributeDescription(name: "left", type: .string),
          AttributeDescription(name: "milliseconds", type: .integer64),
          AttributeDescription(name: "name", type: .string, renamingIdentifier: "title"),
          AttributeDescription(name: "plays", type: .integer64, defaultValue: .integer(7)),
          AttributeDescription(name: "rank", type: .integer16, defaultValue: .integer(0)),
        ],
        relationships: [
          RelationshipDescription(
            name: "artists", destinationEntityName: "Artist", inverseName: "tracks", inverseEntityName: "Artist")
        ]),
      EntityDescription(
        name: "Artist",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "artists", inverseEntityName: "Track")
        ]), EntityDescription(name: "Cover"),
    ])

  private func mapping() throws -> MappingModel {
    MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Track", destination: "Track", filter: try MappingPredicate(parsing: "title != nil"),
        properties: [
          PropertyMappingDescription(
            .attribute, name: "milliseconds",
            source: .expression(try MappingExpression(parsing: "$source.seconds * 1000")),
            markup: MappingMarkup(location: DiagnosticLocation(file: "1-2.xml", line: 4, column: 5))),
          PropertyMappingDescription(.attribute, name: "left", source: .unmapped),
        ], markup: MappingMarkup(location: DiagnosticLocation(file: "1-2.xml", line: 3, column: 3))),
      EntityMappingDescription(source: "Artist", destination: "Artist", policy: "ArtistPolicy"),
    ])
  }

  @Test func `each property shows its value and the reason`() throws {
    let explanation = try mapping().complete(from: old, to: new).explanation()
    #expect(
      explanation.text(width: 100) == """
        Music 1 → Music 2

        TrackToTrack (transform): Track → Track  1-2.xml:3:3
          where title != nil
          added        ← nil                                empty      not in the source
          left         ← nil                                dropped    copy="no"
          milliseconds ← $source.seconds * 1000             computed   4:5
          name         ← $source.title                      copied     renaming identifier, was 'title'
          plays        ← 7                                  defaulted  not in the source
          rank         ← 0                                  dropped    'rank' has a different type in the
                                                                       source
          artists      ← $source.artists through            rebuilt    by name
                         'ArtistToArtist'
          nothing reads: gone

        ArtistToArtist (custom): Artist → Artist
          policy ArtistPolicy
          tracks ← $source.tracks through 'TrackToTrack'  rebuilt    by name

        unmapped source entities: Cache

        unfilled destination entities: Cover

        """)
  }

  @Test func `an explanation is a plain value`() throws {
    let explanation = try mapping().complete(from: old, to: new).explanation()
    #expect(explanation.droppedEntities == ["Cache"])
    #expect(explanation.unfilledEntities == ["Cover"])
    #expect(explanation.entityMappings.map(\.unreadProperties) == [["gone"], []])
    #expect(
      explanation.entityMappings[0].properties.map(\.treatment) == [
        .empty, .dropped, .computed, .copied, .defaulted, .dropped, .rebuilt,
      ])
  }

  @Test(arguments: [40, 60, 80, 120]) func `lines stay within their width unless a word is longer`(width: Int)
    throws
  {
    let text = try mapping().complete(from: old, to: new).explanation().text(width: width)
    let longest = text.split(separator: "\n").map(\.count).max() ?? 0
    // Headings are never broken.
    #expect(longest <= max(width, 52))
  }

  @Test func `terminal control characters are shown as text`() {
    let mapping = MappingModel(entityMappings: [EntityMappingDescription(name: "a\u{1B}[2Jb", source: "Track")])
    let text = mapping.complete(from: old, to: new).explanation().description
    #expect(text.contains(#"a\u{1b}[2Jb (remove): Track → -"#))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `a derived attribute is shown with what the store computes`() {
    let derived = AttributeDescription(name: "size", type: .integer64, derivationExpression: "tracks.@count")
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Album", attributes: [derived]), EntityDescription(name: "Track"),
    ])
    let text = MappingModel(entityMappings: [EntityMappingDescription(source: "Album", destination: "Album")])
      .complete(from: model, to: model).explanation().description
    #expect(text.contains("  size ← tracks.@count  derived    the store computes it\n"), "\(text)")
  }
}
