import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: the verifier agrees with the engine on every value, and finds a value that was changed manually.
@Suite struct VerifierLawTests {
  private struct Pair {
    let test: MigrationTest
    let mapping: MappingModel
    let provenance: URL

    func verify(_ url: URL? = nil, withProvenance: Bool) throws -> VerificationReport {
      let source = try PersistentStore(url: test.source, models: [test.old], mode: .readOnly)
      let destination = try PersistentStore(url: url ?? test.destination, models: [test.new], mode: .readOnly)
      defer {
        try? source.close()
        try? destination.close()
      }
      return try StoreVerifier(
        source: source, destination: destination, mappings: [mapping],
        provenance: withProvenance ? MigrationProvenance(contentsOf: provenance) : nil
      ).verify()
    }
  }

  private func migrated(seed: UInt64) throws -> Pair? {
    try migrated(MigrationCase(GeneratedMigration(seed: seed)), seed: seed)
  }

  /// A migration without policies; nil if it fails.
  private func migrated(_ candidate: MigrationCase, seed: UInt64) throws -> Pair? {
    let test = try MigrationTest(from: candidate.models[0], to: candidate.models[1]) { try candidate.populate($0) }
    var options = MigrationOptions()
    options.forcesObjects = seed.isMultiple(of: 4)
    let provenance = test.folder.appending("provenance.sqlite")
    options.provenance = provenance
    do {
      _ = try test.manager.migrateStore(
        from: test.source, to: test.destination, [candidate.mappings[0].complete(from: test.old, to: test.new)],
        options: options, caller: MigrationCaller())
    } catch is HopError {
      return nil
    }
    return Pair(test: test, mapping: candidate.mappings[0], provenance: provenance)
  }

  @Test func `the verifier agrees with the engine, with and without provenance`() throws {
    var (values, migrations) = (0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds.map({ $0 * 2 }) {
      guard let pair = try migrated(seed: seed) else { continue }
      for withProvenance in [true, false] {
        let report = try pair.verify(withProvenance: withProvenance)
        if report.differences > 0 {
          let least = try MigrationCase(GeneratedMigration(seed: seed)).shrunk { smaller in
            guard let pair = try migrated(smaller, seed: seed) else { return false }
            return try pair.verify(withProvenance: withProvenance).differences > 0
          }
          let examples = try migrated(least, seed: seed)?.verify(withProvenance: withProvenance).examples ?? []
          Issue.record("seed \(seed), provenance: \(withProvenance): \(examples)\n\(least)")
        }
        for entity in report.conservation {
          #expect(
            entity.objects == entity.migrated + entity.filtered + entity.removed + entity.unmentioned,
            "seed \(seed): \(entity)")
        }
        values += report.mappings.map(\.values).reduce(0, +)
      }
      migrations += 1
    }
    // Otherwise the law is vacuous.
    #expect(migrations * 3 >= seeds.count)
    #expect(values > seeds.count * 40)
  }

  @Test func `a manually changed cell is found`() throws {
    var changed = 0
    let seeds = Seeds.some(of: 0..<20)
    for seed in seeds.map({ $0 * 2 }) {
      guard let pair = try migrated(seed: seed) else { continue }
      var random = SeededGenerator(seed: seed)
      for column in try columns(of: pair).shuffled(using: &random).prefix(3) {
        let copy = pair.test.folder.appending("\(column.table).\(column.name).sqlite")
        try FileManager.default.copyItem(at: pair.test.destination, to: copy)
        try change(column, in: copy, &random)
        let report = try pair.verify(copy, withProvenance: true)
        #expect(report.differences > 0, "seed \(seed): \(column.table).\(column.name)")
        #expect(
          report.examples.contains { $0.propertyName == column.attribute && $0.destination?.key == column.key },
          "seed \(seed): \(column.table).\(column.name) of \(column.key): \(report.examples)")
        changed += 1
      }
    }
    #expect(changed > seeds.count)
  }

  private struct Cell {
    var table: String
    var name: String
    var attribute: String
    var key: Int64
  }

  /// One cell in each column that has migrated values.
  private func columns(of pair: Pair) throws -> [Cell] {
    let store = try PersistentStore(url: pair.test.destination, models: [pair.test.new], mode: .readOnly)
    defer { try? store.close() }
    var cells: [Cell] = []
    for (table, column, attribute) in [
      ("ZTRACK", "ZTEXT", "text"), ("ZTRACK", "ZCOUNT", "count"), ("ZTRACK", "ZRATIO", "ratio"),
      ("ZALBUM", "ZNAME", "name"), ("ZTAG", "ZNAME", "name"), ("ZALBUM", "ZYEAR", "year"),
    ] {
      guard case .integer(let key)? = try? store.database.firstValue("SELECT max(Z_PK) FROM \(table)") else { continue }
      cells.append(Cell(table: table, name: column, attribute: attribute, key: key))
    }
    return cells
  }

  private func change(_ cell: Cell, in url: URL, _ random: inout SeededGenerator) throws {
    let database = try Database(path: url.path, mode: .readWrite)
    let changes = [
      "SET \(cell.name) = CASE WHEN \(cell.name) IS NULL THEN 1 ELSE NULL END",
      "SET \(cell.name) = CASE typeof(\(cell.name)) WHEN 'text' THEN \(cell.name) || 'x' ELSE ifnull(\(cell.name), 0) + 1 END",
    ]
    let change = changes.randomElement(using: &random) ?? changes[0]
    try database.execute("UPDATE \(cell.table) \(change) WHERE Z_PK = \(cell.key)")
    try database.close()
  }
}
