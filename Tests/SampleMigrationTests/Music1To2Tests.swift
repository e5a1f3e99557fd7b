import Heavylift
import HeavyliftTesting
import SamplePolicies

final class Music1To2Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Music")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Music 1", to: "Music 2", mappings: [files.mapping("1-2")],
      policies: PolicyRegistry(ArtistsFromJSON.self))
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2)) }
}
