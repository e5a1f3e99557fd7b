import Foundation
import HeavyliftVerification

/// The graphs that the generated test classes in a folder read and expect.
///
/// The result of one pair of versions is the input of the next pair, and is shared where it suffices. Otherwise they are
/// two files: updating a graph for one test must not break another one.
struct GraphUses {
  /// The graphs of the class itself; `nil` if it does not exist, or its markers are missing.
  private(set) var own: (source: URL, destination: URL)?
  /// True if the class's file exists.
  let hasClass: Bool
  /// The paths of graphs that other classes expect as results.
  private var expected: Set<String> = []
  /// The names of other classes that start from a graph, by its path.
  private var readers: [String: [String]] = [:]

  /// - Parameter testClass: The class's file; classes in its folder and below are read.
  init(for testClass: URL) {
    let testClass = testClass.standardizedFileURL
    hasClass = FileManager.default.fileExists(atPath: testClass.path)
    let files = FileManager.default.enumerator(
      at: testClass.deletingLastPathComponent(), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", let text = try? String(contentsOf: file, encoding: .utf8),
        let graphs = TestClassSource.graphs(in: text, of: file)
      else { continue }
      if file.standardizedFileURL.path == testClass.path {
        own = graphs
      } else {
        expected.insert(graphs.destination.path)
        readers[graphs.source.path, default: []].append(file.deletingPathExtension().lastPathComponent)
      }
    }
  }

  /// True if another class expects a graph as its result, whether the graph exists or not.
  func isExpectedElsewhere(_ graph: URL) -> Bool { expected.contains(graph.standardizedFileURL.path) }

  /// The names of other classes that start from a graph.
  func readers(of graph: URL) -> [String] { readers[graph.standardizedFileURL.path, default: []].sorted() }

  /// True if the class may change its source graph.
  func mayChange(source: URL) -> Bool { hasClass && !isExpectedElsewhere(source) }

  /// True if the class may replace the contents of an existing graph with its result.
  func mayReplace(destination: URL) -> Bool {
    hasClass && (own.map { $0.destination.path == destination.standardizedFileURL.path } ?? true)
  }
}

extension URL {
  /// Returns the file `graph-2-input.json` for `graph-2.json`.
  func withSuffix(_ suffix: String) -> URL {
    deletingLastPathComponent().appending(path: "\(deletingPathExtension().lastPathComponent)-\(suffix).json")
  }
}
