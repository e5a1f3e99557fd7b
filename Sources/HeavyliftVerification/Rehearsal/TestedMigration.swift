import Foundation
public import Heavylift
import HeavyliftModel
public import HeavyliftStore

/// A migration of a store that was built from a graph, with everything that a test may want to check.
///
/// Both stores are in a folder that is removed with this object.
public final class TestedMigration {
  /// The pair that the outcome is compared with.
  public let pair: MigrationPair
  /// The graph that the store was built from.
  public let sourceGraph: ObjectGraph
  /// The migration's own report. If stages needed several hops, it has the entity mappings and notes of all of them.
  public let report: MigrationReport
  /// The independent verifier's report, about everything except what handlers of stages do.
  public let verification: VerificationReport
  /// The contents of the migrated store.
  ///
  /// An object has the name of its source. If one source has several counterparts, their entity's name is appended, and
  /// a number if that is not enough: `song.SongData`, `summary.PerformedSet2`. An object that a policy created and
  /// associated with no source is named after its entity and key.
  public let graph: ObjectGraph
  /// The migrated store.
  public let store: PersistentStore
  /// A context with the migrated store's objects.
  public let context: ManagedObjectContext
  /// Always the same, because object URIs contain the identifier and a policy may store URIs.
  static let storeIdentifier = "00000000-0000-4000-8000-000000000000"

  /// The provenance of the migration.
  let origins: ObjectOrigins
  /// The hops that the migration consisted of.
  let hops: [TestedHop]
  private let folder: URL

  /// - Parameters:
  ///   - actual: The pair that migrates the store, if it is not the pair that the outcome is compared with.
  ///   - alter: Changes the migrated store before it is checked.
  init(
    _ pair: MigrationPair, _ sourceGraph: ObjectGraph, carriedOutBy actual: MigrationPair? = nil,
    altering alter: ((ManagedObjectContext, [String: ManagedObjectID]) throws -> Void)? = nil
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var isComplete = false
    defer { if !isComplete { try? FileManager.default.removeItem(at: folder) } }
    let (old, new) = (folder.appending(path: "old.sqlite"), folder.appending(path: "new.sqlite"))
    var creation = PersistentStore.CreationOptions()
    creation.identifier = Self.storeIdentifier
    let names = try sourceGraph.build(at: old, model: pair.sourceModel, options: creation)
    let provenanceURL = folder.appending(path: "provenance.sqlite")
    var hops = try (actual ?? pair).carryOut(from: old, to: new, provenance: provenanceURL, verifies: true)
    let provenance = try MigrationProvenance(contentsOf: provenanceURL)
    let origins = try ObjectOrigins(provenance, sourceNames: names)
    if let alter {
      try Self.change(new, pair.destinationModel) { context in
        try alter(
          context, Dictionary(origins.names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first }))
      }
    }
    if pair.stages == nil {
      // The outcome is compared with the pair's own mappings, whatever migrated the store.
      hops = [
        TestedHop(
          sourceModel: pair.sourceModel, destinationModel: pair.destinationModel, mappings: pair.mappings,
          report: hops[0].report)
      ]
    }
    for place in hops.indices where hops[place].verification == nil {
      hops[place].verification = try hops[place].verify(
        old, new, provenanceURL, policies: pair.policies, functions: pair.functions, options: pair.options,
        changedEntities: hops[place].report.changedEntities)
    }
    let store = try PersistentStore(url: new, models: [pair.destinationModel], mode: .readOnly)
    report = MigrationReport(joining: hops.map(\.report))
    verification = VerificationReport(joining: hops.compactMap(\.verification))
    self.hops = hops
    self.origins = origins
    graph = try ObjectGraph(store, names: origins.names)
    self.store = store
    context = ManagedObjectContext(store: store)
    self.pair = pair
    self.sourceGraph = sourceGraph
    self.folder = folder
    isComplete = true
  }

  private static func change(
    _ url: URL, _ model: ManagedObjectModel, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    let store = try PersistentStore(url: url, models: [model])
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    try body(context)
    if context.hasChanges { try context.save() }
  }

  deinit {
    try? store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the failures: differences from the mapping, and differences from the expectation.
  ///
  /// - Parameter expected: The expected contents of the migrated store; `nil` to use only the verifier.
  public func failures(expecting expected: ObjectGraph? = nil) -> [MigrationFailure] {
    let words = FailureWords(self)
    var failures = verification.examples.compactMap { words.failure($0, verification) }
    if verification.addedDamage > 0 {
      failures += verification.damage.map { MigrationFailure(problem: "the new store is damaged: \($0.summary)") }
    }
    failures += verification.otherContents.differences.map { MigrationFailure(problem: "the new store: \($0)") }
    if let expected {
      failures += GraphComparison(expected: expected, found: graph, model: pair.destinationModel).differences.map {
        words.failure($0)
      }
    }
    return failures
  }
}

extension MigrationPair {
  /// Builds a store from a graph, migrates it on disk with the real mapping and policies, and opens the result.
  public func migrate(_ graph: ObjectGraph) throws -> TestedMigration { try TestedMigration(self, graph) }
}
