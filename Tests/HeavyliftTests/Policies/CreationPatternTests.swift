import Foundation
import Heavylift
import Testing

/// Patterns from real policies in the first pass.
@Suite struct CreationPatternTests {
  private static let expectedArtists = [
    "Artist/p1 name=Nina tracks=[Track/p1 Track/p3]", "Artist/p2 name=Ella tracks=[Track/p2 Track/p5]",
    "Artist/p3 name=Cole tracks=[Track/p4]",
  ]

  @Test(arguments: ["ArtistByFetch", "ArtistByRegisteredObjects", "ArtistByDictionary"])
  func `an object is found or created`(policy: String) throws {
    let test = try PatternModels.test(ArtistByFetch.self, ArtistByRegisteredObjects.self, ArtistByDictionary.self)
    try test.migrate(
      PatternModels.albums, PatternModels.tracks(policy), EntityMappingDescription(destination: "Artist"),
      PatternModels.removeSettings)
    #expect(try test.lines("Artist", "name", "tracks") == Self.expectedArtists)
    #expect(
      try test.lines("Album", "tracks") == [
        "Album/p1 tracks=[Track/p3 Track/p1 Track/p2]", "Album/p2 tracks=[Track/p5 Track/p4]",
      ])
  }

  @Test func `a counter in the policy follows the order of the sources`() throws {
    let test = try PatternModels.test(Numbering.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("Numbering"), PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "title", "number") == [
        "Track/p1 title=T1 number=1", "Track/p2 title=T2 number=2", "Track/p3 title=T3 number=3",
        "Track/p4 title=T4 number=4", "Track/p5 title=T5 number=5",
      ])
  }

  @Test func `an object that a policy does not create is missing, and nothing refers to it`() throws {
    let test = try PatternModels.test(OnlyGood.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("OnlyGood"), PatternModels.removeSettings)
    #expect(try test.lines("Track", "title") == ["Track/p3 title=T3", "Track/p4 title=T4", "Track/p5 title=T5"])
    #expect(try test.lines("Album", "tracks") == ["Album/p1 tracks=[Track/p3]", "Album/p2 tracks=[Track/p5 Track/p4]"])
  }

  @Test func `an empty policy fails, unless its losses are intended`() throws {
    let test = try PatternModels.test(Nothing.self)
    var tracks = PatternModels.tracks("Nothing")
    #expect(
      test.failure { try test.migrate(PatternModels.albums, tracks, PatternModels.removeSettings) }?.description == """
        error[migration.134110]: policy 'Nothing' of entity mapping 'TrackToTrack' created no objects from 5 × Track, and \
        read nothing from them
          call 'super.createDestinationInstances(forSource:in:manager:)', or write 'type="remove"' if the objects are to \
        be removed
        """)
    tracks.intendsLosses = true
    let report = try test.migrate(PatternModels.albums, tracks, PatternModels.removeSettings)
    #expect(try test.lines("Album", "tracks") == ["Album/p1 tracks=[]", "Album/p2 tracks=[]"])
    #expect(report.objects == ["Album": 2])
    #expect((report.mappings[1].sources, report.mappings[1].declared) == (5, 0))
    #expect(report.notes == [])
  }

  @Test func `a policy that reads its objects but creates none is reported`() throws {
    let test = try PatternModels.test(OnlyReading.self)
    let report = try test.migrate(
      PatternModels.albums, PatternModels.tracks("OnlyReading"), PatternModels.removeSettings)
    #expect(
      report.notes.map(\.description) == [
        """
        warning[migration.no-instances]: policy 'OnlyReading' of entity mapping 'TrackToTrack' created no objects from \
        5 × Track
          write 'losses="intended"' in the entity mapping if this is right
        """
      ])
  }

  @Test func `a policy that creates objects of another entity has not forgotten super`() throws {
    let test = try PatternModels.test(OneArtistForEach.self)
    let report = try test.migrate(
      EntityMappingDescription(type: .remove, source: "Album"), PatternModels.tracks("OneArtistForEach"),
      PatternModels.removeSettings)
    #expect(report.objects == ["Artist": 5])
    #expect(report.notes.map(\.code) == [])
  }

  @Test func `a function gets no argument of another type, and nothing is created`() throws {
    let test = try PatternModels.test()
    test.manager.functions["doubled:"] = MigrationFunction { (number: Int) in number * 2 }
    let number = try MappingExpression(parsing: #"FUNCTION($manager, "doubled:", $source.title)"#)
    let error = #expect(throws: DiagnosticList.self) {
      try test.migrate(
        PatternModels.albums, PatternModels.removeSettings,
        EntityMappingDescription(
          source: "Track", destination: "Track", properties: [.attribute("number", number)],
          drops: [DroppedProperty("artistName")]))
    }
    #expect(error?.diagnostics.map(\.code).contains("expression.argument") == true)
    #expect(!FileManager.default.fileExists(atPath: test.destination.path))
  }

  @Test func `an object that a policy deletes is gone, and nothing refers to it`() throws {
    let test = try PatternModels.test(DeletingAgain.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("DeletingAgain"), PatternModels.removeSettings)
    #expect(try test.lines("Track", "title") == ["Track/p4 title=T4", "Track/p5 title=T5"])
    #expect(try test.lines("Album", "tracks") == ["Album/p1 tracks=[]", "Album/p2 tracks=[Track/p5 Track/p4]"])
  }

  @Test func `several source objects become one, which is connected once`() throws {
    let test = try PatternModels.test(OneArtistForMany.self)
    try test.migrate(
      PatternModels.albums, PatternModels.removeSettings,
      EntityMappingDescription(
        name: "TrackToArtist", source: "Track", destination: "Artist", policy: "OneArtistForMany", copying: .listed),
      EntityMappingDescription(
        source: "Track", destination: "Track",
        properties: [.relationship("artist", from: try MappingExpression(parsing: "$source"), through: "TrackToArtist")]
      ))
    #expect(
      try test.lines("Artist", "name", "trackCount", "tracks") == [
        "Artist/p6 name=Nina trackCount=2 tracks=[Track/p1 Track/p3]",
        "Artist/p7 name=Ella trackCount=2 tracks=[Track/p2 Track/p5]",
        "Artist/p8 name=Cole trackCount=1 tracks=[Track/p4]",
      ])
  }

  @Test func `one source object becomes several, in order`() throws {
    let test = try PatternModels.test(NotesBesides.self)
    try test.migrate(
      // The notes were also created from tracks, and are not an album's tracks.
      EntityMappingDescription(
        source: "Album", destination: "Album",
        properties: [PropertyMappingDescription(.relationship, name: "tracks", source: .unmapped)]),
      PatternModels.tracks("NotesBesides"), PatternModels.removeSettings,
      EntityMappingDescription(name: "Notes", destination: "Note"))
    #expect(
      try test.lines("Note", "text", "track")
        == (1...5).flatMap { number in
          ["a", "b"].enumerated().map { place, letter in
            "Note/p\(number * 2 - 1 + place) text=T\(number)\(letter) track=Track/p\(number)"
          }
        })
    let counts = test.manager.userInfo["counts"] as? [Int]
    #expect(counts == [3, 3, 3, 3, 3])
  }

  @Test func `super uses an expression that the policy changed, object by object`() throws {
    let test = try PatternModels.test(ChangingExpression.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("ChangingExpression"), PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "chain", "rating") == [
        "Track/p1 chain=odd rating=1", "Track/p2 chain=even rating=20", "Track/p3 chain=odd rating=3",
        "Track/p4 chain=even rating=40", "Track/p5 chain=odd rating=5",
      ])
  }

  @Test func `a policy evaluates its mapping's expressions itself`() throws {
    let test = try PatternModels.test(ByHand.self)
    test.manager.functions["shout:"] = MigrationFunction { (text: String) in text + "!" }
    try test.migrate(
      PatternModels.albums, PatternModels.removeSettings,
      PatternModels.tracks(
        "ByHand",
        .attribute("chain", try MappingExpression(parsing: #"FUNCTION($manager, "shout:", $source.title)"#))))
    #expect(
      try test.lines("Track", "title", "chain", "rating")
        == (1...5).map {
          "Track/p\($0 + 5) title=T\($0) chain=T\($0)! rating=\($0)"
        })
  }
}

// MARK: Policies

private final class ArtistByFetch: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let track = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    let name = source["artistName"].string ?? ""
    let context = try manager.destinationContext
    let request = try FetchRequest(entityName: "Artist", where: "name == %@", name)
    // Unsaved objects are fetched, and counted as well.
    let found = try context.fetch(request)
    #expect(try context.count(for: request) == found.count)
    let artist = try found.first ?? context.insert("Artist")
    artist["name"] = .string(name)
    track[toOne: "artist"] = artist
  }
}

