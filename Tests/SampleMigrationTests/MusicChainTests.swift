import Heavylift
import HeavyliftTesting
import SamplePolicies

final class MusicChainTests: MigrationTestCase {
  private let files = SampleFiles(name: "Music")

  func testEveryVersionReachesTheLast() throws {
    let pairs = [
      try MigrationPair(
        models: files.model(), from: "Music 1", to: "Music 2", mappings: [files.mapping("1-2")],
        policies: PolicyRegistry(ArtistsFromJSON.self)),
      try MigrationPair(models: files.model(), from: "Music 2", to: "Music 3", mappings: [files.mapping("2-3")]),
    ]
    try assertChain(pairs, of: [files.graph(1), files.graph(2)])
  }
}
