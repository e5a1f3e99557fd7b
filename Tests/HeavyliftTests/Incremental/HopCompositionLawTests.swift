import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: hops that are composed give the same store as one after the other, reject the same stores, and report the same
/// losses.
@Suite struct HopCompositionLawTests {
  private struct Trial {
    var changes: [String]
    /// The number of hops that other hops replaced.
    var composed = 0
    var reasons: [String] = []
    var disagreement: String?
  }

  /// Returns nil if no mapping can be inferred for one of the hops.
  private static func trial(_ seed: UInt64) throws -> Trial? {
    var generated = LightweightMigration(seed: seed)
    let versions = generated.history(3 + Int(seed % 5))
    var trial = Trial(changes: generated.changes)
    for (old, new) in zip(versions, versions.dropFirst()) {
      guard (try? MappingModel.inferred(from: old, to: new)) != nil, new.check().allSatisfy({ $0.severity != .error })
      else { return nil }
    }
    guard Set(versions.map(\.versionHashes)).count == versions.count else { return nil }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let source = folder.appending("old.sqlite")
    let store = try PersistentStore.create(at: source, model: versions[0])
    try generated.fill(ManagedObjectContext(store: store))
    try store.close()
    let manager = IncrementalMigrationManager(models: versions, infersMissingMappings: true)
    let plan = try manager.plan(for: source)
    trial.composed = versions.count - 1 - plan.hops.count
    trial.reasons = plan.reasonsNotComposed.compactMap(\.self)
    guard trial.composed > 0 else { return trial }
    let single = try FusedChain.outcome(source, folder.appending("single.sqlite"), manager, fuses: false, mayFail: true)
      .0
    let composed = try FusedChain.outcome(
      source, folder.appending("composed.sqlite"), manager, fuses: true, mayFail: true
    ).0
    // If the last version leaves names of columns open, those of the version before it decide.
    let isOpen = versions.last.map { !PhysicalLayout(model: $0).assumptions.isEmpty } ?? false
    let isSame =
      single.rows == composed.rows && (isOpen || single.schema == composed.schema) && single.files == composed.files
      && (single.error == nil) == (composed.error == nil)
      && (single.error != nil || haveSameLosses(single, composed, versions, plan))
    if !isSame {
      trial.disagreement =
        single.difference(composed) + "\n\(single.losses)\n\(composed.losses)\n\(plan)\n"
        + trial.changes.joined(separator: "\n")
    }
    return trial
  }

  /// True if as many objects, values and links are lost.
  ///
  /// Hop by hop, the default value of an attribute that a version adds and a later one removes counts, too, and so do
  /// values and links of objects that a later version removes.
  private static func haveSameLosses(
    _ single: FusedChain.Outcome, _ composed: FusedChain.Outcome, _ versions: [ManagedObjectModel],
    _ plan: IncrementalMigrationPlan
  ) -> Bool {
    let lineages = VersionLineages(versions)
    let starts = plan.hops.compactMap { hop in versions.firstIndex { $0.name == hop.sourceModel.name } }
    let most = losses(single) { survives($0, in: $1, lineages) }
    let own = losses(composed) { survives($0, in: starts[$1], lineages) }
    let addsDefaults = zip(versions, versions.dropFirst()).contains { old, new in
      new.entities.contains { entity in
        let before = Set((old.entity(named: entity.name)?.attributes ?? []).map(\.name))
        return entity.attributes.contains { !$0.defaultValue.isNull && !before.contains($0.name) }
      }
    }
    guard addsDefaults else { return most == own }
    return own[.values, default: 0] <= most[.values, default: 0]
      && MigrationLoss.Unit.allCases.allSatisfy { $0 == .values || own[$0] == most[$0] }
  }

  private static func losses(
    _ outcome: FusedChain.Outcome, where isCounted: (_ entity: String, _ hop: Int) -> Bool
  ) -> [MigrationLoss.Unit: Int] {
    var counts: [MigrationLoss.Unit: Int] = [:]
    for (hop, losses) in outcome.losses.enumerated() {
      for loss in losses where loss.unit == .objects || isCounted(loss.entity, hop) {
        if let count = loss.count, count > 0 { counts[loss.unit, default: 0] += count }
      }
    }
    return counts
  }

  private static func survives(_ entity: String, in version: Int, _ lineages: VersionLineages) -> Bool {
    var place = lineages.index(version).entity(named: entity)
    for version in version..<lineages.models.count - 1 {
      place = place.flatMap { lineages.successor(ofEntity: $0, in: version, to: version + 1) }
    }
    return place != nil
  }

  @Test(arguments: Seeds.some(of: 0..<Seeds.histories))
  func `composed hops do what the hops do one after the other`(seed: UInt64) throws {
    guard let trial = try Self.trial(seed) else { return }
    #expect(trial.disagreement == nil, "seed \(seed): \(trial.disagreement ?? "")")
  }

  @Test func `most hops are composed`() throws {
    let trials = try (UInt64(1000)..<1060).compactMap(Self.trial)
    #expect(trials.count > 20)
    #expect(trials.count { $0.composed > 0 } > trials.count / 2, "\(trials.flatMap(\.reasons))")
  }
}
