import Foundation
import HeavyliftTestSupport
import HeavyliftTesting

/// The files of a sample chain.
struct SampleFiles {
  let name: String

  func model(_ bundle: String? = nil) -> URL { folder.appending(path: "\(bundle ?? name).xcdatamodeld") }

  func mapping(_ name: String) -> URL { folder.appending(path: "\(name).xml") }

  func graph(_ version: Int) -> URL {
    Corpus.project.appending(path: "Fixtures/Samples/\(name)/graph-\(version).json")
  }

  private var folder: URL { Corpus.project.appending(path: "MappingModels/\(name)") }
}