private final class ArtistByRegisteredObjects: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let name = source["artistName"]
    let known = try manager.destinationContext.registeredObjects.first {
      $0.entity.name == "Artist" && $0["name"] == name
    }
    let artist = try known ?? manager.destinationContext.insert("Artist")
    artist["name"] = name
    try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0][
      toOne: "artist"] =
      artist
  }
}

/// Keeps its objects in the manager's user info, as policies do to share them.
private final class ArtistByDictionary: EntityMigrationPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    manager.userInfo["artists"] = [String: ManagedObject]()
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    var artists = manager.userInfo["artists"] as? [String: ManagedObject] ?? [:]
    let name = source["artistName"].string ?? ""
    let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
    artist["name"] = .string(name)
    artists[name] = artist
    manager.userInfo["artists"] = artists
    let tracks = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    try artist.add(tracks[0], to: "tracks")
    try manager.destinationContext.save()
  }
}

private final class Numbering: EntityMigrationPolicy {
  private var count: Int64 = 0

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    count += 1
    for track in try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]) {
      track["number"] = .integer(count)
    }
  }
}

private final class OnlyGood: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard source["rating"].integer ?? 0 > 2 else { return }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}

private final class Nothing: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {}
}

private final class DeletingAgain: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    // The first object is deleted before it is written, the second after, and the third at the end of the pass.
    let context = try manager.destinationContext
    let tracks = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    if source["title"] == "T1" { try context.delete(tracks[0]) }
    if source["title"] == "T2" {
      try context.save()
      try context.delete(tracks[0])
    }
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    let third = try FetchRequest(entityName: "Track", where: "title == 'T3'")
    for track in try manager.destinationContext.fetch(third) { try manager.destinationContext.delete(track) }
  }
}

