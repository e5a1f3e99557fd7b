import HeavyliftExpression
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Several objects are created from one source object only if the mapping says so.
@Suite struct DoubledObjectsTests {
  private static func mapping(_ name: String, _ filter: String, areIntended: Bool = false) throws
    -> EntityMappingDescription
  {
    EntityMappingDescription(
      name: name, source: "Track", destination: "Track", filter: try MappingPredicate(parsing: filter),
      intendsDuplicates: areIntended)
  }

  private static func test() throws -> MigrationTest {
    try MigrationTest(
      from: LinkReconciliationTests.model, to: LinkReconciliationTests.model, fill: LinkReconciliationTests.fill)
  }

  @Test(arguments: [false, true]) func `objects that match two filters are refused`(forcesObjects: Bool) throws {
    let test = try Self.test()
    let mappings = MappingModel(entityMappings: [
      try Self.mapping("early", "number <= 2"), try Self.mapping("late", "number >= 2"),
    ])
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let refusal = """
      error[migration.134110]: entity mappings 'early' and 'late' both create objects from 2 of the 'Track' objects
        split the objects between them with 'where', or write duplicates="intended"
      """
    #expect(test.failure { try test.migrate(mappings, options: options) }?.description == refusal)
    // The keys are known before any row is written, unless the filters are evaluated object by object.
    guard !forcesObjects else { return }
    #expect(test.failure { _ = try test.manager.plan(from: test.source, with: [mappings]) }?.description == refusal)
  }

  @Test func `objects that match the filters of two passes are refused`() throws {
    let test = try Self.test()
    let passes = try [Self.mapping("early", "number <= 2"), Self.mapping("late", "number >= 2")].map {
      MappingModel(entityMappings: [$0])
    }
    let failure = test.failure { try test.manager.migrateStore(from: test.source, to: test.destination, with: passes) }
    #expect(failure?.problem.hasSuffix("both create objects from 2 of the 'Track' objects") == true)
  }

  @Test(arguments: [false, true]) func `intended duplicates are created`(forcesObjects: Bool) throws {
    let test = try Self.test()
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let report = try test.migrate(
      MappingModel(entityMappings: [
        try Self.mapping("early", "number <= 2"), try Self.mapping("late", "number >= 2", areIntended: true),
      ]), options: options)
    #expect(report.objects["Track"] == 8)
  }

  @Test func `a source expression that gives an object twice is refused`() throws {
    func mapping(_ operation: String, areIntended: Bool = false) throws -> MappingModel {
      let fetch = """
        FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Track", "TRUEPREDICATE"), \
        $manager.sourceContext, NO)
        """
      return MappingModel(entityMappings: [
        EntityMappingDescription(
          source: "Tag", destination: "Tag",
          sourceExpression: try MappingExpression(parsing: "\(fetch).\(operation).tags"), intendsDuplicates: areIntended
        )
      ])
    }
    let test = try Self.test()
    #expect(
      test.failure { try test.migrate(mapping("@unionOfArrays")) }?.description == """
        error[migration.134110]: entity mapping 'TagToTag': its source expression gives 12 source objects, of which only \
        2 are different
          write an expression that gives each object once, for example with '@distinctUnionOfObjects' or \
        '@distinctUnionOfSets', or write duplicates="intended"
        """)
    #expect(try test.migrate(mapping("@distinctUnionOfSets")).objects["Tag"] == 2)
  }
}
