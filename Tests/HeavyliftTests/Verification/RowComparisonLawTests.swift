import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: a verifier that compares rows where possible gives the same report as one that reads everything through
/// objects.
@Suite struct RowComparisonLawTests {
  private struct Pair {
    let test: MigrationTest
    let mapping: MappingModel
    let provenance: URL
    /// A replacement for the source that was migrated.
    var changedSource: URL?

    func verify(_ url: URL, withProvenance: Bool, usesRows: Bool) throws -> (
      report: VerificationReport, askedOfObjects: Int
    ) {
      let source = try PersistentStore(url: changedSource ?? test.source, models: [test.old], mode: .readOnly)
      let destination = try PersistentStore(url: url, models: [test.new], mode: .readOnly)
      defer {
        try? source.close()
        try? destination.close()
      }
      var verifier = StoreVerifier(
        source: source, destination: destination, mappings: [mapping], policies: PolicyRegistry(LawPolicy.self),
        provenance: withProvenance ? try MigrationProvenance(contentsOf: provenance) : nil)
      verifier.usesRows = usesRows
      verifier.examplesPerProperty = 1_000
      return try verifier.counting()
    }

    /// The verifier's report, or the error that it throws.
    func told(_ url: URL, withProvenance: Bool, usesRows: Bool) -> Told {
      do {
        return Told(report: try verify(url, withProvenance: withProvenance, usesRows: usesRows).0)
      } catch {
        return Told(error: "\(error)")
      }
    }
  }

  private struct Told: Hashable {
    var report: VerificationReport?
    var error: String?
  }

  /// A migration, sometimes with policies; nil if it fails.
  private func migrated(seed: UInt64) throws -> Pair? {
    var generated = try GeneratedMigration(seed: seed)
    let test = try MigrationTest(
      from: generated.old, to: generated.new, policies: PolicyRegistry(LawPolicy.self)
    ) { try generated.fill($0) }
    var options = MigrationOptions()
    let provenance = test.folder.appending("provenance.sqlite")
    options.provenance = provenance
    do {
      _ = try test.manager.migrateStore(
        from: test.source, to: test.destination, [generated.mapping.complete(from: test.old, to: test.new)],
        options: options, caller: MigrationCaller())
    } catch is HopError {
      return nil
    }
    return Pair(test: test, mapping: generated.mapping, provenance: provenance)
  }

  @Test func `rows and objects agree about a store that is as declared`() throws {
    var (values, asked, migrations) = (0, 0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds {
      guard let pair = try migrated(seed: seed) else { continue }
      for withProvenance in [true, false] {
        let (report, questions) = try pair.verify(
          pair.test.destination, withProvenance: withProvenance, usesRows: true)
        #expect(
          report == (try pair.verify(pair.test.destination, withProvenance: withProvenance, usesRows: false)).0,
          "seed \(seed), provenance: \(withProvenance)")
        guard seed.isMultiple(of: 2) else { continue }
        values += report.mappings.map(\.values).reduce(0, +)
        asked += questions
      }
      migrations += 1
    }
    // Otherwise the law is vacuous: except for what policies decide, rows must suffice for nearly everything.
    #expect(migrations * 6 >= seeds.count)
    #expect(values > seeds.count * 20)
    #expect(asked * 10 < values, "\(asked) of \(values)")
  }

  @Test func `rows and objects agree about a store with random changes`() throws {
    var (changed, noticed) = (0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds {
      guard let pair = try migrated(seed: seed) else { continue }
      var random = SeededGenerator(seed: seed)
      for number in 0..<4 {
        let copy = pair.test.folder.appending("changed\(number).sqlite")
        try self.copy(pair.test.destination, to: copy)
        guard let change = try change(copy, pair.test.new, &random) else { continue }
        for withProvenance in [true, false] {
          let told = pair.told(copy, withProvenance: withProvenance, usesRows: true)
          #expect(
            told == pair.told(copy, withProvenance: withProvenance, usesRows: false),
            "seed \(seed), provenance: \(withProvenance): \(change)")
          if told != pair.told(pair.test.destination, withProvenance: withProvenance, usesRows: true) { noticed += 1 }
        }
        changed += 1
      }
    }
    #expect(changed * 2 > seeds.count)
    #expect(noticed > changed)
  }

