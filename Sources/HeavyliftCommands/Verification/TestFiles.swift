import Foundation

/// The locations of a generated test's files, and their names in the test class.
struct TestFiles {
  let testClass: URL
  /// The graph that is migrated.
  var sourceGraph: URL
  /// The expected graph.
  var destinationGraph: URL
  /// The folder that all paths in the test class are relative to.
  let root: URL
  /// The number of folder levels between the root and the class's folder.
  let levelsUp: Int

  init(testClass: URL, sourceGraph: URL, destinationGraph: URL, others: [URL]) {
    let testClass = testClass.standardizedFileURL
    (self.testClass, self.sourceGraph, self.destinationGraph) = (testClass, sourceGraph, destinationGraph)
    let folder = testClass.deletingLastPathComponent().pathComponents
    let all = ([sourceGraph, destinationGraph] + others).map(\.standardizedFileURL.pathComponents)
    var common = 0
    while common < folder.count, all.allSatisfy({ $0.count > common && $0[common] == folder[common] }) { common += 1 }
    levelsUp = folder.count - common
    var root = testClass.deletingLastPathComponent()
    for _ in 0..<levelsUp { root.deleteLastPathComponent() }
    self.root = root
  }

  /// The path of a URL relative to `root`.
  func path(_ url: URL) -> String {
    url.standardizedFileURL.pathComponents.dropFirst(root.standardizedFileURL.pathComponents.count).joined(
      separator: "/")
  }

  /// The path of a URL for messages: absolute if the files share no folder.
  func shown(_ url: URL) -> String { (root.standardizedFileURL.path == "/" ? "/" : "") + path(url) }

  /// The parts in which two version names differ: `1` and `2` for `Music 1` and `Music 2`, otherwise the whole names.
  static func suffixes(_ source: String, _ destination: String) -> (source: String, destination: String) {
    let common = source.commonPrefix(with: destination)
    let (old, new) = (source.dropFirst(common.count), destination.dropFirst(common.count))
    guard let last = common.last, !last.isLetter, !last.isNumber, !old.isEmpty, !new.isEmpty else {
      return (source, destination)
    }
    return (String(old), String(new))
  }

  /// A part of a Swift identifier made from a version name.
  static func identifier(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The name of the class in a file with a name.
  static func className(_ file: String) -> String {
    let name = identifier(file)
    return name.first?.isLetter == true ? name : "Migration\(name)"
  }
}
