import Foundation
import Heavylift
import HeavyliftTestSupport

/// A custom stage, step by step: from a store of the source version to the intermediate model, then a script, then to
/// the destination version.
final class StageRun {
  let intermediate: IntermediateModel
  private let test: MigrationTest
  var folder: URL { test.folder.url }
  var source: URL { test.source }
  let destination: URL

  init(
    from old: ManagedObjectModel, to new: ManagedObjectModel, fill: (ManagedObjectContext) throws -> Void
  ) throws {
    intermediate = try IntermediateModel(from: old, to: new)
    test = try MigrationTest(from: old, to: intermediate.model, fill: fill)
    destination = intermediate.isNeeded ? test.folder.appending("last.sqlite") : test.destination
  }

  /// Migrates the store to the intermediate model.
  func expand() throws { try test.migrate(intermediate.expansion) }

  func run(script: (ManagedObjectContext) throws -> Void) throws {
    let store = try PersistentStore(url: test.destination, models: [intermediate.model])
    let context = ManagedObjectContext(store: store)
    try script(context)
    try context.save()
    try store.close()
  }

  /// Migrates the store of the intermediate model to the destination version.
  func contract() throws {
    guard let contraction = intermediate.contraction else { return }
    let manager = MigrationManager(sourceModel: intermediate.model, destinationModel: intermediate.destination)
    try manager.migrateStore(from: test.destination, to: destination, with: [contraction])
  }

  /// The objects of the store before the script runs.
  func intermediateLines() throws -> [String] { try lines(test.destination, intermediate.model) }

  /// The objects of the store of the destination version.
  func lines() throws -> [String] { try lines(destination, intermediate.destination) }

  private func lines(_ url: URL, _ model: ManagedObjectModel) throws -> [String] {
    let context = ManagedObjectContext(store: try PersistentStore(url: url, models: [model]))
    return try MigrationTest.contents(of: context, model).values.flatMap(\.self).sorted()
  }
}
