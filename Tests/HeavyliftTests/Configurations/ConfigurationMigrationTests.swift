import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A policy that does nothing of its own.
private final class CallingPolicy: EntityMigrationPolicy {}

/// Migrations of stores that contain one configuration of their model.
@Suite struct ConfigurationMigrationTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Diary.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func contents(_ url: URL, version: Int = 3) throws -> [String] {
    let store = try PersistentStore(url: url, models: [DiaryStores.models[version - 1]], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    var lines = ["configuration \(store.configuration ?? "-")"]
    for entity in store.layout.entities {
      for object in try context.fetch(FetchRequest(entityName: entity.name)) {
        let values = entity.attributes.map { "\($0.name)=\(text(object[$0.name]))" }
        let targets = try entity.toOnes.map { "\($0.name)=\(try object.object(forKey: $0.name)?.objectID.key ?? 0)" }
        lines.append("\(entity.name) \(object.objectID.key): " + (values + targets).sorted().joined(separator: " "))
      }
    }
    return lines
  }

  private func text(_ value: Value) -> String {
    value.string.map { "'\($0)'" } ?? value.integer.map { "\($0)" } ?? "nil"
  }

  private static let local = [
    "configuration Local", "Folder 1: name='inbox'", "Note 1: folder=1 length=6 rank=3 title='one'",
    "Note 2: folder=1 length=6 rank=3 title='three'", "Note 3: folder=1 length=6 rank=3 title=nil",
  ]
  private static let cloud = [
    "configuration Cloud", "Photo 1: path='a' size=nil", "Photo 2: path='b' size=nil", "Zone 1: name='z'",
  ]

  /// The schema of a new store of the last version.
  private func schema(of configuration: String) throws -> [String] {
    let url = folder.appending("fresh.sqlite")
    var options = PersistentStore.CreationOptions()
    options.configuration = configuration
    let fresh = try PersistentStore.create(at: url, model: DiaryStores.models[2], options: options)
    defer { try? fresh.close() }
    return try fresh.database.schemaTexts()
  }

  private enum Way: CaseIterable {
    case statements, objects, policy, separate, intoAnother
  }

  @Test(arguments: [("Local", local), ("Cloud", cloud)], Way.allCases)
  private func `a store of one configuration stays one`(_ given: (name: String, contents: [String]), _ way: Way) throws
  {
    try DiaryStores.make(at: store, given.name)
    var options = MigrationOptions()
    options.forcesObjects = way == .objects
    let manager = DiaryStores.manager(
      options, mapping: try DiaryStores.mapping(policy: way == .policy ? "CallingPolicy" : nil),
      policies: PolicyRegistry(CallingPolicy.self))
    let destination = way == .intoAnother ? folder.appending("new.sqlite") : store
    let report =
      way == .intoAnother
      ? try manager.migrate(store, into: destination)
      : try manager.migrate(store, options: IncrementalMigrationOptions(composesHops: way != .separate))
    #expect(report.hops.count == 2)
    #expect(try contents(destination) == given.contents)
    let database = try Database(path: destination.path, mode: .readOnly)
    #expect(try database.schemaTexts() == schema(of: given.name))
  }

  @Test(arguments: ["Local", "Cloud"]) func `a migration in place has the same result`(_ name: String) throws {
    let models = Array(DiaryStores.models[...1])
    try DiaryStores.make(at: store, name)
    let copy = folder.appending("copy.sqlite")
    try DiaryStores.manager(models: models).migrate(store, into: copy)
    try FileManager.default.copyItem(at: store, to: folder.appending("before.sqlite"))
    try DiaryStores.manager(models: models).migrate(store, options: IncrementalMigrationOptions(mode: .inPlace))
    let before = folder.appending("before.sqlite")
    let (new, copied) = try (
      InPlaceOutcome(of: store, models[1], migratedFrom: before),
      InPlaceOutcome(of: copy, models[1], migratedFrom: before)
    )
    #expect(new == copied, "\(copied.difference(new))")
  }

