import Heavylift
import HeavyliftTesting
import SamplePolicies

final class FitnessChainTests: MigrationTestCase {
  private let files = SampleFiles(name: "Fitness")

  func testEveryVersionReachesTheLast() throws {
    let pairs = [
      try MigrationPair(
        models: files.model(), from: "Fitness 1", to: "Fitness 2", mappings: [files.mapping("1-2")],
        policies: PolicyRegistry(PerformedSetsFromSummary.self)),
      try MigrationPair(models: files.model(), from: "Fitness 2", to: "Fitness 3", mappings: [files.mapping("2-3")]),
    ]
    try assertChain(pairs, of: [files.graph(1), files.graph(2)])
  }
}
