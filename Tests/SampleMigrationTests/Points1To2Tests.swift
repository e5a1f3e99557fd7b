import Heavylift
import HeavyliftTesting
import SamplePolicies
import XCTest

final class Points1To2Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Points")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Points 1", to: "Points 2", mappings: [files.mapping("1-2")],
      policies: PolicyRegistry(SpacePointPolicy.self))
  }

  // An archive's bytes differ each time, so the graph leaves them open, and this test decodes them.
  override func mistakes(in migration: TestedMigration) throws -> [String] {
    try ["start": [1.5, 2.5, 0], "far": [-3, 1e300, 0], "nowhere": []].compactMap { name, expected in
      let found = try position(of: name, migration)
      return found == expected ? nil : "object '\(name)': 'position' is \(found), expected \(expected)"
    }
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws {
    try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2))
  }

  private func position(of name: String, _ migration: TestedMigration) throws -> [Double] {
    guard case .object(let point)? = try migration.object(named: name).archive(forKey: "position")?.root else {
      return []
    }
    return ["x", "y", "z"].compactMap { point[$0]?.value?.double }
  }
}
