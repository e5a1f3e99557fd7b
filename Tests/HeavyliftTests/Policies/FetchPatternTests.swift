import Foundation
import Heavylift
import Testing

/// Policies that find objects by other objects and by ID, and that set the values of all expressions.
@Suite struct FetchPatternTests {
  private static let expected = [
    "Track/p1 title=T1 album=Album/p1 notes=[Note/p1 Note/p6] chain=1 of 2",
    "Track/p2 title=T2 album=Album/p1 notes=[Note/p2 Note/p7] chain=2 of 4",
    "Track/p3 title=T3 album=Album/p1 notes=[Note/p3 Note/p8] chain=3 of 6",
    "Track/p4 title=T4 album=Album/p2 notes=[Note/p4 Note/p9] chain=4 of 8",
    "Track/p5 title=T5 album=Album/p2 notes=[Note/p5 Note/p10] chain=5 of 10",
  ]

  @Test func `unsaved objects are found and counted by related objects`() throws {
    let test = try PatternModels.test(NotesOfTrack.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("NotesOfTrack"), PatternModels.removeSettings)
    #expect(try test.lines("Track", "title", "album", "notes", "chain") == Self.expected)
  }

  @Test func `an object is found at the end by the ID noted earlier`() throws {
    let test = try PatternModels.test(ReplyingLater.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("ReplyingLater"), PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "chain") == [
        "Track/p1 chain=nil", "Track/p2 chain=after T1 on Blue", "Track/p3 chain=after T2 on Blue",
        "Track/p4 chain=after T3 on Red", "Track/p5 chain=after T4 on Red",
      ])
  }

  @Test func `a policy sets the values of all expressions itself`() throws {
    let test = try PatternModels.test(Walking.self)
    var albums = PatternModels.albums
    albums.policyClassName = "Walking"
    try test.migrate(PatternModels.tracks("Walking"), albums, PatternModels.removeSettings)
    // Objects that policies create have keys of their own.
    #expect(
      try test.lines("Album", "title", "tracks") == [
        "Album/p3 title=Blue tracks=[Track/p8 Track/p6 Track/p7]", "Album/p4 title=Red tracks=[Track/p10 Track/p9]",
      ])
    #expect(try test.lines("Track", "title", "rating").first == "Track/p6 title=T1 rating=1")
  }
}

// MARK: Policies

/// Creates a note per track in the first pass, and finds it by the track in the second, where the note gets another
/// track.
private final class NotesOfTrack: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let track = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    let note = try manager.destinationContext.insert("Note")
    note["text"] = source["title"]
    note[toOne: "track"] = track
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let context = try manager.destinationContext
    let found = try context.fetch(FetchRequest(entityName: "Note", where: "track == %@", destination))
    let another = try context.insert("Note")
    try destination.setValue(.array((found + [another]).map { .object($0) }), forKey: "notes")
    let first = try context.count(for: FetchRequest(entityName: "Note", where: "text <= %@", destination["title"]))
    let connected = try context.count(
      for: FetchRequest(entityName: "Track", where: "notes.@count == 2 AND SELF != nil"))
    destination["chain"] = .string("\(first) of \(first + connected)")
  }
}

/// Keeps IDs, because keeping the objects would take too much memory.
private final class ReplyingLater: EntityMigrationPolicy {
  private var answered: [(reply: ManagedObjectID, to: ManagedObjectID)] = []
  private var last: ManagedObjectID?

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let track = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    if let last { answered.append((track.objectID, last)) }
    last = track.objectID
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    for (reply, original) in answered {
      var request = try FetchRequest(entityName: "Track", where: "SELF == %@", reply)
      request.fetchLimit = 1
      guard let track = try manager.destinationContext.fetch(request).first,
        let before = try manager.destinationContext.existingObject(with: original)
      else { continue }
      let album = try track.value(forKeyPath: "album.title")
      track["chain"] = .string("after \(before["title"].string ?? "?") on \(Value(album)?.string ?? "?")")
    }
  }
}

private final class Walking: EntityMigrationPolicy {
  private func set(
    _ properties: [PropertyMapping], of object: ManagedObject, from source: ManagedObject, _ manager: MigrationManager
  ) throws {
    for property in properties where property.valueExpression != nil {
      let value = try property.valueExpression?.expressionValue(
        with: source, context: ["source": .object(source), "manager": .object(manager)])
      try object.setValue(value ?? .null, forKey: property.name)
    }
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let object = try manager.destinationContext.insert(mapping.destinationEntityName ?? "")
    try set(mapping.attributeMappings, of: object, from: source, manager)
    try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    try set(mapping.relationshipMappings, of: destination, from: sources[0], manager)
  }
}
