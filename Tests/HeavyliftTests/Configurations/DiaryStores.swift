import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Three versions of a model with two configurations, and stores of the first.
enum DiaryStores {
  static let models: [ManagedObjectModel] = {
    let first = ManagedObjectModel(
      name: "Diary 1",
      entities: [
        EntityDescription(
          name: "Note", attributes: [Models.attribute("text", .string)],
          relationships: [
            // Another store contains photos: no note can lead to one.
            Models.toOne("photo", "Photo"), Models.toOne("folder", "Folder", "notes"),
          ]),
        EntityDescription(
          name: "Folder", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("notes", "Note", "folder")]),
        EntityDescription(name: "Photo", attributes: [Models.attribute("path", .string)]),
        EntityDescription(name: "Zone", attributes: [Models.attribute("path", .string)]),
      ],
      configurations: [
        ConfigurationDescription(name: "Cloud", entityNames: ["Photo", "Zone"]),
        ConfigurationDescription(name: "Local", entityNames: ["Folder", "Note"]),
      ])
    var second = first
    second.name = "Diary 2"
    second.edit("Note") {
      $0.edit(attribute: "text") { ($0.name, $0.renamingIdentifier) = ("title", "text") }
      $0.attributes.append(Models.attribute("rank", .integer32, isOptional: false, default: .integer(3)))
    }
    second.edit("Photo") { $0.attributes.append(Models.attribute("size", .integer64)) }
    // Shifts the entity numbers of both configurations.
    second.entities.append(EntityDescription(name: "Album", attributes: [Models.attribute("name", .string)]))
    second.entities.append(EntityDescription(name: "Draft", attributes: [Models.attribute("name", .string)]))
    second.configurations = [
      ConfigurationDescription(name: "Cloud", entityNames: ["Album", "Photo", "Zone"]),
      ConfigurationDescription(name: "Local", entityNames: ["Draft", "Folder", "Note"]),
    ]
    var third = second
    third.name = "Diary 3"
    third.edit("Note") { $0.attributes.append(Models.attribute("length", .integer64)) }
    third.edit("Zone") { $0.edit(attribute: "path") { ($0.name, $0.renamingIdentifier) = ("name", "path") } }
    return [first, second, third]
  }()

  /// The hop to the last version, which computes a value of each note.
  static func mapping(policy: String? = nil) throws -> MappingModel {
    try MappingModel(
      source: ModelReference(name: "Diary 2"), destination: ModelReference(name: "Diary 3"),
      entityMappings: [
        EntityMappingDescription(source: "Album", destination: "Album"),
        EntityMappingDescription(source: "Draft", destination: "Draft"),
        EntityMappingDescription(source: "Folder", destination: "Folder"),
        EntityMappingDescription(
          source: "Note", destination: "Note",
          policy: policy,
          properties: [.attribute("length", MappingExpression(parsing: "$source.rank * 2"))]),
        EntityMappingDescription(source: "Photo", destination: "Photo"),
        EntityMappingDescription(
          source: "Zone", destination: "Zone",
          properties: [.attribute("name", MappingExpression(parsing: "$source.path"))]),
      ])
  }

  static func reference(_ version: Int) -> ManagedObjectModelReference {
    let model = models[version - 1]
    return ManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  static func manager(
    _ options: MigrationOptions = MigrationOptions(), mapping: MappingModel? = nil,
    policies: PolicyRegistry = PolicyRegistry(), models: [ManagedObjectModel] = models
  ) -> IncrementalMigrationManager {
    IncrementalMigrationManager(
      models: models,
      mappings: MappingSearch(mapping.map { [MappingCandidate(file: "2-3.xml", mappingModel: $0)] } ?? []),
      infersMissingMappings: true, execution: MappingHopExecution(policies: policies, options: options))
  }

  /// Creates a store of the first version.
  static func make(at url: URL, _ configuration: String?, model: ManagedObjectModel = models[0]) throws {
    var options = PersistentStore.CreationOptions()
    options.configuration = configuration
    let store = try PersistentStore.create(at: url, model: model, options: options)
    let context = ManagedObjectContext(store: store)
    if configuration != "Cloud" {
      let folder = try context.insert("Folder")
      folder["name"] = "inbox"
      for text in ["one", "three", nil] {
        let note = try context.insert("Note")
        note["text"] = text.map { .string($0) } ?? .null
        note[toOne: "folder"] = folder
      }
    }
    if configuration != "Local" {
      for path in ["a", "b"] { try context.insert("Photo")["path"] = .string(path) }
      try context.insert("Zone")["path"] = "z"
    }
    try context.save()
    try store.close()
  }
}
