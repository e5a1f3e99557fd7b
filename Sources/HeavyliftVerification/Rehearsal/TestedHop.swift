import Foundation
import Heavylift
import HeavyliftConcurrency
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A hop of a tested migration. Mappings run in one hop; a custom stage can have two.
struct TestedHop {
  let sourceModel: ManagedObjectModel
  let destinationModel: ManagedObjectModel
  let mappings: [MappingModel]
  /// The part of the stages that the hop carries out, and its handlers.
  var stage: MigrationHistory.Stage?
  var handlers: [MigrationHistory.Handler] = []
  var report = MigrationReport()
  /// The verification of the change of structure; `nil` if both of its stores are still there to be verified.
  var verification: VerificationReport?

  /// The mappings, with everything that they imply.
  var completes: [CompleteEntityMapping] {
    mappings.complete(from: sourceModel, to: destinationModel).flatMap(\.entityMappings)
  }
}

extension MigrationPair {
  /// Migrates a store into a new one, as a program would, and returns the hops.
  ///
  /// - Parameters:
  ///   - old: The store.
  ///   - new: The new store.
  ///   - provenance: The path for the provenance, if it is needed.
  ///   - forcesObjects: True to create all rows object by object.
  ///   - verifies: True to verify the hops whose stores exist only during the migration.
  func carryOut(
    from old: URL, to new: URL, provenance: URL? = nil, forcesObjects: Bool = false, verifies: Bool = false
  ) throws -> [TestedHop] {
    var options = options
    options.forcesObjects = options.forcesObjects || forcesObjects
    guard let stages else {
      options.provenance = provenance
      let manager = MigrationManager(sourceModel: sourceModel, destinationModel: destinationModel, policies: policies)
      manager.functions = functions
      let report = try manager.migrateStore(from: old, to: new, with: mappings, options: options)
      return [
        TestedHop(sourceModel: sourceModel, destinationModel: destinationModel, mappings: mappings, report: report)
      ]
    }
    let tested = Locked<[TestedHop]>([])
    var manager = IncrementalMigrationManager(stages: stages)
    manager.hopOptions = options
    manager.hopHandler = { [options] finished in
      var hop = TestedHop(
        sourceModel: finished.hop.sourceModel, destinationModel: finished.hop.destinationModel,
        mappings: finished.hop.mappings, stage: finished.hop.stage, handlers: finished.hop.handlers)
      if verifies {
        hop.verification = try hop.verify(
          finished.source, finished.destination, finished.provenance, options: options,
          changedEntities: finished.changedEntities)
      }
      tested.withLock { $0.append(hop) }
    }
    let report = try manager.migrate(
      old, into: new, to: destinationModel, options: IncrementalMigrationOptions(provenance: provenance))
    var hops = tested.withLock { $0 }
    for (place, done) in zip(hops.indices, report.hops) { hops[place].report = done.report ?? MigrationReport() }
    // Verified at the end, so that a mistake in the new store is found.
    if hops.count == 1, !hasHandlers { hops[0].verification = nil }
    return hops
  }
}

extension TestedHop {
  /// Recomputes the new store's values.
  func verify(
    _ old: URL, _ new: URL, _ provenance: URL?, policies: PolicyRegistry = PolicyRegistry(),
    functions: [String: MigrationFunction] = [:], options: MigrationOptions = MigrationOptions(),
    changedEntities: [String] = []
  ) throws -> VerificationReport {
    let source = try PersistentStore(url: old, models: [sourceModel], mode: .readOnly)
    defer { try? source.close() }
    let destination = try PersistentStore(url: new, models: [destinationModel], mode: .readOnly)
    defer { try? destination.close() }
    var verifier = StoreVerifier(
      source: source, destination: destination, mappings: mappings, policies: policies, functions: functions,
      provenance: try provenance.map { try MigrationProvenance(contentsOf: $0) })
    (verifier.options, verifier.changedEntities) = (options, Set(changedEntities))
    return try verifier.verify()
  }
}
