import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Attribute expressions that read relationships of destination objects, which are set in the second pass.
@Suite struct NewObjectReadingTests {
  private static func model(_ name: String) -> ManagedObjectModel {
    ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(
          name: "Album",
          relationships: [Models.toMany("tracks", "Track", "album")]),
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string), Models.attribute("linked", .integer32)],
          relationships: [Models.toOne("album", "Album", "tracks")]),
      ])
  }

  @Test(arguments: [false, true]) func `links are not set while rows are created`(forcesObjects: Bool) throws {
    let test = try MigrationTest(from: Self.model("1"), to: Self.model("2")) { context in
      let album = try context.insert("Album")
      for title in ["a", "b"] {
        let track = try context.insert("Track")
        track["title"] = .string(title)
        track[toOne: "album"] = album
      }
    }
    let albums =
      #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Albums", $source.album)"#
    let linked = "SUBQUERY(\(albums), $album, $album.tracks.@count > 0).@count"
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.migrate(
      MappingModel(entityMappings: [
        EntityMappingDescription(name: "Albums", source: "Album", destination: "Album"),
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [.attribute("linked", try MappingExpression(parsing: linked))]),
      ]), options: options)
    let new = ManagedObjectContext(store: try test.bothStores().1)
    let migrated = try new.fetch(FetchRequest(entityName: "Track"))
    #expect(migrated.map { $0["linked"].integer } == [0, 0])
    #expect(migrated.map { $0[toOne: "album"] != nil } == [true, true])
  }
}