  @Test func `rows and objects agree about a value that is wrong on both sides`() throws {
    var (compared, refused) = (0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds {
      guard var pair = try migrated(seed: seed) else { continue }
      var random = SeededGenerator(seed: seed &+ 100)
      for number in 0..<4 {
        let (old, new) = (
          pair.test.folder.appending("old\(number).sqlite"), pair.test.folder.appending("new\(number).sqlite")
        )
        try copy(pair.test.source, to: old)
        try copy(pair.test.destination, to: new)
        guard let change = try change(new, pair.test.new, &random), !change.hasPrefix("DELETE") else { continue }
        let database = try Database(path: old.path, mode: .readWrite)
        // Tables and columns that only the new version has are missing here.
        guard (try? database.execute(change)) != nil else { continue }
        try database.close()
        pair.changedSource = old
        let objects = pair.told(new, withProvenance: false, usesRows: false)
        // The verifier sometimes reads all objects of the old store, including damaged ones that it does not need.
        if let error = objects.error {
          guard error.contains(new.lastPathComponent) else { continue }
          refused += 1
        }
        #expect(pair.told(new, withProvenance: false, usesRows: true) == objects, "seed \(seed): \(change)")
        compared += 1
      }
    }
    #expect(compared * 2 > seeds.count)
    #expect(refused > 0)
  }

  /// Copies a store with its files.
  private func copy(_ store: URL, to copy: URL) throws {
    try FileManager.default.copyItem(at: store, to: copy)
    let files = ExternalDataFolder(store: store).url.deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: files.path) else { return }
    try FileManager.default.copyItem(at: files, to: ExternalDataFolder(store: copy).url.deletingLastPathComponent())
  }

  /// Changes one cell of one row to an arbitrary value, or deletes the row.
  private func change(_ url: URL, _ model: ManagedObjectModel, _ random: inout SeededGenerator) throws -> String? {
    let database = try Database(path: url.path, mode: .readWrite)
    defer { try? database.close() }
    var tables: [String] = []
    var cursor = try database.cached("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z_0-9]*'")
      .query()
    while try cursor.next() {
      guard let name = try cursor.row.text(at: 0) else { continue }
      guard !["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"].contains(name) else { continue }
      if try database.firstValue("SELECT 1 FROM \(name)") != nil { tables.append(name) }
    }
    guard let table = tables.sorted().randomElement(using: &random),
      case .integer(let count)? = try database.firstValue("SELECT count(*) FROM \(table)"), count > 0,
      let column = try database.columns(of: table).map(\.name).filter({ $0 != "Z_OPT" }).randomElement(using: &random)
    else { return nil }
    let values = [
      "NULL", "\(column) + 1", "\(column) || 'x'", "-0.0", "0", "1", "3", "x'02ff'", "x'01'", "'text'",
      "CAST(x'c3' AS TEXT)", "1e300", "-\(column)", "'7.50'", "1.5", "\(column) + 1000000",
    ]
    let place = Int64.random(in: 0..<count, using: &random)
    let row = "rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(place))"
    let change =
      Int.random(in: 0..<8, using: &random) == 0
      ? "DELETE FROM \(table) WHERE \(row)"
      : "UPDATE OR IGNORE \(table) SET \(column) = \(values.randomElement(using: &random) ?? "NULL") WHERE \(row)"
    do {
      try database.execute(change)
    } catch {
      // A key that is not a number.
      guard error.code == .mismatch else { throw error }
      return nil
    }
    return change
  }
}
