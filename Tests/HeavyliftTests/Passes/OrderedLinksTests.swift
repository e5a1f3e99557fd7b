import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Statements write ordered relationships in the order that objects would have.
@Suite struct OrderedLinksTests {
  private static func model(albums: Bool, playlists: Bool, tracks: Bool) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Music",
      entities: [
        EntityDescription(name: "Album", relationships: [Models.toMany("tracks", "Track", "album", isOrdered: albums)]),
        EntityDescription(
          name: "Playlist", relationships: [Models.toMany("tracks", "Track", "playlists", isOrdered: playlists)]),
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string)],
          relationships: [
            Models.toOne("album", "Album", "tracks"),
            Models.toMany("playlists", "Playlist", "tracks", isOrdered: tracks),
          ]),
      ])
  }

  private static func fill(_ context: ManagedObjectContext) throws {
    let albums = try (0..<2).map { _ in try context.insert("Album") }
    let playlists = try (0..<3).map { _ in try context.insert("Playlist") }
    let tracks = try (0..<5).map { _ in try context.insert("Track") }
    try albums[0].setObjects([tracks[3], tracks[1], tracks[4]], forKey: "tracks")
    try albums[1].setObjects([tracks[2], tracks[0]], forKey: "tracks")
    try playlists[0].setObjects([tracks[4], tracks[0], tracks[2]], forKey: "tracks")
    try playlists[1].setObjects([tracks[1], tracks[0]], forKey: "tracks")
    try tracks[0].setObjects([playlists[2], playlists[1], playlists[0]], forKey: "playlists")
  }

  private static func mapping(_ relationships: [String: [PropertyMappingDescription]]) -> MappingModel {
    MappingModel(
      copying: .listed,
      entityMappings: ["Album", "Playlist", "Track"].map {
        EntityMappingDescription(source: $0, destination: $0, properties: relationships[$0] ?? [])
      })
  }

  private static func lines(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ mapping: MappingModel, forcesObjects: Bool,
    changing sql: [String]
  ) throws -> [String] {
    let test = try MigrationTest(from: old, to: new, fill: fill)
    let database = try Database(path: test.source.path, mode: .readWrite)
    for sql in sql { try database.run(sql) }
    try database.close()
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let plan = try test.manager.plan(from: test.source, with: [mapping], options: options)
    #expect(plan.steps.allSatisfy { $0.relationships != (forcesObjects ? .sql : .objects) })
    try test.migrate(mapping, options: options)
    return try test.lines("Album", "tracks") + test.lines("Playlist", "tracks") + test.lines("Track", "playlists")
  }

  private static let bothEnds: [String: [PropertyMappingDescription]] = [
    "Album": [.relationship("tracks", through: "TrackToTrack")],
    "Playlist": [.relationship("tracks", through: "TrackToTrack")],
    "Track": [
      .relationship("album", through: "AlbumToAlbum"), .relationship("playlists", through: "PlaylistToPlaylist"),
    ],
  ]

  /// Order keys that are far apart, negative, equal, or missing.
  private static let odd = [
    "UPDATE ZTRACK SET Z_FOK_ALBUM = Z_FOK_ALBUM * 1000000007 - 5000000000000",
    "UPDATE ZTRACK SET Z_FOK_ALBUM = 7 WHERE Z_PK IN (1, 3)",
    "UPDATE ZTRACK SET Z_FOK_ALBUM = NULL WHERE Z_PK = 5",
  ]

  /// The first three bits say which of the old relationships are ordered, the others which of the new ones.
  @Test(arguments: [0b000000, 0b000111, 0b111000, 0b111111, 0b001010, 0b110001, 0b010101, 0b101110])
  func `the order is the source's, or else that of the keys`(variant: Int) throws {
    func isSet(_ bit: Int) -> Bool { variant >> bit & 1 == 1 }
    let old = Self.model(albums: isSet(0), playlists: isSet(1), tracks: isSet(2))
    let new = Self.model(albums: isSet(3), playlists: isSet(4), tracks: isSet(5))
    let mapping = Self.mapping(Self.bothEnds)
    let changes = isSet(0) ? Self.odd : []
    let lines = try [false, true].map {
      try Self.lines(old, new, mapping, forcesObjects: $0, changing: changes)
    }
    #expect(lines[0] == lines[1])
    guard isSet(0), isSet(3) else { return }
    #expect(
      lines[0].prefix(2) == ["Album/p1 tracks=[Track/p5 Track/p4 Track/p2]", "Album/p2 tracks=[Track/p1 Track/p3]"])
  }

  @Test(arguments: [("Album", "tracks"), ("Playlist", "tracks"), ("Track", "playlists")])
  func `a list that is filled from its objects alone is in the order of their keys`(
    entity: String, relationship: String
  ) throws {
    let model = Self.model(albums: true, playlists: true, tracks: true)
    var relationships = Self.bothEnds
    relationships[entity]?.removeAll { $0.name == relationship }
    let mapping = Self.mapping(relationships)
    let lines = try [false, true].map {
      try Self.lines(model, model, mapping, forcesObjects: $0, changing: [])
    }
    #expect(lines[0] == lines[1])
    if entity == "Album" { #expect(lines[0][0] == "Album/p1 tracks=[Track/p2 Track/p4 Track/p5]") }
  }

  @Test(arguments: [false, true])
  func `a relationship without an inverse gets one`(isOrdered: Bool) throws {
    func model(_ name: String?) -> ManagedObjectModel {
      ManagedObjectModel(
        name: "Music",
        entities: [
          EntityDescription(
            name: "Album",
            relationships: name.map { [Models.toMany($0, "Track", "album", isOrdered: isOrdered)] } ?? []),
          EntityDescription(name: "Track", relationships: [Models.toOne("album", "Album", name)]),
        ])
    }
    let lines = try [false, true].map { forcesObjects in
      let test = try MigrationTest(from: model(nil), to: model("tracks")) { context in
        let albums = try (0..<2).map { _ in try context.insert("Album") }
        for place in [1, 0, 1, 1] { try context.insert("Track").setObject(albums[place], forKey: "album") }
      }
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      let mapping = try MappingModel.inferred(from: model(nil), to: model("tracks"))
      let plan = try test.manager.plan(from: test.source, with: [mapping], options: options)
      #expect(plan.steps.last?.relationships == (forcesObjects ? .objects : .sql))
      try test.migrate(mapping, options: options)
      return try test.lines("Album", "tracks")
    }
    #expect(lines[0] == ["Album/p1 tracks=[Track/p2]", "Album/p2 tracks=[Track/p1 Track/p3 Track/p4]"])
    #expect(lines[0] == lines[1])
  }
}
