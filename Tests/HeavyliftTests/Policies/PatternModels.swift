import Heavylift

/// Models for testing policies: tracks on ordered albums, whose artists are only objects in the new version.
enum PatternModels {
  static let old = ManagedObjectModel(
    name: "Music 1",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toMany("tracks", "Track", "album", isOrdered: true)]),
      EntityDescription(
        name: "Setting", attributes: [Models.attribute("key", .string), Models.attribute("value", .string)]),
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string), Models.attribute("artistName", .string),
          Models.attribute("rating", .integer16),
        ],
        relationships: [Models.toOne("album", "Album", "tracks")]),
    ])

  static let new = ManagedObjectModel(
    name: "Music 2",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("title", .string), Models.attribute("summary", .string)],
        relationships: [
          Models.toMany("tracks", "Track", "album", isOrdered: true),
          Models.toMany("notes", "Note", "album", isOrdered: true),
        ]),
      EntityDescription(
        name: "Artist", attributes: [Models.attribute("name", .string), Models.attribute("trackCount", .integer32)],
        relationships: [Models.toMany("tracks", "Track", "artist")]),
      EntityDescription(
        name: "Note", attributes: [Models.attribute("text", .string)],
        relationships: [Models.toOne("album", "Album", "notes"), Models.toOne("track", "Track", "notes")]),
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string), Models.attribute("number", .integer32),
          Models.attribute("rating", .integer16), Models.attribute("chain", .string),
        ],
        relationships: [
          Models.toOne("album", "Album", "tracks"), Models.toOne("artist", "Artist", "tracks"),
          Models.toMany("notes", "Note", "track"),
        ]),
    ])

  /// Two albums with five tracks by three artists.
  static func fill(_ context: ManagedObjectContext) throws {
    let (blue, red) = (try context.insert("Album"), try context.insert("Album"))
    blue["title"] = "Blue"
    red["title"] = "Red"
    let names = ["Nina", "Ella", "Nina", "Cole", "Ella"]
    var tracks: [ManagedObject] = []
    for (index, name) in names.enumerated() {
      let track = try context.insert("Track")
      track["title"] = .string("T\(index + 1)")
      track["artistName"] = .string(name)
      track["rating"] = .integer(Int64(index + 1))
      tracks.append(track)
    }
    try blue.setObjects([tracks[2], tracks[0], tracks[1]], forKey: "tracks")
    try red.setObjects([tracks[4], tracks[3]], forKey: "tracks")
  }

  /// A migration with a policy for tracks.
  static func test(_ policies: EntityMigrationPolicy.Type...) throws -> MigrationTest {
    var registry = PolicyRegistry()
    for policy in policies { registry.register(policy) }
    return try MigrationTest(from: old, to: new, policies: registry, fill: fill)
  }

  static let albums = EntityMappingDescription(source: "Album", destination: "Album")
  static let plainTracks = EntityMappingDescription(
    source: "Track", destination: "Track", drops: [DroppedProperty("artistName")])
  static let removeSettings = EntityMappingDescription(type: .remove, source: "Setting")

  static func tracks(_ policy: String, _ properties: PropertyMappingDescription...) -> EntityMappingDescription {
    EntityMappingDescription(source: "Track", destination: "Track", policy: policy, properties: properties)
  }
}
