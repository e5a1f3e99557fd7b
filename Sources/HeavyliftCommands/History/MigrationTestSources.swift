import Foundation
import Heavylift

/// The texts of a project's tests, to find out which migrations they test.
struct MigrationTestSources {
  private let texts: [String]

  /// Reads the Swift and Objective-C files below a folder whose path says that they are tests.
  init(below folder: String, _ io: CommandIO) {
    let start = io.url(folder)
    let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    var texts: [String] = []
    while let file = walk?.nextObject() as? URL {
      let path = file.path.dropFirst(start.path.count)
      guard ["swift", "m", "mm"].contains(file.pathExtension), path.contains("Test"),
        CheckedPlaces.isOwn(String(path)), let text = try? String(contentsOf: file, encoding: .utf8)
      else { continue }
      texts.append(text)
    }
    self.texts = texts
  }

  /// True if one file names both versions.
  func test(from source: String, to destination: String) -> Bool {
    texts.contains { $0.contains("\"\(source)\"") && $0.contains("\"\(destination)\"") }
  }
}
