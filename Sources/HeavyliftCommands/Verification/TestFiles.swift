import Foundation

/// Where the files of a generated test lie, and how the test's class names them.
struct TestFiles {
  let testClass: URL
  let sourceGraph: URL
  let destinationGraph: URL
  /// What all paths in the class begin at.
  let root: URL
  /// How many folders the class's folder lies below it.
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

  /// A path from the root on.
  func path(_ url: URL) -> String {
    url.standardizedFileURL.pathComponents.dropFirst(root.standardizedFileURL.pathComponents.count).joined(
      separator: "/")
  }

  /// A path for messages: absolute if the files have no folder in common.
  func shown(_ url: URL) -> String { (root.standardizedFileURL.path == "/" ? "/" : "") + path(url) }

  /// What tells two versions apart: `1` and `2` of `Music 1` and `Music 2`, otherwise the whole names.
  static func suffixes(_ source: String, _ destination: String) -> (source: String, destination: String) {
    let common = source.commonPrefix(with: destination)
    let (old, new) = (source.dropFirst(common.count), destination.dropFirst(common.count))
    guard let last = common.last, !last.isLetter, !last.isNumber, !old.isEmpty, !new.isEmpty else {
      return (source, destination)
    }
    return (String(old), String(new))
  }

  /// A name of Swift made of a version's.
  static func identifier(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
