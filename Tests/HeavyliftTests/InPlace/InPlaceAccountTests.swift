import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: a migration in place that loses objects or links fails, whichever statement is at fault.
@Suite struct InPlaceAccountTests {
  private struct Attempt {
    /// The rows that each statement has changed.
    var counts: [Int?] = []
    var statements: [InPlaceChange.Statement] = []
    var error: (any Error)?
  }

  /// Migrates a copy of a store without one of the statements, and without validation.
  private func attempt(_ generated: LightweightMigration, _ store: URL, leavingOut omitted: Int?) throws -> Attempt? {
    let folder = try TemporaryFolder()
    let copy = folder.appending("store.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    let manager = IncrementalMigrationManager(models: [generated.old, generated.new], infersMissingMappings: true)
    let hop = try #require(try manager.chainPlan(for: copy).hops.first)
    let execution = try #require(manager.execution as? MappingHopExecution)
    let file = try StoreFile(url: copy, mode: .readWrite)
    let source = try PersistentStore(file: file, model: generated.old, configuration: nil)
    let planned: InPlacePlanner.Hop
    var planner = try InPlacePlanner(
      source, hop, try execution.manager(for: hop, cancellation: MigrationCancellation()), execution.options,
      defersCleanup: false)
    do {
      planned = try planner.make()
      try source.refuseRows(blocking: planned.change)
    } catch {
      return nil
    }
    var change = planned.change
    var result = Attempt(statements: change.statements)
    if let omitted { change.statements.remove(at: omitted) }
    do {
      let account = try InPlaceAccount(planner.stores, planner.keys, planned.change)
      result.counts = try source.perform(
        change, model: generated.new, layout: planned.blueprint.layout, configuration: nil, applicationValues: [:],
        willRun: {})
      try account.check(
        try PersistentStore(file: StoreFile(reopening: file), model: generated.new, configuration: nil))
    } catch {
      result.error = error
    }
    try source.close()
    return result
  }

  @Test func `a missing statement is noticed`() throws {
    let watched: Set<InPlaceEffect> = [.movesRows, .fillsLinks, .removesLinks, .removesRows, .renumbersRows]
    var tried: [InPlaceEffect: Int] = [:]
    var told = 0
    for seed in Seeds.some(of: 0..<250) {
      var generated = LightweightMigration(seed: seed)
      guard (try? MappingModel.inferred(from: generated.old, to: generated.new)) != nil,
        generated.new.check().allSatisfy({ $0.severity != .error }), !generated.old.isSameVersion(as: generated.new)
      else { continue }
      let test = try MigrationTest(from: generated.old, to: generated.new) { try generated.fill($0) }
      guard let whole = try attempt(generated, test.source, leavingOut: nil) else { continue }
      #expect(whole.error == nil, "seed \(seed): \(generated.changes)")
      for (index, statement) in whole.statements.enumerated()
      where watched.contains(statement.effect) && whole.counts[index] ?? 0 > 0 {
        tried[statement.effect, default: 0] += 1
        let mutant = try #require(try attempt(generated, test.source, leavingOut: index))
        #expect(mutant.error != nil, "seed \(seed): \(generated.changes)\n\(statement.sql)")
        if let error = mutant.error as? HopError {
          told += 1
          #expect(error.remedy?.hasPrefix("nothing was changed; migrate with a copy") == true, "\(error)")
        }
      }
    }
    #expect(tried.count > 2 && told > 2, "\(tried) \(told)")
  }
}