  @Test func `the handlers of a stage see the configuration's objects`() throws {
    try DiaryStores.make(at: store, "Local")
    let stage = CustomMigrationStage(
      migratingFrom: DiaryStores.reference(2),
      to: DiaryStores.reference(3))
    stage.migrate("Note") { old, new in new["length"] = .integer((old["rank"].integer ?? 0) * 2) }
    let first = LightweightMigrationStage(DiaryStores.models[...1].map(\.versionChecksum))
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([first, stage], versions: DiaryStores.models))
    try manager.migrate(store)
    #expect(try contents(store) == Self.local)
  }

  @Test(arguments: ["Local", "Cloud"]) func `a migrated store verifies`(_ name: String) throws {
    try DiaryStores.make(at: store, name)
    let (second, third) = (folder.appending("2.sqlite"), folder.appending("3.sqlite"))
    try DiaryStores.manager(models: Array(DiaryStores.models[...1])).migrate(store, into: second)
    try DiaryStores.manager(mapping: try DiaryStores.mapping()).migrate(second, into: third)
    let stores = try [second, third].enumerated().map {
      try PersistentStore(url: $1, models: [DiaryStores.models[$0 + 1]], mode: .readOnly)
    }
    let report = try StoreVerifier(
      source: stores[0], destination: stores[1], mappings: [try DiaryStores.mapping()]
    ).verify()
    #expect(report.isClean, "\(report.examples)")
  }

  @Test func `a plan names the configuration, and does not mention entities of others`() throws {
    try DiaryStores.make(at: store, "Local")
    let manager = DiaryStores.manager(mapping: try DiaryStores.mapping())
    let plan = try manager.plan(for: store)
    #expect(plan.configuration == "Local")
    #expect(plan.description.contains("has version 'Diary 1', configuration 'Local', according to its version hashes"))
    for (number, hop) in plan.hops.enumerated() {
      let execution = MappingHopExecution()
      let steps = try execution.plan(
        from: number == 0 ? store : nil, hop: hop, configuration: plan.configuration
      ).steps
      #expect(
        steps.compactMap(\.destinationEntityName).sorted() == ["Draft", "Folder", "Note"])
    }
  }

  @Test func `a store whose configuration did not change is current`() throws {
    var models = Array(DiaryStores.models[1...])
    models[1].edit("Note") { $0.attributes.removeAll { $0.name == "length" } }
    var options = PersistentStore.CreationOptions()
    options.configuration = "Local"
    try PersistentStore.create(at: store, model: models[0], options: options).close()
    #expect(try DiaryStores.manager(models: models).plan(for: store).isCurrent)
  }

  // MARK: Changed configurations

  /// The first two versions, with other configurations in the second.
  private func models(_ change: (inout [ConfigurationDescription]) -> Void) -> [ManagedObjectModel] {
    var models = Array(DiaryStores.models[...1])
    change(&models[1].configurations)
    return models
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    failure(body)?.replacing(store.resolvingLinks.path, with: "STORE")
  }

  @Test func `objects of an entity that leaves the configuration are not dropped`() throws {
    try DiaryStores.make(at: store, "Local")
    let models = models {
      $0[0].entityNames.insert("Folder")
      $0[1].entityNames.remove("Folder")
    }
    let manager = DiaryStores.manager(models: models)
    let expected = """
      error[migration.outside-configuration]: entity mapping 'FolderToFolder' would drop 1 × Folder: the new store \
      contains configuration 'Local', which does not have entity 'Folder'
        add the entity to the configuration, or remove the objects with <entity-mapping type="remove" source="Folder"/>
      """
    #expect(refusal { try manager.migrate(store) }?.contains(expected) == true)
    #expect(refusal { try manager.migrate(store, options: .init(mode: .inPlace)) }?.contains(expected) == true)
    let hop = try manager.chainPlan(for: store).hops[0]
    #expect(refusal { _ = try MappingHopExecution().plan(from: store, hop: hop) } == expected)
  }

  @Test func `an entity without objects may leave the configuration`() throws {
    var options = PersistentStore.CreationOptions()
    options.configuration = "Local"
    try PersistentStore.create(at: store, model: DiaryStores.models[0], options: options).close()
    let models = models { $0[1].entityNames.remove("Folder") }
    try DiaryStores.manager(models: models).migrate(store)
    let migrated = try PersistentStore(url: store, models: [models[1]])
    #expect(migrated.layout.entities.map(\.name) == ["Draft", "Note"])
  }

  @Test func `an entity may come from another configuration`() throws {
    try DiaryStores.make(at: store, "Local")
    let models = models { $0[1].entityNames.insert("Zone") }
    try DiaryStores.manager(models: models).migrate(store)
    let migrated = try PersistentStore(url: store, models: [models[1]])
    #expect(migrated.layout.entities.map(\.name) == ["Draft", "Folder", "Note", "Zone"])
    #expect(try migrated.objectCounts() == ["Folder": 1, "Note": 3])
  }

  @Test func `a renamed configuration must be chosen`() throws {
    try DiaryStores.make(at: store, "Local")
    let models = models { $0[1].name = "Device" }
    let hop = try DiaryStores.manager(models: models).chainPlan(for: store).hops[0]
    #expect(
      refusal { _ = try MappingHopExecution().plan(from: store, hop: hop) } == """
        error[migration.lost-configuration]: the store contains configuration 'Local', which version 'Diary 2' does \
        not have
          choose the configuration of the new store with --configuration, or in code with \
        MigrationOptions.configuration; available: 'Cloud' and 'Device'
        """)
    var options = MigrationOptions()
    options.configuration = "Devise"
    let manager = MigrationManager(sourceModel: models[0], destinationModel: models[1])
    #expect(
      refusal {
        try manager.migrateStore(
          from: store, to: folder.appending("new.sqlite"), with: hop.mappings, options: options)
      }?.contains("the model has no configuration 'Devise'") == true)
    options.configuration = "Device"
    try DiaryStores.manager(options, models: models).migrate(store)
    #expect(try PersistentStore(url: store, models: [models[1]]).configuration == "Device")
  }

  @Test func `a model without configurations takes a store of one`() throws {
    try DiaryStores.make(at: store, "Local")
    let models = models { $0 = [] }
    try DiaryStores.manager(models: models).migrate(store)
    #expect(try PersistentStore(url: store, models: [models[1]]).objectCounts() == ["Folder": 1, "Note": 3])
  }

  @Test func `a store without configurations becomes one of the chosen configuration`() throws {
    var first = DiaryStores.models[0]
    first.entities.removeAll { ["Photo", "Zone"].contains($0.name) }
    first.edit("Note") { $0.relationships.removeAll { $0.name == "photo" } }
    first.configurations = []
    try DiaryStores.make(at: store, "Local", model: DiaryStores.models[0])
    try DiaryStores.manager(models: [DiaryStores.models[0], first]).migrate(store)
    var options = MigrationOptions()
    options.configuration = "Local"
    let manager = DiaryStores.manager(
      options, mapping: try DiaryStores.mapping(), models: [first] + DiaryStores.models[1...])
    try manager.migrate(store)
    #expect(try contents(store) == Self.local)
    #expect(try manager.plan(for: store).isCurrent)
    options.configuration = "Cloud"
    #expect(
      refusal { _ = try DiaryStores.manager(options).plan(for: store) } == """
        error[migration.no-path]: store 'STORE' has version 'Diary 3' already, with configuration 'Local', and not \
        configuration 'Cloud'
          request the configuration when you migrate an older version of the store
        """)
    options.configuration = "Clout"
    #expect(
      refusal { _ = try DiaryStores.manager(options).plan(for: store) } == """
        error[store.unknown-configuration]: the model has no configuration 'Clout'
          did you mean 'Cloud'?
        """)
  }
}
