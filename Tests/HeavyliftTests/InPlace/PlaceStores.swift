import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Three versions of a model whose lightweight hops change a store in many ways, and stores of the first.
enum PlaceStores {
  static let models: [ManagedObjectModel] = {
    let picture = AttributeDescription(name: "picture", type: .binaryData, allowsExternalBinaryDataStorage: true)
    let first = ManagedObjectModel(
      name: "Notes 1",
      entities: [
        EntityDescription(
          name: "Note", attributes: [Models.attribute("text", .string), Models.attribute("mark", .integer16), picture],
          relationships: [Models.toOne("folder", "Folder", "notes"), Models.toMany("tags", "Tag", "notes")]),
        EntityDescription(
          name: "Folder", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("notes", "Note", "folder")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("word", .string)],
          relationships: [Models.toMany("notes", "Note", "tags")]),
        EntityDescription(name: "Draft", attributes: [Models.attribute("body", .string)]),
      ])
    var second = first
    second.name = "Notes 2"
    second.edit("Note") {
      $0.edit(attribute: "text") { ($0.name, $0.renamingIdentifier) = ("title", "text") }
      $0.attributes.removeAll { $0.name == "mark" }
      $0.attributes.append(Models.attribute("rank", .integer32, isOptional: false, default: .integer(1)))
    }
    second.entities.removeAll { $0.name == "Draft" }
    second.entities.append(EntityDescription(name: "Zone", attributes: [Models.attribute("path", .string)]))
    var third = second
    third.name = "Notes 3"
    third.edit("Note") { $0.edit(attribute: "title") { ($0.isOptional, $0.defaultValue) = (false, "none") } }
    third.edit("Folder") { $0.edit(relationship: "notes") { $0.isOrdered = true } }
    return [first, second, third]
  }()

  static var manager: IncrementalMigrationManager {
    IncrementalMigrationManager(models: models, infersMissingMappings: true)
  }

  /// Creates a store of the first version in a folder.
  static func make(in folder: URL, _ kind: NoteStores.Kind = .withLog, notes: Int = 30) throws {
    let url = folder.appending(path: "Notes.sqlite")
    var options = PersistentStore.CreationOptions()
    options.applicationValues = ["theme": .string("dark")]
    let store = try PersistentStore.create(at: url, model: models[0], options: options)
    let context = ManagedObjectContext(store: store)
    let tags = try ["red", "blue"].map { word in
      let tag = try context.insert("Tag")
      tag["word"] = .string(word)
      return tag
    }
    let parent = try context.insert("Folder")
    parent["name"] = "inbox"
    for number in 1...notes {
      let note = try context.insert("Note")
      if number > 1 { note["text"] = .string("note \(number) " + String(repeating: "x", count: 200)) }
      note["mark"] = .integer(Int64(number))
      if number == 2 { note["picture"] = .data(NoteStores.picture) }
      note[toOne: "folder"] = parent
      try note.add(tags[number % 2], to: "tags")
    }
    for number in 1...3 { try context.insert("Draft")["body"] = .string("draft \(number)") }
    try context.save()
    try kind.close(store)
  }

  /// Migrates the store in a folder in place.
  @discardableResult
  static func migrate(
    in folder: URL, files: FileOperations = FileOperations(), defersCleanup: Bool = false
  ) throws -> IncrementalMigrationReport {
    var manager = manager
    manager.files = files
    return try manager.migrate(
      folder.appending(path: "Notes.sqlite"),
      options: .init(composesHops: false, mode: .inPlace, defersCleanup: defersCleanup))
  }

  /// The version and the whole contents of the store in a folder, read from a copy, because opening it for writing takes
  /// back an unfinished change.
  static func contents(in folder: URL) throws -> String {
    let copy = try TemporaryFolder()
    for name in ["Notes.sqlite", "Notes.sqlite-wal", "Notes.sqlite-journal", ".Notes_SUPPORT"] {
      let file = folder.appending(path: name)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try FileManager.default.copyItem(at: file, to: copy.appending(name))
    }
    let database = try Database(path: copy.appending("Notes.sqlite").path, mode: .readWrite)
    _ = try database.firstValue("SELECT count(*) FROM Z_METADATA")
    let damage = try database.damage()
    try database.close()
    let store = try PersistentStore(url: copy.appending("Notes.sqlite"), models: models, mode: .readOnly)
    defer { try? store.close() }
    let sink = MemorySink()
    _ = try StoreDump(store).write(to: sink)
    return ([store.model.name ?? ""] + damage + [sink.text]).joined(separator: "\n")
  }

  /// The contents of the store before and after the migration, up to the identifier.
  static func expected() throws -> (old: String, new: String) { try known.get() }

  private static let known = Result { try findExpected() }

  private static func findExpected() throws -> (old: String, new: String) {
    let folder = try TemporaryFolder()
    try make(in: folder.url)
    let old = try contents(in: folder.url)
    try manager.migrate(folder.appending("Notes.sqlite"))
    return (plain(old), plain(try contents(in: folder.url)))
  }

  /// The contents without the store's identifier, which differs from store to store.
  static func plain(_ contents: String) -> String {
    contents.replacing(/"identifier":"[^"]*"/, with: "\"identifier\":\"\"")
  }
}

extension ManagedObjectModel {
  /// Changes an entity.
  mutating func edit(_ name: String, _ body: (inout EntityDescription) -> Void) {
    for place in entities.indices where entities[place].name == name { return body(&entities[place]) }
  }
}

extension EntityDescription {
  /// Changes an attribute. Its place among the others depends on its name.
  mutating func edit(attribute name: String, _ body: (inout AttributeDescription) -> Void) {
    for place in attributes.indices where attributes[place].name == name { return body(&attributes[place]) }
  }

  /// Changes a relationship.
  mutating func edit(relationship name: String, _ body: (inout RelationshipDescription) -> Void) {
    for place in relationships.indices where relationships[place].name == name { return body(&relationships[place]) }
  }
}
