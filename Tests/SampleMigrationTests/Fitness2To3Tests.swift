import Heavylift
import HeavyliftTesting
import SamplePolicies

final class Fitness2To3Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Fitness")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Fitness 2", to: "Fitness 3", mappings: [files.mapping("2-3")])
  }

  func testMigration() throws { try assertMigration(of: files.graph(2), gives: files.graph(3)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(2), gives: files.graph(3)) }
}
