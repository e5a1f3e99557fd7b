import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Published histories whose authors rely on inference, migrated in place and with a copy.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct CorpusInPlaceTests {
  private static let chains = RealChainTests.chains.filter { chain in
    chain.hops.allSatisfy { $0.contains("inferred") }
  }

  private func dump(_ url: URL, _ model: ManagedObjectModel) throws -> String {
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let sink = MemorySink()
    _ = try StoreDump(store).write(to: sink)
    return sink.text
  }

  @Test(arguments: chains)
  func `an inferred chain gives the same store in place, with a copy, and by a lightweight stage`(
    chain: RealChainTests.Chain
  ) throws {
    let (copied, place, staged) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    let tests = RealChainTests()
    let manager = try tests.manager(of: chain)
    let models = try manager.models
    let first = try #require(models.first { $0.name == chain.start } ?? models.first)
    let store = try tests.store(of: chain, first, in: copied)
    let (other, third) = (try place.copyStore(store), try staged.copyStore(store))
    for name in try FileManager.default.contentsOfDirectory(atPath: copied.url.path) where name.hasSuffix("_SUPPORT") {
      for folder in [place, staged] {
        try FileManager.default.copyItem(at: copied.appending(name), to: folder.appending(name))
      }
    }
    let last = try #require(models.last)
    try manager.migrate(store)
    let report = try manager.migrate(other, options: .init(composesHops: false, mode: .inPlace))
    #expect(report.hops.count == chain.hops.count)
    #expect(try dump(other, last) == dump(store, last))
    // A lightweight stage over all versions does the same.
    let versions = try models.filter { model in try manager.sameVersions(as: model).first.map { $0 == model } ?? true }
    let stage = LightweightMigrationStage(versions.map(\.versionChecksum))
    try IncrementalMigrationManager(stages: StagedMigrationManager([stage], versions: versions)).migrate(third)
    #expect(try dump(third, last) == dump(store, last))
    let database = try Database(path: other.path, mode: .readOnly)
    #expect(try database.damage() == [])
  }

  @Test func `the chains are those of several authors`() { #expect(Self.chains.count >= 9) }
}
