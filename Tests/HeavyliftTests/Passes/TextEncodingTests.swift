import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Stores whose texts are not stored as UTF-8. Core Data creates none, but other programs can.
@Suite struct TextEncodingTests {
  @Test(arguments: ["UTF-16le", "UTF-16be"], [false, true])
  func `a store keeps the encoding of its texts`(encoding: String, forcesObjects: Bool) throws {
    let old = ManagedObjectModel(
      name: "1", entities: [EntityDescription(name: "Note", attributes: [Models.attribute("text", .string)])])
    var new = old
    new.name = "2"
    new.edit("Note") { $0.attributes.append(Models.attribute("loud", .string)) }
    let folder = try TemporaryFolder()
    let (source, destination) = (folder.appending("old.sqlite"), folder.appending("new.sqlite"))
    var creation = PersistentStore.CreationOptions()
    creation.textEncoding = encoding
    let store = try PersistentStore.create(at: source, model: old, options: creation)
    let context = ManagedObjectContext(store: store)
    try context.insert("Note")["text"] = "blåbær 🫐"
    try context.save()
    try store.close()
    let loud = try MappingExpression(parsing: "uppercase:($source.text)")
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try MigrationManager(sourceModel: old, destinationModel: new).migrateStore(
      from: source, to: destination,
      with: MappingModel(entityMappings: [
        EntityMappingDescription(source: "Note", destination: "Note", properties: [.attribute("loud", loud)])
      ]), options: options)
    let opened = try PersistentStore(url: destination, models: [new], mode: .readOnly)
    defer { try? opened.close() }
    #expect(try opened.database.firstValue("PRAGMA encoding") == .text(encoding))
    let note = try #require(try ManagedObjectContext(store: opened).fetch(FetchRequest(entityName: "Note")).first)
    #expect(note["text"] == "blåbær 🫐" && note["loud"] == "BLÅBÆR 🫐")
  }
}
