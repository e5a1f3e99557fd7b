import Foundation
import Heavylift
import Testing

/// Patterns from real policies: after the first pass, and around the passes.
@Suite struct ConnectionPatternTests {
  @Test func `a mapping reads what an earlier one has connected`() throws {
    let test = try PatternModels.test(AlbumSummary.self, ArtistFirst.self)
    try test.migrate(
      PatternModels.removeSettings, PatternModels.tracks("ArtistFirst"),
      EntityMappingDescription(source: "Album", destination: "Album", policy: "AlbumSummary"))
    #expect(
      try test.lines("Album", "summary", "tracks") == [
        "Album/p1 summary=Nina, Nina, Ella tracks=[Track/p3 Track/p1 Track/p2]",
        "Album/p2 summary=Ella, Cole tracks=[Track/p5 Track/p4]",
      ])
  }

  @Test func `a policy that sets no relationships and does not call super fails`() throws {
    let test = try PatternModels.test(NoRelationships.self)
    let failure = test.failure {
      try test.migrate(
        EntityMappingDescription(source: "Album", destination: "Album", policy: "NoRelationships"),
        PatternModels.tracks("NoRelationships"), PatternModels.removeSettings)
    }
    #expect(
      failure?.problem == """
        5 links of relationship 'Track.album' would be lost: policy 'NoRelationships' of entity mapping 'AlbumToAlbum' \
        and policy 'NoRelationships' of entity mapping 'TrackToTrack' did not set them
        """)
    // The other side sets them.
    let other = try PatternModels.test(NoRelationships.self)
    #expect(
      try other.migrate(
        PatternModels.albums, PatternModels.tracks("NoRelationships"), PatternModels.removeSettings
      ).notes == [])
  }

  @Test func `a policy fetches a source object by a stored URI, and all destination objects at the end`() throws {
    let test = try MigrationTest(
      from: PatternModels.old, to: PatternModels.new, policies: PolicyRegistry(Favourite.self)
    ) { context in
      try PatternModels.fill(context)
      try context.save()
      let favourite = try context.fetch(FetchRequest(entityName: "Track", where: "title == 'T4'"))
      let setting = try context.insert("Setting")
      setting["value"] = .string(favourite[0].objectID.uriRepresentation)
    }
    try test.migrate(PatternModels.albums, PatternModels.tracks("Favourite"), PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "chain", "number") == [
        "Track/p1 chain=nil number=5", "Track/p2 chain=nil number=5", "Track/p3 chain=nil number=5",
        "Track/p4 chain=favourite number=5", "Track/p5 chain=nil number=5",
      ])
    // The URI identifies the same object afterwards.
    let context = try test.opened()
    let old = ManagedObjectContext(store: try PersistentStore(url: test.source, models: [test.old], mode: .readOnly))
    let uri = try old.fetch(FetchRequest(entityName: "Setting"))[0]["value"].string ?? ""
    let object = try context.object(with: try #require(ManagedObjectID(uri: uri)))
    #expect(try object?.value(forKey: "title") == Value.string("T4"))
  }

  @Test func `new objects returned by a function keep their order`() throws {
    let test = try PatternModels.test(NotesFromFunction.self)
    try test.migrate(
      PatternModels.removeSettings,
      EntityMappingDescription(
        source: "Album", destination: "Album", policy: "NotesFromFunction",
        properties: [
          .relationship(
            "notes",
            try MappingExpression(parsing: #"FUNCTION($entityPolicy, "notesOf:manager:", $source, $manager)"#))
        ]), PatternModels.plainTracks)
    let context = try test.opened()
    let albums = try context.fetch(FetchRequest(entityName: "Album"))
    #expect(
      try albums.map { try $0.objects(forKey: "notes").map { $0["text"].string ?? "" } } == [
        ["T2", "T1", "T3"], ["T4", "T5"],
      ])
  }

  @Test func `a mapping's user info controls what a policy does`() throws {
    let test = try PatternModels.test(ByUserInfo.self)
    var mapping = PatternModels.tracks(
      "ByUserInfo", .attribute("chain", try MappingExpression(parsing: "$entityMapping.userInfo.modelVersion")))
    mapping.userInfo = ["modelVersion": "2"]
    try test.migrate(PatternModels.albums, mapping, PatternModels.removeSettings)
    #expect(try test.lines("Track", "chain", "number").first == "Track/p1 chain=2 number=2")
  }

  @Test func `hooks are called in Core Data's order, on one policy object per mapping`() throws {
    let test = try PatternModels.test(Recording.self)
    test.manager.userInfo["calls"] = [String]()
    try test.migrate(
      PatternModels.removeSettings,
      EntityMappingDescription(
        name: "Albums", source: "Album", destination: "Album", policy: "Recording", intendsLosses: true),
      EntityMappingDescription(
        name: "Tracks", source: "Track", destination: "Track", filter: try MappingPredicate(parsing: "rating > 3"),
        policy: "HeavyliftTests.Recording"),
      EntityMappingDescription(name: "Artists", destination: "Artist", policy: "Elsewhere.Recording"))
    #expect(
      test.manager.userInfo["calls"] as? [String] == [
        "1 begin Albums", "1 create Album/p1", "1 create Album/p2", "1 endInstances Albums",
        "2 begin Tracks", "2 create Track/p4", "2 create Track/p5", "2 endInstances Tracks",
        "3 begin Artists", "3 endInstances Artists",
        "1 connect Album/p1", "1 connect Album/p2", "1 endRelationships Albums",
        "2 connect Track/p4", "2 connect Track/p5", "2 endRelationships Tracks",
        "3 endRelationships Artists",
        "1 validate Albums", "2 validate Tracks", "3 validate Artists",
        "1 end Albums", "2 end Tracks", "3 end Artists",
      ])
  }

  @Test func `a remove mapping creates nothing, and a policy can read the removed objects`() throws {
    let test = try PatternModels.test(Counting.self)
    let report = try test.migrate(
      PatternModels.albums, PatternModels.removeSettings,
      EntityMappingDescription(name: "RemoveTracks", type: .remove, source: "Track", policy: "Counting"))
    #expect(report.objects == ["Album": 2])
    #expect(test.manager.userInfo["seen"] as? Int == 5)
  }

  @Test func `objects come from a custom source expression, in its order`() throws {
    let test = try PatternModels.test(Numbering2.self)
    try test.migrate(
      PatternModels.albums, PatternModels.removeSettings,
      EntityMappingDescription(
        source: "Track", destination: "Track",
        sourceExpression: try MappingExpression(
          parsing: """
            SUBQUERY(FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", \
            "TRUEPREDICATE"), $manager.sourceContext, NO), $t, $t.rating != 2)
            """),
        policy: "Numbering2"))
    #expect(
      try test.lines("Track", "number") == [
        "Track/p1 number=1", "Track/p3 number=2", "Track/p4 number=3", "Track/p5 number=4",
      ])
  }

  @Test func `the manager's functions take no argument, an object and collections`() throws {
    let test = try PatternModels.test(LookingUp.self)
    try test.migrate(
      PatternModels.removeSettings,
      EntityMappingDescription(name: "Albums", source: "Album", destination: "Album", policy: "LookingUp"),
      EntityMappingDescription(
        name: "Tracks", source: "Track", destination: "Track", drops: PatternModels.plainTracks.droppedProperties))
    #expect(
      test.manager.userInfo["found"] as? [String] == [
        "[]", "[Track/p1]", "[Track/p3 Track/p1 Track/p2]", "[Track/p1 Track/p2 Track/p3 Track/p4 Track/p5]",
        "[Album/p1]", "5",
      ])
  }
}

