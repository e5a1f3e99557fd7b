import Heavylift
import HeavyliftTesting
import SamplePolicies

final class Fitness1To2Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Fitness")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Fitness 1", to: "Fitness 2", mappings: [files.mapping("1-2")],
      policies: PolicyRegistry(PerformedSetsFromSummary.self))
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2)) }
}
