public import Foundation

/// Real files from other projects, read in place: `shared/corpus` next to the project.
public enum Corpus {
  /// The folder that holds the project.
  public static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let shared = project.deletingLastPathComponent().appending(path: "shared")
  public static let root = shared.appending(path: "corpus")
  public static let vectors = shared.appending(path: "vectors")

  /// True if the corpus exists; in a clone without it, tests that need it are skipped.
  public static let isPresent = FileManager.default.fileExists(atPath: root.path)

  /// The reason why a test was skipped.
  public static let comment = "needs shared/corpus beside the project"

  /// Every file in the corpus whose path has this suffix, sorted by path.
  public static func files(endingWith suffix: String) -> [URL] {
    guard let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.path.hasSuffix(suffix) }.sorted { $0.path < $1.path }
  }

  /// The path below the corpus: a name for a test's argument that is the same on every machine.
  public static func name(of file: URL) -> String {
    file.path.hasPrefix(root.path) ? String(file.path.dropFirst(root.path.count + 1)) : file.path
  }
}
