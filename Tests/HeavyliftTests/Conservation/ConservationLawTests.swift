import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Law: no source object, value or link disappears unless the mapping says so.
@Suite struct ConservationLawTests {
  private static let entities = ["Track", "Special", "Album", "Cover", "Tag", "Note"]

  /// A generated migration without policies that mentions every entity.
  private static func candidate(_ seed: UInt64) throws -> MigrationCase {
    var candidate = MigrationCase(try GeneratedMigration(seed: seed * 2))
    for name in entities where !candidate.mappings[0].entityMappings.contains(where: { $0.sourceEntityName == name }) {
      candidate.mappings[0].entityMappings.append(EntityMappingDescription(source: name, destination: name))
    }
    candidate.mappings[0] = candidate.mappings[0].declaringLosses(of: candidate.models[0])
    return candidate
  }

  private static func test(_ candidate: MigrationCase) throws -> MigrationTest {
    try MigrationTest(from: candidate.models[0], to: candidate.models[1]) { try candidate.populate($0) }
  }

  /// The losses, or nil if the migration fails.
  private static func losses(_ candidate: MigrationCase, _ refusals: inout [String]) throws -> [String]? {
    let test = try test(candidate)
    let report: MigrationReport
    do {
      report = try test.migrate(candidate.mappings[0])
    } catch {
      refusals.append("\(error)")
      return nil
    }
    return try ConservationJudge(test, candidate.mappings[0], report).losses()
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `nothing disappears unless the mapping says so`(round: UInt64) throws {
    var (done, refusals) = (0, [String]())
    for seed in (round * 20)..<(round * 20 + 20) {
      let candidate = try Self.candidate(seed)
      guard let losses = try Self.losses(candidate, &refusals) else { continue }
      done += 1
      guard !losses.isEmpty else { continue }
      let least = try candidate.shrunk { try Self.losses($0, &refusals)?.isEmpty == false }
      Issue.record("seed \(seed)\n\(try Self.losses(least, &refusals)?.joined(separator: "\n") ?? "")\n\(least)")
      return
    }
    #expect(done > 3, "\(done) of 20 migrations succeeded:\n\(refusals.joined(separator: "\n"))")
  }

  /// Copies everything, so that any damage is a loss.
  private static func copying(_ seed: UInt64) throws -> MigrationCase {
    var candidate = MigrationCase(try GeneratedMigration(seed: seed * 2))
    candidate.mappings[0].entityMappings = entities.map { EntityMappingDescription(source: $0, destination: $0) }
    candidate.mappings[0] = candidate.mappings[0].declaringLosses(of: candidate.models[0])
    return candidate
  }

  @Test(arguments: StoreDamage.allCases)
  func `the judge detects losses in a finished store`(damage: StoreDamage) throws {
    var caught = 0
    for seed in 100..<112 as Range<UInt64> where caught < 2 {
      let candidate = try Self.copying(seed)
      let test = try Self.test(candidate)
      guard let report = try? test.migrate(candidate.mappings[0]) else { continue }
      let store = try PersistentStore(url: test.destination, models: [test.new])
      let changes = try damage.damage(store.database, store.layout)
      try store.close()
      guard changes > 0 else { continue }
      let losses = try ConservationJudge(test, candidate.mappings[0], report).losses()
      #expect(!losses.isEmpty, "seed \(seed), an engine that \(damage.rawValue)\n\(candidate)")
      caught += 1
    }
    #expect(caught == 2)
  }

  /// Without `.column`: `verify` checks values, and comparing them here would mean migrating twice.
  @Test(arguments: StoreDamage.allCases.filter { $0 != .column })
  func `a hop that loses or duplicates objects or links fails`(damage: StoreDamage) throws {
    var (caught, refusals) = (0, [String]())
    for seed in 100..<112 as Range<UInt64> where caught < 2 {
      let candidate = try Self.copying(seed)
      let test = try Self.test(candidate)
      do {
        try test.migrate(candidate.mappings[0])
      } catch {
        refusals.append("\(error)")
        continue
      }
      try FileManager.default.removeItem(at: test.destination)
      try? FileManager.default.removeItem(at: ExternalDataFolder(store: test.destination).supportFolder)
      var changes = 0
      test.manager.faultHook = { changes = try damage.damage($0.database, $0.layout) }
      let error: (any Error)?
      do {
        try test.migrate(candidate.mappings[0])
        error = nil
      } catch let thrown {
        error = thrown
      }
      guard changes > 0 else {
        refusals.append("seed \(seed): nothing to damage; \(error.map { "\($0)" } ?? "no error")")
        continue
      }
      #expect(error is HopError, "seed \(seed), an engine that \(damage.rawValue)\n\(candidate)")
      caught += 1
    }
    #expect(caught == 2, "\(refusals.joined(separator: "\n"))")
  }
}