// MARK: Policies

private final class ArtistFirst: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let source = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])[0]
    let artist = try manager.destinationContext.insert("Artist")
    artist["name"] = source["artistName"]
    destination[toOne: "artist"] = artist
  }
}

private final class AlbumSummary: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let names = destination[toMany: "tracks"].map { $0[toOne: "artist"]?["name"].string ?? "?" }
    destination["summary"] = .string(names.joined(separator: ", "))
  }
}

private final class Favourite: EntityMigrationPolicy {
  private var favourite: ManagedObject?

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    let setting = try manager.sourceContext.fetch(FetchRequest(entityName: "Setting")).first
    let id = ManagedObjectID(uri: setting?["value"].string ?? "")
    favourite = try id.flatMap { try manager.sourceContext.existingObject(with: $0) }
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    guard source === favourite else { return }
    let tracks = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    tracks[0]["chain"] = "favourite"
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    let all = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))
    for track in all { track["number"] = .integer(Int64(all.count)) }
  }
}

private final class NotesFromFunction: EntityMigrationPolicy {
  override var functions: [String: PolicyFunction] {
    [
      "notesOf:manager:": PolicyFunction { (album: ManagedObject, manager: MigrationManager) in
        try album.objects(forKey: "tracks").reversed().map { track in
          let note = try manager.destinationContext.insert("Note")
          note["text"] = track["title"]
          return note
        }
      }
    ]
  }
}

