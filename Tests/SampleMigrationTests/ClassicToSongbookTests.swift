import Heavylift
import HeavyliftTesting
import SamplePolicies

final class ClassicToSongbookTests: MigrationTestCase {
  private let files = SampleFiles(name: "Songbook")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model("Classic"), destinationModels: files.model(), mappings: [files.mapping("classic")],
      policies: PolicyRegistry(SongPolicy.self, SongPartPolicy.self))
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2)) }
}
