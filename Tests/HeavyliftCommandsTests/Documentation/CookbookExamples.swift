import Foundation
import Heavylift

/// Creates one object for each distinct value of the source attribute that the mapping file names.
final class OnePerValue: EntityMigrationPolicy {
  private var objects: [Value: ManagedObject] = [:]
  private var name = "name"

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    name = mapping.userInfo["attribute"] ?? name
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    if source[name] != .null, let object = objects[source[name]] {
      try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
      return
    }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }

  override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    objects[old[name]] = new
  }
}

/// The rest of the Swift code of the cookbook.
enum CookbookExamples {
  static func addFunctions(to manager: MigrationManager) {
    manager.functions["reencoded:"] = MigrationFunction { (key: Data?) in
      guard let key else { return nil as Data? }
      guard let bytes = Data(base64Encoded: key) else { throw CocoaError(.coderInvalidValue) }
      return bytes
    }
  }

  static func archive(
    _ storeURL: URL, to archiveURL: URL, models: [ManagedObjectModel], mappings mappingsURL: URL
  ) throws {
    let mappings = try MappingSearch(contentsOf: mappingsURL)
    let archiving = IncrementalMigrationManager(models: models, mappings: try mappings.choosing(["archive.xml"]))
    try archiving.migrate(storeURL, into: archiveURL)
    let keeping = IncrementalMigrationManager(models: models, mappings: try mappings.choosing(["rest.xml"]))
    try keeping.migrate(storeURL)
  }
}
