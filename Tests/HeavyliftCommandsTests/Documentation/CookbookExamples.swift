import Foundation
import Heavylift

/// Creates one object for each distinct value of the source attribute that the mapping file names.
final class OnePerValue: EntityMigrationPolicy {
  private var objects: [Value: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let value = source[mapping.userInfo["attribute"] ?? "name"]
    if value != .null, let object = objects[value] {
      manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
      return
    }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    objects[value] = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first
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
    let mappings = try MappingFolder(contentsOf: mappingsURL).search
    let archiving = IncrementalMigrationManager(models: models, mappings: try mappings.choosing(["archive.xml"]))
    try archiving.migrate(storeURL, into: archiveURL)
    let keeping = IncrementalMigrationManager(models: models, mappings: try mappings.choosing(["rest.xml"]))
    try keeping.migrate(storeURL)
  }
}
