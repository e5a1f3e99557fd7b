import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftTesting
import SamplePolicies
import Testing

/// The stages of the music models do what the mapping files do.
struct MusicHistoryTests {
  private let files = SampleFiles(name: "Music")

  @Test(arguments: [1, 2]) func `stages lead from each version to the last one`(version: Int) throws {
    let models = try ModelBundle(contentsOf: files.model()).versions.map(\.model)
    let first = try #require(models.first { $0.name == "Music \(version)" })
    let last = try #require(models.first { $0.name == "Music 3" })
    let folder = try TemporaryFolder()
    let url = folder.appending("Music.sqlite")
    try ObjectGraph(contentsOf: files.graph(version), model: first).build(at: url, model: first)
    let stages = try StagedMigrationManager(MusicHistory.stages, versions: models)
    let report = try IncrementalMigrationManager(stages: stages).migrate(url)
    #expect(report.hops.count > 0)
    let store = try PersistentStore(url: url, models: [last], mode: .readOnly)
    defer { try? store.close() }
    let expected = try ObjectGraph(contentsOf: files.graph(3), model: last)
    let comparison = GraphComparison(expected: expected, found: try ObjectGraph(store), model: last)
    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
  }
}
