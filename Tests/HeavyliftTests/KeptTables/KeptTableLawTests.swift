import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Law: a store that starts as a copy of the source's file has the same contents as one that starts as a new file.
@Suite struct KeptTableLawTests {
  /// The contents and the schema of a migrated store.
  private struct Outcome: Equatable {
    var contents: MigrationOutcome
    var schema: [String] = []
    var damage: [String] = []
    var freePages = 0

    init(of test: MigrationTest, _ mapping: MappingModel, _ keeping: TableKeeping) throws {
      var options = MigrationOptions()
      options.keeping = keeping
      // A survey by one thread and one by two must lead to the same store.
      if case .always = keeping { options.prefetching.leastSurveyedRows = 1 }
      // A save adds 1 to an object's version, and statements write 1.
      contents = try MigrationOutcome(of: test, mapping, named: "\(keeping)", options: options, ignoring: ["Z_OPT"])
      guard contents.error == nil else { return }
      let database = try Database(path: test.folder.appending("\(keeping).sqlite").path, mode: .readOnly)
      schema = try database.schemaTexts()
      damage = try database.damage()
      if case .integer(let count)? = try database.firstValue("PRAGMA freelist_count") { freePages = Int(count) }
    }
  }

  /// A description of the difference, or nil; and the plan of the migration with a copy.
  private func disagreement(_ seed: UInt64) throws -> (difference: String?, plan: MigrationPlan?, fresh: Outcome) {
    var generated = KeptTableMigration(seed: seed)
    let test = try MigrationTest(from: generated.old, to: generated.new) { try generated.fill($0) }
    if !generated.statements.isEmpty {
      let database = try Database(path: test.source.path, mode: .readWrite)
      for statement in generated.statements { try database.execute(statement) }
      try database.close()
    }
    let fresh = try Outcome(of: test, generated.mapping, .never)
    let copied = try Outcome(of: test, generated.mapping, .always)
    var options = MigrationOptions()
    options.keeping = .always
    let plan = try? test.manager.plan(from: test.source, with: [generated.mapping], options: options)
    if fresh == copied { return (nil, plan, fresh) }
    let schema = Set(fresh.schema).symmetricDifference(copied.schema).sorted().joined(separator: "\n")
    return (
      "\(generated.changes) \(generated.statements)\n"
        + MigrationOutcome.difference(("fresh", "copied"), fresh.contents, copied.contents)
        + "\n\(schema)\n\(copied.damage) \(fresh.freePages) \(copied.freePages)", plan, fresh
    )
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a copy of the source becomes the same store as a new file`(round: UInt64) throws {
    var (stores, tables, all, failures) = (0, 0, 0, 0)
    for seed in Seeds.some(of: (round * 60)..<(round * 60 + 60)) {
      let (difference, plan, fresh) = try disagreement(seed)
      if let difference { Issue.record("seed \(seed): \(difference)\n\(plan.map { "\($0)" } ?? "")") }
      stores += 1
      tables += plan?.keptTables.count ?? 0
      all += plan?.steps.filter { $0.sourceCount ?? 0 > 0 }.count ?? 0
      if fresh.contents.error != nil { failures += 1 }
    }
    #expect(
      tables > all / 4 && failures <= stores / 2,
      "\(tables) tables of \(all), in \(stores) stores; \(failures) failed")
  }
}
