import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import HeavyliftXML

@testable import HeavyliftStore

/// A store of the corpus, with the model that it was written with.
struct CorpusStore: Sendable, CustomStringConvertible {
  /// The path below the corpus.
  var path: String
  /// The bundle and the version in it; nil for a store whose model is only in its own cache.
  var bundle: String?
  var version: String?

  var description: String { (path as NSString).lastPathComponent }
  var url: URL { Corpus.root.appending(path: path) }

  func model() throws -> ManagedObjectModel {
    guard let bundle, let version else {
      let database = try Database(path: url.path, mode: .readOnly, options: .init(immutable: true))
      guard case .blob(let content)? = try database.firstValue("SELECT Z_CONTENT FROM Z_MODELCACHE") else {
        throw Diagnostic(.error, code: "test", problem: "'\(path)' has no model cache")
      }
      return try CompiledModel(modelCache: content, subject: path).model
    }
    return try Self.models(of: bundle).first { $0.name == version }.orThrow("'\(bundle)' has no version '\(version)'")
  }

  /// Every version of the store's bundle.
  func models() throws -> [ManagedObjectModel] { try bundle.map(Self.models(of:)) ?? [model()] }

  private static func models(of bundle: String) throws -> [ManagedObjectModel] {
    try ModelBundle(contentsOf: Corpus.root.appending(path: bundle)).versions.map(\.model)
  }

  private static let bookmarks = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let sample = "CoreDataPlus/Tests/Resources/SampleModel"

  private static func bookmarks(_ number: Int, _ version: String) -> CorpusStore {
    CorpusStore(
      path: "BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\(number).sqlite", bundle: bookmarks,
      version: version)
  }

  static let all: [CorpusStore] = [
    CorpusStore(path: "BookMigration/Model1.sqlite", bundle: "BookMigration/Model.xcdatamodeld", version: "Model1"),
    bookmarks(1, "BookmarksModel"), bookmarks(2, "BookmarksModel 2"), bookmarks(3, "BookmarksModel 3"),
    bookmarks(4, "BookmarksModel 4"), bookmarks(5, "BookmarksModel 5"),
    CorpusStore(
      path: "BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
      bundle: "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld", version: "SyncMetadata 3"),
    CorpusStore(
      path: "\(sample)/Fixtures/SampleModel_V1.sqlite", bundle: "\(sample)/SampleModel.xcdatamodeld",
      version: "SampleModel"),
    CorpusStore(
      path: "\(sample)/Fixtures/SampleModel_V2.sqlite", bundle: "\(sample)/SampleModel.xcdatamodeld",
      version: "SampleModel2"),
    CorpusStore(path: "\(sample)2/Fixtures/SampleModel2_V1.sqlite"),
    CorpusStore(path: "\(sample)2/Fixtures/SampleModel2_V2.sqlite"),
    CorpusStore(
      path: "\(sample)3/Fixtures/SampleModel3_V1.sqlite", bundle: "\(sample)3/SampleModel3.xcdatamodeld",
      version: "SampleModel3"),
    CorpusStore(
      path: "CareKit/SampleStore2.1.sqlite", bundle: "CareKit/CareKitStore.xcdatamodeld", version: "CareKitStore2.1"),
    // Written with an earlier model than the one next to it.
    CorpusStore(path: "CartKit/CoreData/CartStorage_v1.sqlite"),
    CorpusStore(path: "CartKit/SwiftData/CartKitSwiftData_v1.sqlite"),
    CorpusStore(path: "FreezeRay/1.0.0/App-1_0_0.sqlite"), CorpusStore(path: "FreezeRay/2.0.0/App-2_0_0.sqlite"),
  ]
}

extension Optional {
  /// Returns the value, or throws an error that says what is missing.
  func orThrow(_ problem: String) throws -> Wrapped {
    guard let self else { throw Diagnostic(.error, code: "test", problem: problem) }
    return self
  }
}
