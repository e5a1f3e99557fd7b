import Foundation
import Heavylift
import HeavyliftVerification
import Testing

/// Mapping models that run one after another into the same store.
@Suite struct SeveralMappingModelsTests {
  private static let track = PatternModels.plainTracks

  private static let connected = [
    "Album/p1 tracks=[Track/p1 Track/p2 Track/p3]", "Album/p2 tracks=[Track/p4 Track/p5]",
    "Track/p1 title=T1 album=Album/p1", "Track/p2 title=T2 album=Album/p1", "Track/p3 title=T3 album=Album/p1",
    "Track/p4 title=T4 album=Album/p2", "Track/p5 title=T5 album=Album/p2",
  ]

  private static func outcome(_ mappings: [MappingModel], forcesObjects: Bool = false) throws -> [String] {
    let test = try PatternModels.test()
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.manager.migrateStore(from: test.source, to: test.destination, with: mappings, options: options)
    let (old, new) = try test.bothStores()
    let report = try StoreVerifier(source: old, destination: new, mappings: mappings).verify()
    #expect(report.isClean, "\(report.examples)")
    return try test.lines("Album", "tracks") + test.lines("Track", "title", "album")
  }

  @Test(arguments: [false, true])
  func `relationships that a later one does not mention lead to objects of earlier ones`(forcesObjects: Bool) throws {
    let mappings = [[PatternModels.albums], [Self.track, PatternModels.removeSettings]].map {
      MappingModel(entityMappings: $0)
    }
    #expect(try Self.outcome(mappings, forcesObjects: forcesObjects) == Self.connected)
  }

  @Test(arguments: [false, true])
  func `a later one can name entity mappings of earlier ones`(forcesObjects: Bool) throws {
    for property in [
      PropertyMappingDescription.relationship("album", through: "AlbumToAlbum"),
      .relationship(
        "album",
        try MappingExpression(
          parsing: """
            FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AlbumToAlbum", \
            $source.album)
            """)),
    ] {
      var track = Self.track
      track.propertyMappings = [property]
      let mappings = [[PatternModels.albums], [track, PatternModels.removeSettings]].map {
        MappingModel(entityMappings: $0)
      }
      #expect(try Self.outcome(mappings, forcesObjects: forcesObjects) == Self.connected)
    }
  }

  @Test(arguments: [false, true])
  func `a link leads to the object that one of several earlier entity mappings made`(forcesObjects: Bool) throws {
    let halves = try ["rating > 3", "rating <= 3"].map { filter in
      MappingModel(entityMappings: [
        EntityMappingDescription(
          name: filter, source: "Track", destination: "Track", filter: try MappingPredicate(parsing: filter),
          drops: PatternModels.plainTracks.droppedProperties)
      ])
    }
    let mappings = halves + [MappingModel(entityMappings: [PatternModels.albums, PatternModels.removeSettings])]
    #expect(
      try Self.outcome(mappings, forcesObjects: forcesObjects) == [
        "Album/p1 tracks=[Track/p8 Track/p6 Track/p7]", "Album/p2 tracks=[Track/p5 Track/p4]",
        "Track/p4 title=T4 album=Album/p2", "Track/p5 title=T5 album=Album/p2", "Track/p6 title=T1 album=Album/p1",
        "Track/p7 title=T2 album=Album/p1", "Track/p8 title=T3 album=Album/p1",
      ])
  }

  @Test func `a missing entity mapping is reported with the earlier ones' names`() throws {
    var track = Self.track
    track.propertyMappings = [.relationship("album", through: "AlbumToAlbun")]
    let mappings = [[PatternModels.albums], [track, PatternModels.removeSettings]].map {
      MappingModel(entityMappings: $0)
    }
    do {
      _ = try Self.outcome(mappings)
      Issue.record("nothing was thrown")
    } catch let error as DiagnosticList {
      #expect(
        error.diagnostics.map(\.description) == [
          """
          error[mapping.unknown-entity-mapping]: relationship 'album' of entity mapping 'TrackToTrack' refers to unknown entity \
          mapping 'AlbumToAlbun'
            did you mean 'AlbumToAlbum'?
          """
        ])
    }
  }

  @Test func `entities that an earlier one takes or makes are not reported as missing`() throws {
    let completes = [[PatternModels.albums], [Self.track, PatternModels.removeSettings]].map {
      MappingModel(entityMappings: $0)
    }
    .complete(from: PatternModels.old, to: PatternModels.new)
    let codes = completes.map { $0.check().filter { $0.severity != .note }.map(\.problem) }
    #expect(
      codes == [
        [],
        [
          "no entity mapping creates objects of destination entity 'Artist'",
          "no entity mapping creates objects of destination entity 'Note'",
        ],
      ])
  }
}
