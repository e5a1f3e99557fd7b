import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Every source object is migrated, filtered out, removed, or left to a policy; anything else fails.
@Suite struct RowReconciliationTests {
  private static func keys(_ range: ClosedRange<Int64>) -> KeySet {
    range.reduce(into: KeySet()) { $0.insert($1) }
  }

  private static func step(
    _ name: String = "A", makes: Bool = true, isUnfiltered: Bool = false, migrated: ClosedRange<Int64>? = nil,
    removed: ClosedRange<Int64>? = nil
  ) -> RowReconciliation.Step {
    RowReconciliation.Step(
      name: name, sourceEntityNames: ["Note"], makesObjects: makes, hasPolicy: false, isUnfiltered: isUnfiltered,
      migrated: migrated.map(keys) ?? KeySet(), removed: removed.map(keys))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var dropsUnmentioned = false
    var steps: @Sendable () -> [RowReconciliation.Step]
    /// The counts for 5 objects, or the error.
    var result: String
  }

  static let cases = [
    Case(
      testDescription: "an entity that nothing mentions", steps: { [] },
      result: """
        error[migration.134110]: source entity 'Note' has objects that no entity mapping covers: 5 of 5
          write '<entity-mapping type="remove" source="Note"/>' if they are to be deleted, or add an entity mapping \
        for them
        """),
    Case(
      testDescription: "the same in an Xcode mapping", dropsUnmentioned: true, steps: { [] }, result: "unmentioned 5"),
    Case(
      testDescription: "a filter", steps: { [step(migrated: 1...2)] }, result: "migrated 2, filtered 3"),
    Case(
      testDescription: "a filter and a removal without one",
      steps: { [step(migrated: 1...2), step("B", makes: false, isUnfiltered: true)] }, result: "migrated 2, removed 3"),
    Case(
      testDescription: "a filter and a removal by another one",
      steps: { [step(migrated: 1...2), step("B", makes: false, removed: 2...4)] },
      result: "migrated 2, filtered 1, removed 2"),
    Case(
      testDescription: "two removals that take everything",
      steps: { [step(makes: false, removed: 1...2), step("B", makes: false, removed: 3...5)] }, result: "removed 5"),
    Case(
      testDescription: "removals that pass objects over",
      steps: { [step(makes: false, removed: 1...2), step("B", makes: false, removed: 2...4)] },
      result: """
        error[migration.134110]: entity mappings 'A' and 'B' use filters to remove objects, but no entity mapping \
        covers the objects of source entity 'Note' that their filters exclude: 1 of 5
          write an entity mapping for them, or use no filter if all objects are to be removed
        """),
    Case(
      testDescription: "a mapping of all objects that takes fewer",
      steps: { [step(isUnfiltered: true, migrated: 1...4)] },
      result: """
        error[migration.134110]: of 5 objects of source entity 'Note', 4 are accounted for: 4 migrated
          this is a bug in the migration engine: report it with the mapping file; nothing was changed
        """),
  ]

  @Test(arguments: cases) func `every object is accounted for, or the migration fails`(_ example: Case) {
    let reconciliation = RowReconciliation(
      counts: ["Note": 5], steps: example.steps(), dropsUnmentioned: example.dropsUnmentioned)
    let result: String
    do {
      result = try reconciliation.rows().map { rows in
        [
          ("migrated", rows.migrated), ("filtered", rows.filtered), ("removed", rows.removed), ("unused", rows.unused),
          ("unmentioned", rows.unmentioned),
        ].filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      }.joined()
    } catch {
      result = "\(error)"
    }
    #expect(result == example.result)
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Note", attributes: [Models.attribute("old", .boolean)]),
    EntityDescription(name: "Tag", attributes: [Models.attribute("name", .string)]),
  ])

  private static func test() throws -> MigrationTest {
    try MigrationTest(from: model, to: model) { context in
      for place in 0..<5 { try context.insert("Note")["old"] = .bool(place < 2) }
      _ = try context.insert("Tag")
    }
  }

  @Test func `a filtered removal that leaves other objects unmapped is refused before anything is written`() throws {
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "RemoveOld", type: .remove, source: "Note", filter: try MappingPredicate(parsing: "old == YES"))
    ])
    let test = try Self.test()
    let message = """
      error[migration.134110]: entity mapping 'RemoveOld' uses a filter to remove objects, but no entity mapping \
      covers the objects of source entity 'Note' that its filter excludes: 3 of 5
        write an entity mapping for them, or use no filter if all objects are to be removed
      """
    #expect(test.failure { _ = try test.manager.plan(from: test.source, with: [mapping]) }?.description == message)
    #expect(test.failure { try test.migrate(mapping) }?.description == message)
    var whole = mapping
    whole.entityMappings.append(
      EntityMappingDescription(
        source: "Note", destination: "Note", filter: try MappingPredicate(parsing: "old == NO")))
    let rows = try test.migrate(whole).rows
    #expect(rows.map { "\($0.entityName) \($0.migrated) \($0.filtered) \($0.removed)" } == ["Note 3 0 2", "Tag 1 0 0"])
  }

  @Test func `a removal by an expression that may take only some objects is refused`() throws {
    let fetch =
      #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", "old == YES"), "#
      + "$manager.sourceContext, NO)"
    let test = try Self.test()
    let some = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "RemoveOld", type: .remove, source: "Note",
        sourceExpression: try MappingExpression(parsing: "TERNARY(1 == 1, \(fetch), nil)"))
    ])
    let message = """
      error[migration.134110]: entity mapping 'RemoveOld': which objects it removes is not known: its source expression \
      is more than a simple fetch request
        write a filter, or fetch objects of its source entity with a predicate
      """
    #expect(test.failure { try test.migrate(some) }?.description == message)
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        name: "RemoveOld", type: .remove, source: "Note", sourceExpression: try MappingExpression(parsing: fetch)),
      EntityMappingDescription(
        source: "Note", destination: "Note", filter: try MappingPredicate(parsing: "old == NO")),
    ])
    let rows = try test.migrate(mapping).rows
    #expect(rows.map { "\($0.entityName) \($0.migrated) \($0.filtered) \($0.removed)" } == ["Note 3 0 2", "Tag 1 0 0"])
  }
}
