import Foundation
import Heavylift
import HeavyliftTestSupport

/// Stores, models and mapping files of the corpus.
enum CorpusMigrations {
  struct Store: Sendable, CustomStringConvertible {
    var path: String
    var bundle: String
    var version: String

    var description: String { (path as NSString).lastPathComponent }
    var url: URL { Corpus.root.appending(path: path) }
    func model() throws -> ManagedObjectModel { try CorpusMigrations.model(version, of: bundle) }
  }

  static let sample = "CoreDataPlus/Tests/Resources/SampleModel"
  private static let bookmarks = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"

  static let stores =
    [
      Store(path: "BookMigration/Model1.sqlite", bundle: "BookMigration/Model.xcdatamodeld", version: "Model1"),
      Store(
        path: "\(sample)/Fixtures/SampleModel_V2.sqlite", bundle: "\(sample)/SampleModel.xcdatamodeld",
        version: "SampleModel2"),
      Store(
        path: "\(sample)3/Fixtures/SampleModel3_V1.sqlite", bundle: "\(sample)3/SampleModel3.xcdatamodeld",
        version: "SampleModel3"),
    ]
    + (1...5).map { number in
      Store(
        path: "BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\(number).sqlite", bundle: bookmarks,
        version: number == 1 ? "BookmarksModel" : "BookmarksModel \(number)")
    }

  static func model(_ version: String, of bundle: String) throws -> ManagedObjectModel {
    let versions = try ModelBundle(contentsOf: Corpus.root.appending(path: bundle)).versions
    guard let found = versions.first(where: { $0.model.name == version })?.model else {
      throw Diagnostic(.error, code: "test", problem: "'\(bundle)' has no version '\(version)'")
    }
    return found
  }

  static func mapping(_ path: String) throws -> MappingModel {
    try XcodeMappingReader.read(contentsOf: Corpus.root.appending(path: path)).validMappingModel()
  }
}
