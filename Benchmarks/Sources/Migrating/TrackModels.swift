import Heavylift

/// Two versions of a model of tracks, with artists, albums and playlists.
enum TrackModels {
  static let old = ManagedObjectModel(
    name: "Tracks 1", entities: [artist, album, playlist, oldTrack])

  static let new = ManagedObjectModel(
    name: "Tracks 2", entities: [artist, album, playlist, newTrack, artwork])

  static func version(_ number: Int) -> ManagedObjectModel {
    switch number {
    case 1: old
    case 2: new
    default: later(number)
    }
  }

  /// Returns a version after the second. Every other one has the same tables as the second; in the rest,
  /// `stars` is named `grade`.
  static func later(_ version: Int) -> ManagedObjectModel {
    var track = newTrack
    track.versionHashModifier = "\(version)"
    for index in track.attributes.indices where track.attributes[index].name == "stars" {
      track.attributes[index].name = stars(version)
    }
    return ManagedObjectModel(name: "Tracks \(version)", entities: [artist, album, playlist, track, artwork])
  }

  static func stars(_ version: Int) -> String { version.isMultiple(of: 2) ? "stars" : "grade" }

  private static let artist = EntityDescription(
    name: "Artist",
    attributes: [
      .init(name: "born", type: .date), .init(name: "name", type: .string, isOptional: false),
      .init(name: "country", type: .string), .init(name: "sortName", type: .string),
    ],
    relationships: [toMany("albums", "Album", "artist"), toMany("tracks", "Track", "artist")])

  private static let album = EntityDescription(
    name: "Album",
    attributes: [
      .init(name: "year", type: .integer16), .init(name: "released", type: .date),
      .init(name: "title", type: .string, isOptional: false), .init(name: "notes", type: .string),
    ],
    relationships: [toOne("artist", "Artist", "albums", isOptional: false), toMany("tracks", "Track", "album")])

  private static let playlist = EntityDescription(
    name: "Playlist",
    attributes: [.init(name: "created", type: .date), .init(name: "name", type: .string, isOptional: false)],
    relationships: [
      toMany("tracks", "Track", "playlists"), toOne("coverTrack", "Track", "coveredPlaylists"),
    ])

  private static let oldTrack = EntityDescription(
    name: "Track",
    attributes: commonAttributes + [
      .init(name: "artData", type: .binaryData), .init(name: "artMIME", type: .string),
      .init(name: "comment", type: .string), .init(name: "duration", type: .double),
      .init(name: "legacyID", type: .integer64), .init(name: "rating", type: .integer16),
      .init(name: "trackNumber", type: .integer16),
    ], relationships: commonRelationships)

  private static let newTrack = EntityDescription(
    name: "Track",
    attributes: commonAttributes + [
      .init(
        name: "durationMS", type: .integer32, isOptional: false,
        validation: AttributeValidation(minimum: .integer(0))),
      .init(name: "mediaType", type: .integer16, isOptional: false, defaultValue: .integer(1)),
      .init(name: "number", type: .integer16, isOptional: false),
      .init(name: "sortTitle", type: .string, isOptional: false), .init(name: "stars", type: .integer16),
      .init(name: "tier", type: .string, isOptional: false),
    ], relationships: commonRelationships + [toOne("artwork", "Artwork", "track")])

  private static let artwork = EntityDescription(
    name: "Artwork",
    attributes: [
      .init(name: "data", type: .binaryData, isOptional: false), .init(name: "mime", type: .string, isOptional: false),
    ], relationships: [toOne("track", "Track", "artwork", isOptional: false)])

  private static let commonAttributes: [AttributeDescription] = [
    .init(name: "composer", type: .string), .init(name: "dateAdded", type: .date, isOptional: false),
    .init(name: "explicit", type: .boolean), .init(name: "lastPlayed", type: .date),
    .init(name: "playCount", type: .integer32), .init(name: "title", type: .string, isOptional: false),
  ]

  private static let commonRelationships = [
    toOne("album", "Album", "tracks"), toOne("artist", "Artist", "tracks"),
    toMany("playlists", "Playlist", "tracks"), toMany("coveredPlaylists", "Playlist", "coverTrack"),
  ]

  private static func toOne(
    _ name: String, _ entity: String, _ inverse: String, isOptional: Bool = true
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity,
      isOptional: isOptional, maxCount: 1)
  }

  private static func toMany(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity)
  }
}
