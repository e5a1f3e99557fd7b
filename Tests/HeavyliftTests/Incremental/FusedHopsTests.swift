import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: hops that are read through give what hops give that are written, byte for byte.
@Suite struct FusedHopsTests {
  /// Every row of every table and the whole schema, or what was thrown.
  private struct Outcome: Equatable {
    var rows: [String: [String]] = [:]
    var schema: [String] = []
    var counts: [[String: Int]] = []
    var mappings: [[MigrationReport.Mapping]] = []
    var error: String?
  }

  private func outcome(
    _ source: URL, _ target: URL, _ manager: IncrementalMigrationManager, fuses: Bool
  ) throws -> (Outcome, readThrough: Int) {
    let options = IncrementalMigrationOptions(fusesHops: fuses)
    let report: IncrementalMigrationReport
    do {
      report = try manager.migrate(source, into: target, options: options)
    } catch {
      try? FileManager.default.removeItem(
        at: target.deletingLastPathComponent().appending(path: ".\(target.lastPathComponent).heavylift"))
      return (Outcome(error: "\(error)".replacing(target.lastPathComponent, with: "destination")), 0)
    }
    let database = try Database(path: target.path, mode: .readOnly)
    func rows(_ sql: String) throws -> [String] {
      var cursor = try database.prepare(sql).query()
      var rows: [String] = []
      while try cursor.next() { rows.append(try cursor.row.values().map { "\($0)" }.joined(separator: " | ")) }
      return rows
    }
    var outcome = Outcome(schema: try rows("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"))
    for name in try rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let table = String(name.dropFirst(6).dropLast(2))
      outcome.rows[table] = try rows("SELECT * FROM \(table.asSQLIdentifier)").sorted()
    }
    outcome.counts = report.hops.map { $0.report?.objects ?? [:] }
    outcome.mappings = report.hops.map { $0.report?.mappings ?? [] }
    return (outcome, report.hops.filter(\.wasReadThrough).count)
  }

  private func both(seed: UInt64) throws -> (written: Outcome, fused: Outcome, readThrough: Int) {
    var (models, mappings, first) = try GeneratedMigration.chain(seed: seed, hops: 4)
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let source = folder.appending("old.sqlite")
    let store = try PersistentStore.create(at: source, model: models[0])
    let context = ManagedObjectContext(store: store)
    try first.fill(context)
    try context.save()
    try store.close()
    let manager = IncrementalMigrationManager(
      models: models,
      mappings: MappingSearch(
        mappings.enumerated().map { MappingCandidate(file: "\($0.offset).xml", mappingModel: $0.element) }))
    let written = try outcome(source, folder.appending("written.sqlite"), manager, fuses: false)
    let fused = try outcome(source, folder.appending("fused.sqlite"), manager, fuses: true)
    return (written.0, fused.0, fused.readThrough)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `hops that are read through give what written ones give`(round: UInt64) throws {
    var (readThrough, done) = (0, 0)
    for seed in (round * 20)..<(round * 20 + 20) {
      let (written, fused, count) = try both(seed: seed)
      readThrough += count
      if written.error == nil { done += 1 }
      guard written != fused else { continue }
      let tables = Set(written.rows.keys).union(fused.rows.keys).sorted().filter { written.rows[$0] != fused.rows[$0] }
      let difference = tables.map {
        "\($0)\n  written: \(written.rows[$0] ?? [])\n  fused:   \(fused.rows[$0] ?? [])"
      }
      Issue.record(
        """
        seed \(seed)
        written: \(written.error ?? "done") \(written.counts) \(written.mappings)
        fused: \(fused.error ?? "done") \(fused.counts) \(fused.mappings)
        \(difference.joined(separator: "\n"))
        """)
      return
    }
    #expect(readThrough > 5 && done > 5, "\(readThrough) hops were read through, \(done) of 20 chains went well")
  }
}
