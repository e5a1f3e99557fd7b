import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Links that a policy has set before their turn comes.
@Suite struct ReplacedLinksTests {
  /// Connects its objects with the first album and cover, and keeps them.
  private final class GiveAway: EntityMigrationPolicy {
    private var held: [ManagedObject] = []

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      let albums = try manager.destinationContext.fetch(FetchRequest(entityName: "Album"))
      let covers = try manager.destinationContext.fetch(FetchRequest(entityName: "Cover"))
      held = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))
      for track in held { try track.setObject(albums.first, forKey: "album") }
      try held.last?.setObject(covers.first, forKey: "cover")
      held.first?["title"] = "changed"
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {}

    override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      let seen = try held.map { track in
        let targets = try ["album", "cover"].map { try track.object(forKey: $0).map { "\($0)" } ?? "nil" }
        return "\(track) \(targets.joined(separator: " "))"
      }
      (manager.userInfo["log"] as? LawPolicy.Log)?.lines = seen
    }
  }

  private static func model(isOrdered: Bool) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Music",
      entities: [
        EntityDescription(
          name: "Album", relationships: [Models.toMany("tracks", "Track", "album", isOrdered: isOrdered)]),
        EntityDescription(name: "Cover", relationships: [Models.toOne("owner", "Track", "cover")]),
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string)],
          relationships: [Models.toOne("album", "Album", "tracks"), Models.toOne("cover", "Cover", "owner")]),
      ])
  }

  @Test(arguments: [false, true], [false, true])
  func `a policy's links are replaced, and the objects that it keeps see that`(
    isOrdered: Bool, forcesObjects: Bool
  ) throws {
    let registry = PolicyRegistry(GiveAway.self)
    let model = Self.model(isOrdered: isOrdered)
    let test = try MigrationTest(from: model, to: model, policies: registry) { context in
      let album = try context.insert("Album")
      let cover = try context.insert("Cover")
      let tracks = try (0..<3).map { _ in try context.insert("Track") }
      try album.setObjects([tracks[1], tracks[0]], forKey: "tracks")
      try cover.setObject(tracks[0], forKey: "owner")
    }
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Album", destination: "Album"),
      EntityMappingDescription(source: "Cover", destination: "Cover"),
      EntityMappingDescription(source: "Track", destination: "Track", policy: registry.names.first),
    ])
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let plan = try test.manager.plan(from: test.source, with: [mapping], options: options)
    let strategy: MigrationPlan.Strategy = forcesObjects ? .objects : .sql
    #expect(plan.steps.map(\.relationships) == [strategy, strategy, .objects])
    try test.migrate(mapping, options: options)
    #expect(log.lines == ["Track/p1 Album/p1 Cover/p1", "Track/p2 Album/p1 nil", "Track/p3 nil nil"])
    #expect(
      try test.lines("Track", "title", "album", "cover") == [
        "Track/p1 title=changed album=Album/p1 cover=Cover/p1", "Track/p2 title=nil album=Album/p1 cover=nil",
        "Track/p3 title=nil album=nil cover=nil",
      ])
    #expect(
      try test.lines("Album", "tracks") == [
        isOrdered ? "Album/p1 tracks=[Track/p2 Track/p1]" : "Album/p1 tracks=[Track/p1 Track/p2]"
      ])
    #expect(try test.lines("Cover", "owner") == ["Cover/p1 owner=Track/p1"])
  }
}
