import Heavylift
import HeavyliftTesting
import SamplePolicies

final class Bank1To2Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Bank")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Bank 1", to: "Bank 2", mappings: [files.mapping("1-2")],
      functions: BankFunctions.all)
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2)) }
}
