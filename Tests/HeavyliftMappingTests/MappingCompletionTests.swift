import HeavyliftExpression
import HeavyliftModel
import Testing

@testable import HeavyliftMapping

/// The defaults that complete a mapping model.
@Suite struct MappingCompletionTests {
  let old = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Track",
      attributes: [
        AttributeDescription(name: "seconds", type: .integer32), AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "rank", type: .string),
      ],
      relationships: [
        RelationshipDescription(
          name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album", maxCount: 1)
      ]),
    EntityDescription(
      name: "Album",
      relationships: [
        RelationshipDescription(
          name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
      ]),
  ])
  let new = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Song",
      attributes: [
        AttributeDescription(name: "seconds", type: .integer64),
        AttributeDescription(name: "name", type: .string, renamingIdentifier: "title"),
        AttributeDescription(name: "rank", type: .integer16), AttributeDescription(name: "added", type: .date),
      ],
      relationships: [
        RelationshipDescription(
          name: "record", destinationEntityName: "Record", inverseName: "songs", inverseEntityName: "Record",
          maxCount: 1, renamingIdentifier: "album")
      ]),
    EntityDescription(
      name: "Record",
      relationships: [
        RelationshipDescription(
          name: "songs", destinationEntityName: "Song", inverseName: "record", inverseEntityName: "Song",
          renamingIdentifier: "tracks")
      ]),
  ])
  let song = EntityMappingDescription(source: "Track", destination: "Song")
  let record = EntityMappingDescription(source: "Album", destination: "Record")

  /// Returns a line for each property of a mapping with its value and the reason.
  private func lines(_ mapping: CompleteEntityMapping?) -> [String] {
    guard let mapping else { return [] }
    return (mapping.attributeMappings + mapping.relationshipMappings).map {
      "\($0.name) = \($0.valueExpression?.description ?? "-") \($0.origin)"
    }
  }

  @Test func `everything that fits is copied and the rest is skipped`() {
    let complete = MappingModel(entityMappings: [song, record]).complete(from: old, to: new)
    #expect(
      lines(complete.entityMapping(named: "TrackToSong")) == [
        "added = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
        #"name = $source.title copied(from: "title")"#,
        #"rank = - unmapped(HeavyliftMapping.UnmappedReason.incompatible(from: "rank"))"#,
        #"seconds = $source.seconds copied(from: "seconds")"#,
        #"record = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AlbumToRecord", $source.album) rebuilt(from: "album", through: ["AlbumToRecord"])"#,
      ])
  }

  @Test func `a property that was renamed keeps its values if one of another kind has its name now`() {
    var new = new
    let place = new.entities.firstIndex { $0.name == "Song" } ?? 0
    new.entities[place].attributes.append(AttributeDescription(name: "album", type: .string))
    new.entities[place].relationships.append(
      RelationshipDescription(name: "title", destinationEntityName: "Record", maxCount: 1))
    let complete = MappingModel(entityMappings: [song, record]).complete(from: old, to: new)
    let renamed = lines(complete.entityMapping(named: "TrackToSong")).filter {
      $0.contains("name = ") || $0.contains("title = ") || $0.contains("album = ") || $0.contains("record = ")
    }
    #expect(
      renamed == [
        "album = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
        #"name = $source.title copied(from: "title")"#,
        #"record = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AlbumToRecord", $source.album) rebuilt(from: "album", through: ["AlbumToRecord"])"#,
        "title = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
      ])
  }

  @Test func `copying by name ignores renaming identifiers and types`() {
    let complete = MappingModel(copying: .sameName, entityMappings: [song, record]).complete(from: old, to: new)
    #expect(
      lines(complete.entityMapping(named: "TrackToSong")) == [
        "added = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
        "name = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
        #"rank = $source.rank copied(from: "rank")"#,
        #"seconds = $source.seconds copied(from: "seconds")"#,
        "record = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
      ])
  }

  @Test func `the file takes precedence over all defaults`() throws {
    var song = song
    song.propertyMappings = [
      .attribute("rank", try MappingExpression(parsing: "7")),
      PropertyMappingDescription(.attribute, name: "name", source: .unmapped),
      .relationship("record", from: try MappingExpression(parsing: "$source.album"), through: "AlbumToRecord"),
    ]
    let complete = MappingModel(entityMappings: [song, record]).complete(from: old, to: new)
    #expect(
      lines(complete.entityMapping(named: "TrackToSong")) == [
        "added = - unmapped(HeavyliftMapping.UnmappedReason.notInSource)",
        "name = - unmapped(HeavyliftMapping.UnmappedReason.written)", "rank = 7 written",
        #"seconds = $source.seconds copied(from: "seconds")"#,
        #"record = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AlbumToRecord", $source.album) written"#,
      ])
  }

  @Test func `all fitting mappings are used`() throws {
    var long = song
    long.givenName = "Long"
    long.filter = try MappingPredicate(parsing: "seconds > 600")
    let complete = MappingModel(entityMappings: [long, song, record]).complete(from: old, to: new)
    #expect(
      lines(complete.entityMapping(named: "AlbumToRecord")) == [
        #"songs = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "tracks", $source.tracks) rebuilt(from: "tracks", through: ["Long", "TrackToSong"])"#
      ])
    #expect(
      complete.entityMapping(named: "Long")?.sourceExpression?.description
        == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "seconds > 600"), $manager.sourceContext, FALSE)"#
    )
  }

  @Test func `types follow from what a mapping does`() {
    var same = new
    same.entities.append(EntityDescription(name: "Cover"))
    let types = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Song", destination: "Song"), song,
      EntityMappingDescription(destination: "Cover"), EntityMappingDescription(source: "Record"),
      EntityMappingDescription(source: "Song", destination: "Song", policy: "Custom"), EntityMappingDescription(),
    ]).complete(from: new, to: same).entityMappings
    #expect(types.map(\.type) == [.copy, .transform, .add, .remove, .custom, .undefined])
    #expect(types.map(\.name) == ["SongToSong", "TrackToSong", "Cover", "RemoveRecord", "SongToSong", "Mapping"])
  }

  @Test func `a live mapping holds what a policy changes`() throws {
    let complete = MappingModel(entityMappings: [song, record]).complete(from: old, to: new)
    let mapping = EntityMapping(try #require(complete.entityMapping(named: "TrackToSong")))
    mapping.attributeMapping(named: "added")?.valueExpression = try MappingExpression(parsing: "now()")
    #expect(
      mapping.attributeMappings.map { $0.valueExpression?.description } == [
        "now()", "$source.title", nil, "$source.seconds",
      ])
  }
}
