import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrates every store of the corpus to the newest version of its model by inferred mappings, and verifies each hop
/// value by value.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct CorpusSweepTests {
  /// A store, and the places of its model's versions.
  struct Chain: Sendable, CustomStringConvertible {
    var store: String
    /// A model bundle; nil if the versions are only in the caches of stores.
    var bundle: String?
    /// Stores whose caches hold later versions.
    var later: [String] = []
    /// The number of versions after the store's own.
    var hops: Int

    var description: String { (store as NSString).lastPathComponent }
  }

  private static let bookmarks = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let sample = "CoreDataPlus/Tests/Resources/SampleModel"

  static let chains =
    [
      Chain(store: "BookMigration/Model1.sqlite", bundle: "BookMigration/Model.xcdatamodeld", hops: 2),
      Chain(
        store: "BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
        bundle: "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld", hops: 1),
      Chain(store: "CareKit/SampleStore2.1.sqlite", bundle: "CareKit/CareKitStore.xcdatamodeld", hops: 1),
      Chain(store: "CartKit/CoreData/CartStorage_v1.sqlite", hops: 0),
      Chain(store: "CartKit/SwiftData/CartKitSwiftData_v1.sqlite", hops: 0),
      Chain(store: "\(sample)/Fixtures/SampleModel_V1.sqlite", bundle: "\(sample)/SampleModel.xcdatamodeld", hops: 2),
      Chain(store: "\(sample)/Fixtures/SampleModel_V2.sqlite", bundle: "\(sample)/SampleModel.xcdatamodeld", hops: 1),
      Chain(
        store: "\(sample)2/Fixtures/SampleModel2_V1.sqlite", later: ["\(sample)2/Fixtures/SampleModel2_V2.sqlite"],
        hops: 1),
      Chain(store: "\(sample)2/Fixtures/SampleModel2_V2.sqlite", hops: 0),
      Chain(
        store: "\(sample)3/Fixtures/SampleModel3_V1.sqlite", bundle: "\(sample)3/SampleModel3.xcdatamodeld", hops: 2),
      Chain(store: "FreezeRay/1.0.0/App-1_0_0.sqlite", later: ["FreezeRay/2.0.0/App-2_0_0.sqlite"], hops: 1),
      Chain(store: "FreezeRay/2.0.0/App-2_0_0.sqlite", hops: 0),
    ]
    + (1...5).map { number in
      Chain(
        store: "BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\(number).sqlite", bundle: bookmarks,
        hops: 6 - number)
    }

  /// The store's own version and all later ones.
  private func versions(of chain: Chain, _ url: URL, _ folder: TemporaryFolder) throws -> [ManagedObjectModel] {
    guard let bundle = chain.bundle else {
      let urls = try [url] + chain.later.map { try folder.copyStore(Corpus.root.appending(path: $0)) }
      return try urls.map { try PersistentStore(url: $0, mode: .readOnly).model }
    }
    let models = try ModelBundle(contentsOf: Corpus.root.appending(path: bundle)).versions.map(\.model)
    let own = try StoreFile(url: url, mode: .readOnly).model(among: models).model
    return Array(try models[#require(models.firstIndex { $0 == own })...])
  }

  @Test(arguments: chains)
  func `a store of the corpus reaches the newest version with 0 differences`(chain: Chain) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Corpus.root.appending(path: chain.store))
    let versions = try versions(of: chain, url, folder)
    #expect(versions.count == chain.hops + 1)
    var source = url
    // A store of the only version is migrated to that version, and nothing changes.
    for (place, (old, new)) in zip(versions, chain.hops == 0 ? versions : Array(versions.dropFirst())).enumerated() {
      let mapping = try MappingModel.inferred(from: old, to: new)
      let destination = folder.appending("hop\(place).sqlite")
      _ = try MigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: source, to: destination, with: [mapping])
      let (before, after) = (
        try PersistentStore(url: source, models: [old], mode: .readOnly),
        try PersistentStore(url: destination, models: [new], mode: .readOnly)
      )
      let report = try StoreVerifier(source: before, destination: after, mappings: [mapping]).verify()
      #expect(report.isClean, "hop \(place + 1): \(report)")
      for join in after.layout.joinTables {
        #expect(try after.database.columns(of: join.name).map(\.name) == join.columns.map(\.name))
      }
      source = destination
    }
    withExtendedLifetime(folder) {}
  }
}
