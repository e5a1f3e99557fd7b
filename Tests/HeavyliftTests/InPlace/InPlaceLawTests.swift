import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: a store that is migrated in place becomes the same store as one that is migrated with a copy.
@Suite struct InPlaceLawTests {
  /// The ways in which one generated store was migrated.
  private struct Trial {
    var changes: [String]
    var copied: Result<InPlaceOutcome, any Error>
    var inPlace: Result<InPlaceOutcome, any Error>
    /// The losses that each migration reported, hop by hop.
    var losses: (copied: [[String]], inPlace: [[String]]) = ([], [])
    /// True if the store that could not be migrated in place is unchanged.
    var isUnchanged = true
    var isRefused: Bool {
      if case .failure(let error as MigrationError) = inPlace { error.kind == .notInPlace } else { false }
    }
  }

  /// Returns nil if no mapping can be inferred.
  private func trial(_ seed: UInt64, hops: Int = 1, defersCleanup: Bool = false) throws -> Trial? {
    var generated = LightweightMigration(seed: seed)
    var models = [generated.old, generated.new]
    if hops > 1 { models.append(generated.another()) }
    for (old, new) in zip(models, models.dropFirst()) {
      guard (try? MappingModel.inferred(from: old, to: new)) != nil, new.check().allSatisfy({ $0.severity != .error }),
        !old.isSameVersion(as: new)
      else { return nil }
    }
    guard !models[0].isSameVersion(as: models[models.count - 1]) else { return nil }
    let test = try MigrationTest(from: generated.old, to: generated.new) { try generated.fill($0) }
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    let last = models[models.count - 1]
    var losses: (copied: [[String]], inPlace: [[String]]) = ([], [])
    let copied = Result {
      losses.copied = Self.losses(
        try manager.migrate(test.source, into: test.destination, options: .init(composesHops: false)))
      return try InPlaceOutcome(of: test.destination, last, migratedFrom: test.source, hasLeftovers: defersCleanup)
    }
    let folder = test.folder.appending("place")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path)
    where name.hasPrefix("old.") || name.hasPrefix(".old_") {
      try FileManager.default.copyItem(at: test.folder.appending(name), to: folder.appending(path: name))
    }
    let store = folder.appending(path: "old.sqlite")
    let before = try InPlaceOutcome(of: store, generated.old, migratedFrom: test.source)
    var trial = Trial(
      changes: generated.changes, copied: copied,
      inPlace: Result {
        losses.inPlace = Self.losses(
          try manager.migrate(
            store, options: .init(composesHops: false, mode: .inPlace, defersCleanup: defersCleanup)))
        return try InPlaceOutcome(of: store, last, migratedFrom: test.source, hasLeftovers: defersCleanup)
      })
    trial.losses = losses
    if case .failure = trial.inPlace {
      trial.isUnchanged = try InPlaceOutcome(of: store, generated.old, migratedFrom: test.source) == before
    }
    return trial
  }

  /// The losses of each hop, in words.
  private static func losses(_ report: IncrementalMigrationReport) -> [[String]] {
    report.hops.compactMap(\.report).map { report in
      report.losses.map(\.description)
        + report.rows.filter { $0.removed > 0 }.map { "\($0.entityName): \($0.removed) removed" }
        + report.links.filter { $0.dropped > 0 }.map {
          "\($0.entityName).\($0.relationshipName): \($0.dropped) of \($0.count) dropped, \($0.dangling) dangling"
        }
    }
  }

  private func disagreement(_ trial: Trial) -> String? {
    guard trial.isUnchanged else { return "\(trial.changes)\nthe store was changed" }
    switch (trial.copied, trial.inPlace) {
    case (.success(let copied), .success(let inPlace)):
      guard trial.losses.copied == trial.losses.inPlace else {
        return "\(trial.changes)\ncopied:   \(trial.losses.copied)\nin place: \(trial.losses.inPlace)"
      }
      guard copied != inPlace else { return nil }
      return "\(trial.changes)\n\(copied.difference(inPlace))"
    case (.failure, .failure): return nil
    case (.success, .failure(let error)):
      return trial.isRefused ? nil : "\(trial.changes)\ncopied, but in place: \(error)"
    case (.failure(let error), .success): return "\(trial.changes)\nin place, but copied: \(error)"
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a store migrated in place becomes the same store as one migrated with a copy`(round: UInt64) throws {
    var (stores, refused, failed) = (0, 0, 0)
    for seed in Seeds.some(of: (round * 30)..<(round * 30 + 30)) {
      guard let trial = try trial(seed) else { continue }
      stores += 1
      if trial.isRefused, case .success = trial.copied { refused += 1 }
      if case .failure = trial.copied { failed += 1 }
      if let difference = disagreement(trial) { Issue.record("seed \(seed): \(difference)") }
    }
    #expect(stores > 2 && refused < stores / 2 && failed < stores / 2, "\(stores) \(refused) \(failed)")
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `several hops in one transaction give the same store as a copy after each`(round: UInt64) throws {
    for seed in Seeds.some(of: (10_000 + round * 30)..<(10_000 + round * 30 + 30)) {
      guard let trial = try trial(seed, hops: 2) else { continue }
      if let difference = disagreement(trial) { Issue.record("seed \(seed): \(difference)") }
    }
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `leftovers do not show`(round: UInt64) throws {
    for seed in Seeds.some(of: (20_000 + round * 30)..<(20_000 + round * 30 + 30)) {
      guard let trial = try trial(seed, defersCleanup: true) else { continue }
      if let difference = disagreement(trial) { Issue.record("seed \(seed): \(difference)") }
    }
  }
}
