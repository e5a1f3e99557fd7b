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
    let isSame =
      single.rows == composed.rows && single.schema == composed.schema && single.files == composed.files
      && (single.error == nil) == (composed.error == nil)
      && (single.error != nil || losses(single, of: versions[0]) == losses(composed, of: versions[0]))
    if !isSame {
      trial.disagreement =
        single.difference(composed) + "\n\(single.losses)\n\(composed.losses)\n\(plan)\n"
        + trial.changes.joined(separator: "\n")
    }
    return trial
  }

  /// The losses, by unit: the numbers of objects, values and links of the first version.
  ///
  /// Hop by hop, the default value of an attribute that a later version removes counts, too.
  private static func losses(_ outcome: FusedChain.Outcome, of first: ManagedObjectModel) -> [MigrationLoss.Unit: Int] {
    let names = Set(first.entities.flatMap { $0.properties.flatMap { [$0.name, "\($0.name)New"] } })
    return outcome.losses.joined().reduce(into: [:]) { counts, loss in
      guard let count = loss.count, loss.property.map(names.contains) ?? true else { return }
      counts[loss.unit, default: 0] += count
    }.filter { $0.value > 0 }
  }

  @Test(arguments: Seeds.some(of: 0..<400))
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
