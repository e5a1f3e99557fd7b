import Foundation
import Heavylift
import HeavyliftTesting
import SamplePolicies
import XCTest

/// The first stage of the music models does what the mapping file and its policy do: the graphs are the same.
final class MusicStage1To2Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Music")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(models: files.model(), from: "Music 1", to: "Music 2", stages: MusicHistory.stages)
  }

  func testMigration() throws { try assertMigration(of: files.graph(1), gives: files.graph(2)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(1), gives: files.graph(2)) }

  func testLaws() throws {
    try assertLaws(
      MigrationLawOptions(
        seeds: 0..<2,
        values: ["Track.json": [#"{"artists": ["Ann", "Bob"]}"#, #"{"artists": ["Bob"]}"#, "not JSON", .null]]))
  }
}

/// The second stage does what the second mapping file does.
final class MusicStage2To3Tests: MigrationTestCase {
  private let files = SampleFiles(name: "Music")

  override func makePair() throws -> MigrationPair {
    try MigrationPair(models: files.model(), from: "Music 2", to: "Music 3", stages: MusicHistory.stages)
  }

  func testMigration() throws { try assertMigration(of: files.graph(2), gives: files.graph(3)) }

  func testMutations() throws { try assertNoMutationSurvives(of: files.graph(2), gives: files.graph(3)) }
}

/// The stages lead from each version to the last one, also in a history with a mapping file.
final class MusicHistoryTests: MigrationTestCase {
  private let files = SampleFiles(name: "Music")

  private func stage(_ old: Int, _ new: Int) throws -> MigrationPair {
    try MigrationPair(
      models: files.model(), from: "Music \(old)", to: "Music \(new)", stages: MusicHistory.stages)
  }

  func testEveryVersionReachesTheLast() throws {
    try assertChain([stage(1, 2), stage(2, 3)], of: [files.graph(1), files.graph(2)])
  }

  func testAStageFollowsAMappingFile() throws {
    let first = try MigrationPair(
      models: files.model(), from: "Music 1", to: "Music 2", mappings: [files.mapping("1-2")],
      policies: PolicyRegistry(ArtistsFromJSON.self))
    try assertChain([first, stage(2, 3)], of: [files.graph(1), files.graph(2)])
  }

  func testAMappingFileFollowsAStage() throws {
    let second = try MigrationPair(
      models: files.model(), from: "Music 2", to: "Music 3", mappings: [files.mapping("2-3")])
    try assertChain([stage(1, 2), second], of: [files.graph(1), files.graph(2)])
  }

  func testAPairMaySpanBothStages() throws {
    let migration = try stage(1, 3).migrate(ObjectGraph(contentsOf: files.graph(1), model: stage(1, 3).sourceModel))
    let expected = try ObjectGraph(contentsOf: files.graph(3), model: stage(1, 3).destinationModel)
    XCTAssertEqual(migration.failures(expecting: expected), [])
  }
}
