import Foundation
import Heavylift
import Testing

/// The rows of the article ComingFromCoreData that a running migration can demonstrate.
@Suite struct ComingFromCoreDataTests {
  @Test func `the manager's rows are true during a migration`() throws { try run(["manager"]) }
  @Test func `the rows about objects are true during a migration`() throws {
    try run(["values", "objects", "targets"])
  }
  @Test func `the rows about contexts and fetch requests are true during a migration`() throws {
    try run(["contexts", "fetches"])
  }

  private func run(_ rows: Set<String>) throws {
    let test = try PatternModels.test(Looking.self)
    test.manager.userInfo["rows"] = rows
    try test.migrate(PatternModels.albums, PatternModels.tracks("Looking"), PatternModels.removeSettings)
    #expect(test.manager.userInfo["done"] as? Set<String> == rows)
    #expect(try test.lines("Track", "chain").last == "Track/p5 chain=set")
  }
}

/// Checks once, when all tracks exist, and records that it did.
private final class Looking: EntityMigrationPolicy {
  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    let rows = manager.userInfo["rows"] as? Set<String> ?? []
    let checks: [String: (EntityMapping, MigrationManager) throws -> Void] = [
      "manager": manager_, "values": values, "objects": objects, "targets": targets, "contexts": contexts,
      "fetches": fetches,
    ]
    var done: Set<String> = []
    for row in rows {
      try checks[row]?(mapping, manager)
      done.insert(row)
    }
    manager.userInfo["done"] = done
    for track in try manager.destinationContext.fetch(FetchRequest(entityName: "Track")) { track["chain"] = "set" }
  }

  private func manager_(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    #expect(manager.currentEntityMapping === mapping)
    #expect(manager.sourceEntity(for: mapping)?.name == "Track")
    #expect(manager.destinationEntity(for: mapping)?.name == "Track")
    #expect(manager.mappingModel?.entityMappings.count == 3)
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
    #expect((sources.count, made.count) == (5, 5))
    let own = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sources[2]])
    #expect(own == [made[2]])
    #expect(try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: own) == [sources[2]])
  }

  private func values(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let track = try manager.destinationContext.fetch(FetchRequest(entityName: "Track"))[0]
    try track.setValue(.integer(7), forKey: "number")
    #expect(track["number"] == .integer(7))
    #expect(try track.value(forKey: "number") as Value == .integer(7))
    #expect(try track.value(forKeyPath: "title.length") as ExpressionValue == .integer(2))
    #expect(try track.dictionaryWithValues(forKeys: ["number"]) == ["number": .integer(7)])
    try track.setValuesForKeys(["number": .integer(8), "title": .string("T1")])
    #expect(track["number"] == .integer(8))
    #expect(track.attributesByName.keys.sorted() == ["chain", "number", "rating", "title"])
    #expect(track.relationshipsByName.keys.sorted() == ["album", "artist", "notes"])
    #expect(track.changedAttributeNames.contains("number"))
    #expect(try track.validate() == [])
  }

  private func objects(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let context = try manager.destinationContext
    let note = try context.insert("Note")
    #expect(note.context === context)
    #expect((note.isFaulted, note.isInserted, note.isDeleted, note.objectID.isTemporary) == (false, true, false, false))
    #expect(ManagedObjectID(uri: note.objectID.uriRepresentation) == note.objectID)
    #expect(try context.object(with: note.objectID) === note)
    let source = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))[0]
    #expect((source.isFaulted, source.isInserted) == (false, false))
    #expect(source.objectID.uriRepresentation.hasSuffix("/Track/p1"))
    let made = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    // The new store has the old one's identifier, and objects keep their keys.
    #expect(made.objectID == source.objectID)
    try context.delete(note)
    #expect((note.isDeleted, note.isInserted) == (true, false))
    #expect(try context.existingObject(with: note.objectID) == nil)
  }

  private func targets(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let context = try manager.destinationContext
    let track = try context.fetch(FetchRequest(entityName: "Track"))[0]
    let artist = try context.insert("Artist")
    track[toOne: "artist"] = artist
    // Inverses are updated.
    #expect(artist[toMany: "tracks"] == [track])
    try artist.remove(track, from: "tracks")
    #expect(track[toOne: "artist"] == nil)
    try artist.add(track, to: "tracks")
    #expect(try track.object(forKey: "artist") === artist)
    #expect(try artist.objects(forKey: "tracks") == [track])
    try context.delete(artist)
    #expect(track[toOne: "artist"] == nil)
  }

  private func contexts(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let context = try manager.destinationContext
    #expect(context.registeredObjects.filter { $0.entity.name == "Track" }.count == 5)
    #expect(context.insertedObjects.filter { $0.entity.name == "Track" }.count == 5)
    #expect(try manager.sourceContext.registeredObjects.filter { $0.entity.name == "Track" }.count == 5)
    #expect(try manager.sourceContext.insertedObjects == [])
    // Core Data throws for a missing object.
    let id = try #require(context.registeredObjects.first?.objectID)
    let missing = try #require(ManagedObjectID(uri: id.uriRepresentation.replacing(/p\d+$/, with: "p999")))
    #expect(try context.existingObject(with: missing) == nil)
    // Saving writes and validates nothing.
    let note = try context.insert("Note")
    try context.save()
    #expect(note.isInserted)
    #expect(!context.hasChanges)
    try context.delete(note)
  }

  private func fetches(_ mapping: EntityMapping, _ manager: MigrationManager) throws {
    let context = try manager.destinationContext
    let track = try context.insert("Track")
    track["title"] = "T0"
    // Unsaved objects are counted.
    var request = try FetchRequest(entityName: "Track", where: "title <= %@", "T2")
    request.sortKeys = [.init(keyPath: "title")]
    #expect(try context.fetch(request).map { $0["title"] } == ["T0", "T1", "T2"])
    #expect(try context.count(for: request) == 3)
    (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (1, 1, 20)
    #expect(try context.fetch(request).map { $0["title"] } == ["T1"])
    request = try FetchRequest(entityName: "Track", where: "SELF == %@", track)
    request.filter = { $0["title"] == "T0" }
    #expect(try context.fetch(request) == [track])
    try context.delete(track)
  }
}