private final class OneArtistForMany: EntityMigrationPolicy {
  private var artists: [String: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let name = source["artistName"].string ?? ""
    let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
    artist["name"] = .string(name)
    artists[name] = artist
    try manager.associate(sourceInstance: source, withDestinationInstance: artist, for: mapping)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    destination["trackCount"] = .integer((destination["trackCount"].integer ?? 0) + Int64(sources.count))
  }
}

private final class NotesBesides: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for letter in ["a", "b"] {
      let note = try manager.destinationContext.insert("Note")
      note["text"] = .string((source["title"].string ?? "") + letter)
      try manager.associate(sourceInstance: source, withDestinationInstance: note, for: mapping)
    }
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard destination.entity.name == "Track" else { return }
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    let all = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: sources)
    manager.userInfo["counts"] = (manager.userInfo["counts"] as? [Int] ?? []) + [all.count]
    destination[toMany: "notes"] = all.filter { $0.entity.name == "Note" }
  }
}

private final class ChangingExpression: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let isOdd = (source["rating"].integer ?? 0) % 2 == 1
    mapping.attributeMapping(named: "chain")?.valueExpression = try MappingExpression(
      parsing: isOdd ? "'odd'" : "'even'")
    mapping.attributeMapping(named: "rating")?.valueExpression = try MappingExpression(
      parsing: isOdd ? "$source.rating" : "$source.rating * 10")
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}

private final class ByHand: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping) else { return }
    let track = try manager.destinationContext.insert(entity.name)
    for property in mapping.attributeMappings {
      let value = try property.valueExpression?.expressionValue(
        with: source, context: ["source": .object(source), "manager": .object(manager)])
      if let value, let held = Value(value) { try track.setValue(held, forKey: property.name) }
    }
    try manager.associate(sourceInstance: source, withDestinationInstance: track, for: mapping)
  }
}

private final class OnlyReading: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws { _ = source["title"] }
}

private final class OneArtistForEach: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let artist = try manager.destinationContext.insert("Artist")
    artist["name"] = source["artistName"]
    try manager.associate(sourceInstance: source, withDestinationInstance: artist, for: mapping)
  }
}
