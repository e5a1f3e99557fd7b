import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

private enum ListV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Track.self] }

  final class Track: Entity { @Attribute var title: String? }
}

private enum ListV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [Entity.Type] { [Track.self] }

  final class Track: Entity {
    @Attribute var title: String?
    @Attribute var plays = 0
  }
}

private enum MusicPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [ListV1.self, ListV2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: ListV1.self, toVersion: ListV2.self)] }
}

/// The Swift code of "Staged migrations", word for word.
struct StageExamples {
  @Test func `stages migrate a store, and a tool has them`() throws {
    let folder = try TemporaryFolder()
    let modelURL = folder.appending("Music.xcdatamodeld")
    let models = (1...3).map { version in
      var attributes = [
        AttributeDescription(name: "title", type: .string), AttributeDescription(name: "plays", type: .string),
      ]
      if version > 1 { attributes.append(AttributeDescription(name: "rating", type: .integer16)) }
      if version > 2 {
        attributes[1] = AttributeDescription(name: "playCount", type: .integer64, isOptional: false)
      }
      return ManagedObjectModel(
        name: "Music \(version)", entities: [EntityDescription(name: "Track", attributes: attributes)])
    }
    for model in models {
      let version = modelURL.appending(path: "\(model.name ?? "").xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelWriter.text(of: model).utf8).write(to: version.appending(path: "contents"))
    }
    let (checksum1, checksum2, checksum3) = (
      models[0].versionChecksum, models[1].versionChecksum, models[2].versionChecksum
    )
    let storeURL = folder.appending("Music.sqlite")
    let store = try PersistentStore.create(at: storeURL, model: models[0])
    let context = ManagedObjectContext(store: store)
    try context.insert("Track")["plays"] = "12"
    let named = try context.insert("Track")
    (named["title"], named["plays"]) = ("Blue", "many")
    try context.save()
    try store.close()
    var printed: [String] = []
    func print(_ thing: Any) { printed.append("\(thing)") }

    let counting = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(name: "Music 2", in: modelURL, versionChecksum: checksum2),
      to: ManagedObjectModelReference(name: "Music 3", in: modelURL, versionChecksum: checksum3), label: "Count plays")
    counting.migrate("Track") { old, new in
      new["playCount"] = .integer(Int64(old["plays"].string ?? "") ?? 0)
    }
    let stages = try StagedMigrationManager(
      [LightweightMigrationStage([checksum1, checksum2]), counting], versions: models)
    let chain = IncrementalMigrationManager(stages: stages)
    print(try chain.plan(for: storeURL))
    try chain.migrate(storeURL)

    #expect(printed[0].contains("'Music 1' → 'Music 2', by lightweight stage 1"))
    #expect(try contents(storeURL, models[2]) == ["nil 12", "Blue 0"])

    counting.didMigrateHandler = { manager, stage in
      guard let container = manager.container else { return }
      try container.enumerate(try FetchRequest(entityName: "Track", where: "title == nil")) { track in
        track["title"] = "Untitled"
      }
    }

    let second = folder.appending("Second.sqlite")
    let old = try PersistentStore.create(at: second, model: models[1])
    let other = ManagedObjectContext(store: old)
    try other.insert("Track")["plays"] = "3"
    try other.save()
    try old.close()
    try chain.migrate(second)
    #expect(try contents(second, models[2]) == ["Untitled 3"])

    var tool = CommandLineTool.heavylift
    tool.code.stages = [LightweightMigrationStage([checksum1, checksum2]), counting]
    #expect(try StagedMigrationManager(tool.code.stages, versions: models).history == stages.history)
    let photoStages: [MigrationStage] = []
    tool.code.stagesByModel = [
      "Music": [LightweightMigrationStage([checksum1, checksum2]), counting], "Photos": photoStages,
    ]

    tool.code.stages = try SchemaHistory(MusicPlan.self).stages.stages
    let planned = try [Schema(versionedSchema: ListV1.self), Schema(versionedSchema: ListV2.self)].map(\.model)
    #expect(try StagedMigrationManager(tool.code.stages, versions: planned).history.edges.count == 1)

    var edited = models[1]
    edited.name = "Music 2b"
    edited.entities[0].attributes[0].defaultValue = "Untitled"
    let version = modelURL.appending(path: "Music 2b.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(ModelWriter.text(of: edited).utf8).write(to: version.appending(path: "contents"))
    #expect(edited.versionChecksum == checksum2)

    let edition = ManagedObjectModelReference(
      name: "Music 2b", in: modelURL, versionChecksum: checksum2, versionID: "2b")

    edited.versionID = "2b"
    #expect(try edition.resolvedModel == edited)
  }

  private func contents(_ url: URL, _ model: ManagedObjectModel) throws -> [String] {
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    return try context.fetch(FetchRequest(entityName: "Track")).map {
      "\($0["title"].string ?? "nil") \($0["playCount"].integer ?? -1)"
    }
  }
}
