import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// The Swift code of the page about lightweight migration, word for word.
struct LightweightExamples {
  private let folder: TemporaryFolder
  private var storeURL: URL { folder.appending("Tracks.sqlite") }
  private let models = ["length", "seconds"].map { name in
    ManagedObjectModel(
      name: name == "length" ? "Tracks 1" : "Tracks 2",
      entities: [
        EntityDescription(
          name: "Track",
          attributes: [
            AttributeDescription(name: "title", type: .string), AttributeDescription(name: name, type: .double),
          ])
      ])
  }

  init() throws {
    folder = try TemporaryFolder()
    try PersistentStore.create(at: folder.appending("Tracks.sqlite"), model: models[0]).close()
  }

  @Test func `a mapping is inferred`() throws {
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    try manager.migrate(storeURL)

    #expect(try manager.plan(for: storeURL).isCurrent)
  }

  @Test func `a store is changed in place`() throws {
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    var printed: [String] = []
    func print(_ plan: IncrementalMigrationPlan) { printed.append(plan.description) }

    let options = IncrementalMigrationOptions(mode: .inPlace)
    print(try manager.plan(for: storeURL, options: options))
    try manager.migrate(storeURL, options: options)

    #expect(printed.count == 1 && printed[0].contains("adds column 'ZSECONDS' of table 'ZTRACK'"))
    #expect(try manager.plan(for: storeURL).isCurrent)
  }

  @Test func `the new store's configuration is chosen`() throws {
    var versions = models
    versions[1].configurations = [ConfigurationDescription(name: "Device", entityNames: ["Track"])]
    var migrations = IncrementalMigrationManager(models: versions, infersMissingMappings: true)
    migrations.hopOptions.configuration = "Device"

    try migrations.migrate(storeURL)
    #expect(try migrations.plan(for: storeURL).isCurrent)
  }

  @Test func `a cleanup is deferred`() throws {
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)

    let options = IncrementalMigrationOptions(mode: .inPlace, defersCleanup: true)
    try manager.migrate(storeURL, options: options)
    while try manager.finishDeferredLightweightMigrationTask(of: storeURL) {
      print("more to drop")
    }

    #expect(try StoreFile(url: storeURL).metadata.deferredCleanup == [])
  }

  @Test func `a cleanup is finished later`() throws {
    let (manager, store) = (IncrementalMigrationManager(models: models, infersMissingMappings: true), storeURL)

    var options = IncrementalMigrationOptions()
    (options.mode, options.defersCleanup) = (.inPlace, true)
    try manager.migrate(store, options: options)
    // Later, when the application has time:
    try manager.finishDeferredLightweightMigration(of: store)

    #expect(try StoreFile(url: store).metadata.deferredCleanup == [])
  }
}