private final class ByUserInfo: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let version = mapping.userInfo["modelVersion"].flatMap(Int64.init) ?? 0
    let tracks = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    tracks[0]["number"] = .integer(version)
  }
}

private final class Recording: EntityMigrationPolicy {
  private var number = 0

  private func note(_ call: String, _ manager: MigrationManager) {
    if number == 0 {
      number = (manager.userInfo["policies"] as? Int ?? 0) + 1
      manager.userInfo["policies"] = number
    }
    manager.userInfo["calls"] = (manager.userInfo["calls"] as? [String] ?? []) + ["\(number) \(call)"]
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    note("begin \(mapping.name)", manager)
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("create \(source)", manager)
    #expect(manager.currentEntityMapping === mapping)
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    note("endInstances \(mapping.name)", manager)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    note("connect \(destination)", manager)
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    note("endRelationships \(mapping.name)", manager)
  }

  override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    note("validate \(mapping.name)", manager)
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws { note("end \(mapping.name)", manager) }
}

private final class Counting: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    manager.userInfo["seen"] = (manager.userInfo["seen"] as? Int ?? 0) + 1
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}

private final class Numbering2: EntityMigrationPolicy {
  private var count: Int64 = 0

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    count += 1
    try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]["number"] =
      .integer(count)
  }
}

private final class LookingUp: EntityMigrationPolicy {
  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    let albums = try manager.sourceContext.fetch(FetchRequest(entityName: "Album"))
    func found(_ objects: String) throws -> String {
      let expression = try MappingExpression(
        parsing:
          #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Tracks", \#(objects))"#)
      let value = try expression.expressionValue(
        with: nil,
        context: ["manager": .object(manager), "album": .object(albums[0]), "nothing": .null])
      return "[" + (value.elements ?? []).map { "\($0.object.map { "\($0)" } ?? "nil")" }.joined(separator: " ") + "]"
    }
    let track = "$album.tracks[1]"
    let tracks = try manager.destinationInstances(forEntityMappingName: "Tracks", sourceInstances: nil)
    let back = try manager.sourceInstances(
      forEntityMappingName: "Albums",
      destinationInstances: [
        try manager.destinationInstances(forEntityMappingName: "Albums", sourceInstances: [albums[0]])[0]
      ])
    manager.userInfo["found"] = [
      try found("$nothing"), try found(track), try found("$album.tracks"),
      "[" + tracks.map(\.description).joined(separator: " ") + "]",
      "[" + back.map(\.description).joined(separator: " ") + "]",
      "\(try manager.sourceInstances(forEntityMappingName: "Tracks", destinationInstances: nil).count)",
    ]
  }
}

private final class NoRelationships: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {}
}
