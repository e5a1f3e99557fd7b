import Foundation
import Heavylift
import HeavyliftConcurrency
import HeavyliftVerification

/// The mappings of several hops, which lead from one store to another.
///
/// The intermediate stores are gone, so the hops run again in a temporary folder. This works because a migration always
/// assigns the same keys.
struct ChainVerification {
  /// One hop and its mappings: several if the hop has passes.
  struct Hop {
    var models: MappedModels
    var mappings: [MappingSource]
  }

  let hops: [Hop]

  /// Groups mappings by source and destination model, in the given order.
  init(_ mappings: [(source: MappingSource, models: MappedModels)]) {
    var hops: [Hop] = []
    for (source, models) in mappings {
      if let last = hops.last, last.models.isSamePair(as: models) {
        hops[hops.count - 1].mappings.append(source)
      } else {
        hops.append(Hop(models: models, mappings: [source]))
      }
    }
    self.hops = hops
  }

  /// The manager that reruns the hops.
  ///
  /// - Throws: `Diagnostic` if the hops do not join.
  func manager(_ code: MigrationCode, _ options: MigrationOptions) throws -> IncrementalMigrationManager {
    try refuseGaps()
    let candidates = hops.flatMap(\.mappings).map { $0.candidate(named: $0.path) }
    var manager = IncrementalMigrationManager(
      models: models, mappings: try MappingSearch(candidates, in: "the given files").choosing(candidates.map(\.file)),
      code: code)
    manager.hopOptions = options
    return manager
  }

  /// The models of the chain, oldest first.
  var models: [ManagedObjectModel] {
    hops.prefix(1).map(\.models.source.model) + hops.map(\.models.destination.model)
  }

  private func refuseGaps() throws {
    for (earlier, later) in zip(hops, hops.dropFirst())
    where earlier.models.destination.model.versionHashes != later.models.source.model.versionHashes {
      throw Diagnostic(
        .error, code: "verify.gap",
        problem: "'\(earlier.mappings.last?.path ?? "")' leads to model '\(earlier.models.destination.name)', but "
          + "the next mapping, '\(later.mappings.first?.path ?? "")', starts at '\(later.models.source.name)'",
        remedy: "specify the mapping of every hop, in order; or verify while you migrate, with 'migrate --verify'")
    }
  }
}

/// Reruns the hops of a migration and verifies each of them, the last one against a given store.
struct HopRerun {
  var manager: IncrementalMigrationManager
  /// The number of hops.
  let count: Int
  /// The version of the migrated store.
  let version: ManagedObjectModel
  let code: MigrationCode
  let options: MigrationOptions
  /// Only every nth object's values are verified; 1 verifies all objects.
  let stride: Int

  /// Returns the hops' titles and reports, in order.
  func verify(_ source: URL, _ destination: URL) throws -> [(title: String, report: VerificationReport)] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    var manager = manager
    let reports = Locked<[(title: String, report: VerificationReport)]>([])
    manager.hopHandler = { [count, code, options, stride] finished in
      let old = try PersistentStore(url: finished.source, models: [finished.hop.sourceModel], mode: .readOnly)
      defer { try? old.close() }
      let new = try PersistentStore(
        url: finished.number == count ? destination : finished.destination, models: [finished.hop.destinationModel],
        mode: .readOnly)
      defer { try? new.close() }
      var verifier = StoreVerifier(
        source: old, destination: new, mappings: finished.hop.mappings, policies: code.policies,
        functions: code.functions, provenance: try finished.provenance.map { try MigrationProvenance(contentsOf: $0) })
      (verifier.stride, verifier.options) = (stride, options)
      verifier.changedEntities = Set(finished.changedEntities)
      let report = try verifier.verify()
      reports.withLock { $0.append((finished.hop.title, report)) }
    }
    _ = try manager.migrate(source, into: folder.appending(path: "new.sqlite"), to: version)
    return reports.withLock { $0 }
  }
}

extension MappedModels {
  func isSamePair(as other: MappedModels) -> Bool {
    source.model.versionHashes == other.source.model.versionHashes
      && destination.model.versionHashes == other.destination.model.versionHashes
  }
}
