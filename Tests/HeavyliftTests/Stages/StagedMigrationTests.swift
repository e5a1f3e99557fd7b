import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrations with stages, run to the end.
@Suite struct StagedMigrationTests {
  private func manager(
    _ stages: [MigrationStage], mappings: MappingSearch = MappingSearch([]), infers: Bool = false
  ) throws -> IncrementalMigrationManager {
    IncrementalMigrationManager(
      stages: try StagedMigrationManager(stages, versions: MusicStages.versions), mappings: mappings,
      infersMissingMappings: infers)
  }

  // MARK: Lightweight

  @Test func `lightweight stages run hop by hop, so that every default value is applied`() throws {
    for stages in [[MusicStages.light(1, 2, 3, 4)], [MusicStages.light(1, 2), MusicStages.light(3, 4)]] {
      let place = try MusicPlace()
      let report = try manager(stages).migrate(place.store)
      #expect(report.hops.map(\.title) == [1, 2, 3].map { "'Music \($0)' → 'Music \($0 + 1)'" })
      #expect(
        try place.contents() == [
          "Music 4", "Track/p1 plays=nil rating=3 title=A year=nil",
          "Track/p2 plays=nil rating=3 title=B year=nil cover",
          "Track/p3 plays=nil rating=3 title=C year=nil",
        ])
      #expect(try place.names() == [".Music_SUPPORT", "Music.sqlite"])
    }
  }

  @Test func `a lightweight stage that cannot be inferred is refused with the reason`() throws {
    var model = MusicStages.versions[1]
    model.entities[0].attributes.append(Models.attribute("artist", .string, isOptional: false))
    model.name = "Music 2b"
    let stages = [LightweightMigrationStage([MusicStages.checksum(1), model.versionChecksum], label: "Artists")]
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager(stages, versions: [MusicStages.versions[0], model]))
    let place = try MusicPlace()
    #expect(
      failure { try manager.plan(for: place.store) } == """
        error[stage.not-inferred]: lightweight stage 'Artists' cannot migrate 'Music 1' → 'Music 2b': attribute \
        'artist' of entity 'Track' is new and mandatory, and has no default value
          give it a default value, make it optional, or set its value in a mapping file; or use a custom stage with a \
        handler
        """)
  }

  // MARK: Plans

  @Test func `a plan says what defines each hop`() throws {
    let place = try MusicPlace()
    let counting = MusicStages.custom(1, 2, label: "Count", will: { _, _ in }, did: { _, _ in })
    counting.migrate("Track") { _, _ in }
    let stages = [counting, MusicStages.custom(2, 3, label: "Rate"), MusicStages.light(3, 4)]
    let mappings = MappingSearch([
      MappingCandidate(
        file: "2-3.xml",
        mappingModel: MappingModel(
          source: ModelReference(name: "Music 2"), destination: ModelReference(name: "Music 3"),
          entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")]))
    ])
    let plan = try manager(stages, mappings: mappings).plan(for: place.store)
    #expect(
      "\(plan)".split(separator: "\n").dropLast().joined(separator: "\n") == """
        store '\(place.store.resolvingLinks.path)' has version 'Music 1', according to its version hashes
          1. 'Music 1' → 'Music 2', by custom stage 'Count' (willMigrate, migrate 'Track', didMigrate)
             TrackToTrack: by SQL, 3 objects
          2. 'Music 2' → 'Music 3', by '2-3.xml', which replaces custom stage 'Rate'
             TrackToTrack: by SQL
          3. 'Music 3' → 'Music 4', by lightweight stage 3
             TrackToTrack: by SQL
        """)
  }

  @Test func `a stage takes precedence over inference, and inference fills gaps`() throws {
    let place = try MusicPlace()
    let plan = try manager([MusicStages.custom(2, 3)], infers: true).plan(for: place.store)
    #expect(
      plan.hops.map(\.reason) == [
        "inferred, because it has no mapping file", "by custom stage 1", "inferred, because it has no mapping file",
      ])
    #expect(
      failure { try manager([MusicStages.custom(2, 3)]).plan(for: place.store) } == """
        error[migration.no-path]: no mappings lead from 'Music 1' to 'Music 4':
          'Music 1' → nothing
          'Music 2' → 'Music 3' (custom stage 1)
          'Music 3' → nothing
          'Music 4' → nothing
          write a mapping file from 'Music 1' to 'Music 2', and on to 'Music 4', or add a stage, or ask for the missing \
        mappings to be inferred
        """)
  }

  @Test func `a handler that is set after the manager was made runs, too`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(1, 2)
    let manager = try manager([stage, MusicStages.light(2, 3, 4)])
    stage.migrate("Track") { _, new in new["plays"] = .integer(7) }
    try manager.migrate(place.store, to: MusicStages.versions[1])
    #expect(try place.contents()[1] == "Track/p1 plays=7 title=A")
  }

  // MARK: Handlers

  @Test func `handlers see the objects of their own version`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(1, 2, label: "Count") { manager, stage in
      #expect(stage.label == "Count")
      let container = try #require(manager.container)
      #expect(container.managedObjectModel.name == "Music 1")
      let context = container.newBackgroundContext()
      let tracks = try context.fetch(FetchRequest(entityName: "Track"))
      tracks[0]["title"] = "first"
      try context.delete(tracks[2])
      try context.insert("Track")["title"] = "new before"
      try context.save()
    } did: { manager, _ in
      let container = try #require(manager.container)
      #expect(container.managedObjectModel.name == "Music 2")
      let context = container.viewContext
      for track in try context.fetch(FetchRequest(entityName: "Track")) {
        track["plays"] = .integer((track["plays"].integer ?? 0) + 1)
      }
      try context.insert("Track")["title"] = "new after"
      try context.save()
    }
    stage.migrate("Track") { old, new in
      #expect(old["title"] == new["title"])
      new["plays"] = .integer(10 * (new["title"] == "first" ? 2 : 1))
    }
    let stages = try StagedMigrationManager([stage], versions: MusicStages.versions)
    let manager = IncrementalMigrationManager(stages: stages)
    let report = try manager.migrate(place.store, to: MusicStages.versions[1])
    #expect(stages.container == nil)
    #expect(
      try place.contents() == [
        "Music 2", "Track/p1 plays=21 title=first", "Track/p2 plays=11 title=B cover",
        "Track/p4 plays=11 title=new before", "Track/p5 plays=nil title=new after",
      ])
    #expect(report.hops.map(\.report?.sourceObjects) == [["Track": 3]])
    #expect(report.hops.map(\.report?.objects) == [["Track": 4]])
    #expect(try place.names() == [".Music_SUPPORT", "Music.sqlite"])
    let database = try Database(path: place.store.path, mode: .readOnly)
    #expect(try database.schemaObjects().filter { $0.name.hasPrefix("heavylift") }.isEmpty)
  }
}
