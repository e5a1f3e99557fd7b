import Foundation
import Heavylift
import HeavyliftTestSupport

/// A store that is migrated through the models and mapping files of a sample chain.
final class SampleChain {
  let folder: TemporaryFolder
  private let name: String
  private var store: URL
  private(set) var model: ManagedObjectModel

  init(
    _ name: String, bundle: String? = nil, version: String, fill: (ManagedObjectContext) throws -> Void
  ) throws {
    folder = try TemporaryFolder()
    self.name = name
    model = try Self.model(version, sample: name, bundle: bundle ?? name)
    store = folder.appending("\(version).sqlite")
    let made = try PersistentStore.create(at: store, model: model)
    let context = ManagedObjectContext(store: made)
    try fill(context)
    try context.save()
    try made.close()
  }

  /// Runs the next hop.
  @discardableResult
  func migrate(
    to version: String, bundle: String? = nil, mapping: String, policies: PolicyRegistry = PolicyRegistry(),
    functions: [String: MigrationFunction] = [:]
  ) throws -> MigrationReport {
    let next = try Self.model(version, sample: name, bundle: bundle ?? name)
    let file = Corpus.project.appending(path: "MappingModels/\(name)/\(mapping).xml")
    let manager = MigrationManager(sourceModel: model, destinationModel: next, policies: policies)
    manager.functions = functions
    let destination = folder.appending("\(version).sqlite")
    let report = try manager.migrateStore(
      from: store, to: destination, with: MappingReader.read(contentsOf: file).validMappingModel())
    (store, model) = (destination, next)
    return report
  }

  /// The store in its current version.
  func opened() throws -> ManagedObjectContext {
    ManagedObjectContext(store: try PersistentStore(url: store, models: [model]))
  }

  private static func model(_ version: String, sample: String, bundle: String) throws -> ManagedObjectModel {
    let url = Corpus.project.appending(path: "MappingModels/\(sample)/\(bundle).xcdatamodeld")
    let versions = try ModelBundle(contentsOf: url).versions
    guard let found = versions.first(where: { $0.model.name == version })?.model else {
      throw Diagnostic(.error, code: "test", problem: "'\(bundle)' has no version '\(version)'")
    }
    return found
  }
}
