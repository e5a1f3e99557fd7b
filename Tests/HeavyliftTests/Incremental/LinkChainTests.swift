import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Links that go through several hops.
@Suite struct LinkChainTests {
  /// Versions of songs with tags; live recordings are songs, too, and genres become tags.
  private static let tagged: [ManagedObjectModel] = (0..<4).map { version in
    var song = EntityDescription(
      name: "Song", attributes: [Models.attribute("number", .integer64)],
      relationships: [Models.toMany("tags", "Tag", "songs")])
    song.versionHashModifier = "\(version)"
    var live = EntityDescription(name: "Live")
    live.superentityName = "Song"
    return ManagedObjectModel(entities: [
      song, live, EntityDescription(name: "Genre", attributes: [Models.attribute("number", .integer64)]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("number", .integer64)],
        relationships: [Models.toMany("songs", "Song", "tags")]),
    ])
  }

  private static func fill(_ context: ManagedObjectContext, songs: [String]) throws {
    for number in 1...2 { try context.insert("Genre")["number"] = .integer(Int64(number)) }
    let tags = try (1...3).map { number in
      let tag = try context.insert("Tag")
      tag["number"] = .integer(Int64(number))
      return tag
    }
    for number in 1...8 {
      let song = try context.insert(songs[number % songs.count])
      song["number"] = .integer(Int64(number))
      for (index, tag) in tags.enumerated() where (number + index) % 3 > 0 { try song.add(tag, to: "tags") }
    }
  }

  /// An entity mapping that copies everything. The text is an entity's name and an optional filter.
  private static func whole(_ text: String) throws -> EntityMappingDescription {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    return EntityMappingDescription(
      source: parts[0], destination: parts[0],
      filter: try parts.dropFirst().first.map { try MappingPredicate(parsing: $0) })
  }

  @Test(
    arguments: [
      ["Song", "Live", "Tag"], ["Song", "Tag"], ["Live", "Tag"], ["Song number > 2", "Live", "Tag"],
      ["Song", "Live", "Tag number < 3"], ["Song", "Live number != 4", "Tag"],
    ], [0, 1, 2])
  func `links of a hop lead to the migrated objects, whatever the other hops drop`(entities: [String], hop: Int) throws
  {
    for songs in [["Song"], ["Song", "Live"]] {
      let all = try ["Song", "Live", "Tag"].map(Self.whole)
      let some = try entities.map(Self.whole)
      try check(.chain(Self.tagged, (0..<3).map { $0 == hop ? some : all }) { try Self.fill($0, songs: songs) })
    }
  }

  @Test(arguments: [0, 1, 2]) func `links follow keys that a hop shifts`(hop: Int) throws {
    let all = try ["Song", "Live", "Tag", "Genre"].map(Self.whole)
    let genres = EntityMappingDescription(
      source: "Genre", destination: "Tag",
      properties: [PropertyMappingDescription(.relationship, name: "songs", source: .unmapped)])
    let shifting = [genres] + all.dropLast()
    let both = try check(
      .chain(Self.tagged, (0..<3).map { $0 == hop ? shifting : all }) { try Self.fill($0, songs: ["Song"]) })
    #expect(both.separate.mappings[hop].first { $0.name == "TagToTag" }?.keyOffset == 2)
    let links = (1...8).flatMap { song in
      (0..<3).filter { (song + $0) % 3 > 0 }.map { "integer(\(song)) | integer(\(1 + $0 + 2))" }
    }
    #expect(both.combined.rows.first { $0.key.hasSuffix("TAGS") }?.value == links)
  }

  @discardableResult
  private func check(_ chain: MigrationCase) throws -> HopChain {
    let both = try HopChain(chain)
    #expect(both.disagreement == nil)
    #expect(both.separate.error == nil)
    return both
  }

  @Test func `a to-one becomes a to-many with one object or none`() throws {
    func model(_ version: Int, _ songs: RelationshipDescription, _ albums: RelationshipDescription)
      -> ManagedObjectModel
    {
      var song = EntityDescription(
        name: "Song", attributes: [Models.attribute("number", .integer64)], relationships: [albums])
      song.versionHashModifier = "\(version)"
      return ManagedObjectModel(entities: [song, EntityDescription(name: "Album", relationships: [songs])])
    }
    let one = (0...1).map {
      model($0, Models.toMany("songs", "Song", "album"), Models.toOne("album", "Album", "songs"))
    }
    let many = (2...3).map {
      model($0, Models.toMany("songs", "Song", "albums"), Models.toMany("albums", "Album", "songs"))
    }
    let all = try ["Song", "Album"].map(Self.whole)
    let widening = [
      EntityMappingDescription(
        source: "Song", destination: "Song",
        properties: [
          .relationship("albums", from: try MappingExpression(parsing: "$source.album"), through: "AlbumToAlbum")
        ]),
      EntityMappingDescription(
        source: "Album", destination: "Album",
        properties: [
          .relationship("songs", from: try MappingExpression(parsing: "$source.songs"), through: "SongToSong")
        ]
      ),
    ]
    let both = try check(
      .chain(one + many, [all, widening, all]) { context in
        let album = try context.insert("Album")
        for number in 1...4 {
          let song = try context.insert("Song")
          if number % 2 == 0 { try song.setObject(album, forKey: "album") }
        }
      })
    #expect(both.combined.rows.filter { $0.key.hasPrefix("Z_") && $0.key.hasSuffix("S") }.map(\.value.count) == [2])
  }
}
