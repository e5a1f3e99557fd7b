import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Relationships that policies leave to `super`: they are written together, before anything sees them.
@Suite struct DueLinksTests {
  /// Logs, for each object, the number of links in the file, which it does not read by way of objects.
  private final class Quiet: EntityMigrationPolicy {
    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      let log = manager.userInfo["log"] as? LawPolicy.Log
      let count = try manager.run?.destination.database.firstValue("SELECT count(ZALBUM) FROM ZTRACK")
      log?.lines.append("\(destination) \(count.map { "\($0)" } ?? "nil")")
    }
  }

  private final class Looking: EntityMigrationPolicy {
    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      guard destination.primaryKey == 2 else { return }
      let log = manager.userInfo["log"] as? LawPolicy.Log
      // Its own relationship, and one that an earlier entity mapping connected.
      let album = try destination.object(forKey: "album")
      log?.lines.append("\(album.map { "\($0)" } ?? "nil") \(try album?.objects(forKey: "tracks") ?? [])")
      try destination.setObject(nil, forKey: "album")
    }
  }

  private final class Refusing: EntityMigrationPolicy {
    struct Reason: Error {}

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      if destination.primaryKey == 3 { throw Reason() }
    }
  }

  /// Links objects before the mapping does, and then looks for others by an attribute, which reads no links.
  private final class Hasty: EntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      let context = try manager.destinationContext
      let tracks = try context.fetch(FetchRequest(entityName: "Track"))
      let (album, tag) = (try context.insert("Album"), try context.insert("Tag"))
      try album.setObjects(tracks, forKey: "tracks")
      try tag.setObjects(tracks, forKey: "tracks")
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let found = try manager.destinationContext.fetch(FetchRequest(entityName: "Track", where: "title == 'x'"))
      #expect(found.isEmpty)
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    }
  }

  /// Creates the first album only when a track of it is created, after other tracks.
  private final class Belated: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if mapping.name == "AlbumToAlbum", source.primaryKey == 1, manager.userInfo["isLate"] == nil { return }
      if mapping.name == "TrackToTrack", source.primaryKey == 3 {
        manager.userInfo["isLate"] = true
        let albums = try #require(manager.run?.steps.first { $0.name == "AlbumToAlbum" })
        let album = try #require(try source.object(forKey: "album"))
        try albums.policy.createDestinationInstances(forSource: album, in: albums.mapping, manager: manager)
      }
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
  }

  /// Creates and associates the first album itself, under another key.
  private final class Replacing: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard source.primaryKey == 1 else {
        return try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      }
      let album = try manager.destinationContext.insert("Album")
      try manager.associate(sourceInstance: source, withDestinationInstance: album, for: mapping)
    }
  }

  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(name: "Album", relationships: [Models.toMany("tracks", "Track", "album")]),
      EntityDescription(
        name: "Tag", relationships: [Models.toMany("tracks", "Track", "tags")]),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toOne("album", "Album", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
    ])

  /// The same model, but the albums do not know their tracks.
  private static var modelWithoutInverse: ManagedObjectModel {
    var model = model
    model.entities[0].relationships = []
    model.entities[2].relationships[0].inverseName = nil
    model.entities[2].relationships[0].inverseEntityName = nil
    return model
  }

  private func test(
    _ policy: EntityMigrationPolicy.Type, isOrdered: Bool = false
  ) throws -> (MigrationTest, MappingModel, LawPolicy.Log) {
    let registry = PolicyRegistry(policy)
    var model = Self.model
    model.entities[0].relationships[0].isOrdered = isOrdered
    let test = try MigrationTest(from: model, to: model, policies: registry) { context in
      let albums = try (0..<2).map { _ in try context.insert("Album") }
      let tag = try context.insert("Tag")
      for index in 0..<4 {
        let track = try context.insert("Track")
        track[toOne: "album"] = albums[index % 2]
        if index > 1 { track[toMany: "tags"] = [tag] }
      }
      if isOrdered { try albums[0].setObjects(albums[0].objects(forKey: "tracks").reversed(), forKey: "tracks") }
    }
    let log = LawPolicy.Log()
    test.manager.userInfo["log"] = log
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Album", destination: "Album"),
      EntityMappingDescription(source: "Tag", destination: "Tag"),
      EntityMappingDescription(source: "Track", destination: "Track", policy: registry.names.first),
    ])
    return (test, mapping, log)
  }

  @Test(arguments: [false, true])
  func `the links of a policy that only calls super are written together`(isOrdered: Bool) throws {
    let (test, mapping, log) = try test(Quiet.self, isOrdered: isOrdered)
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.rowRelationships.count == 2)
    try test.migrate(mapping)
    #expect(log.lines == (1...4).map { "Track/p\($0) integer(0)" })
    #expect(
      try test.lines("Track", "album", "tags") == [
        "Track/p1 album=Album/p1 tags=[]", "Track/p2 album=Album/p2 tags=[]",
        "Track/p3 album=Album/p1 tags=[Tag/p1]", "Track/p4 album=Album/p2 tags=[Tag/p1]",
      ])
    #expect(try test.lines("Tag", "tracks") == ["Tag/p1 tracks=[Track/p3 Track/p4]"])
    let tracks = isOrdered ? "Track/p3 Track/p1" : "Track/p1 Track/p3"
    #expect(try test.lines("Album", "tracks").first == "Album/p1 tracks=[\(tracks)]")
  }

  @Test func `a policy sees and can change what super and earlier mappings have set`() throws {
    let (test, mapping, log) = try test(Looking.self)
    try test.migrate(mapping)
    #expect(log.lines == ["Album/p2 [Track/p2, Track/p4]"])
    #expect(
      try test.lines("Track", "album", "tags") == [
        "Track/p1 album=Album/p1 tags=[]", "Track/p2 album=nil tags=[]",
        "Track/p3 album=Album/p1 tags=[Tag/p1]", "Track/p4 album=Album/p2 tags=[Tag/p1]",
      ])
  }

  @Test(arguments: [false, true])
  func `links that a policy sets in the first pass give way to those of the mapping`(forcesObjects: Bool) throws {
    let (test, mapping, _) = try test(Hasty.self)
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.migrate(mapping, options: options)
    #expect(
      try test.lines("Track", "album", "tags") == [
        "Track/p1 album=Album/p1 tags=[]", "Track/p2 album=Album/p2 tags=[]",
        "Track/p3 album=Album/p1 tags=[Tag/p1]", "Track/p4 album=Album/p2 tags=[Tag/p1]",
      ])
  }

  @Test func `a policy that fails names its object, whatever it left to super before`() throws {
    let (test, mapping, _) = try test(Refusing.self)
    let failure = test.failure { try test.migrate(mapping) }
    #expect(failure?.place.mapping == "TrackToTrack")
    #expect(failure?.place.object == "Track/p3")
    #expect(failure?.underlying is Refusing.Reason)
  }

  /// Migrates four tracks of two albums, and returns the album of each new track.
  private func albums(
    _ albumPolicy: EntityMigrationPolicy.Type, _ trackPolicy: EntityMigrationPolicy.Type, hasInverse: Bool,
    forcesObjects: Bool
  ) throws -> [String] {
    let model = hasInverse ? Self.model : Self.modelWithoutInverse
    var policies = PolicyRegistry(albumPolicy)
    if albumPolicy != trackPolicy { policies.register(trackPolicy) }
    let test = try MigrationTest(from: model, to: model, policies: policies) { context in
      let albums = try (0..<2).map { _ in try context.insert("Album") }
      for index in 0..<4 { try context.insert("Track")[toOne: "album"] = albums[index % 2] }
    }
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.migrate(
      MappingModel(entityMappings: [
        EntityMappingDescription(source: "Album", destination: "Album", policy: "\(albumPolicy)"),
        EntityMappingDescription(source: "Tag", destination: "Tag"),
        EntityMappingDescription(source: "Track", destination: "Track", policy: "\(trackPolicy)"),
      ]), options: options)
    return try test.lines("Track", "album")
  }

  @Test(arguments: [false, true], [false, true])
  func `a target that is created after the rows that lead to it gets its links`(
    hasInverse: Bool, forcesObjects: Bool
  ) throws {
    #expect(
      try albums(Belated.self, Belated.self, hasInverse: hasInverse, forcesObjects: forcesObjects) == [
        "Track/p1 album=Album/p1", "Track/p2 album=Album/p2", "Track/p3 album=Album/p1", "Track/p4 album=Album/p2",
      ])
  }

  @Test(arguments: [false, true], [false, true])
  func `a policy that only calls super links to objects that another policy associated`(
    hasInverse: Bool, forcesObjects: Bool
  ) throws {
    #expect(
      try albums(Replacing.self, Quiet.self, hasInverse: hasInverse, forcesObjects: forcesObjects) == [
        "Track/p1 album=Album/p3", "Track/p2 album=Album/p2", "Track/p3 album=Album/p3", "Track/p4 album=Album/p2",
      ])
  }
}
