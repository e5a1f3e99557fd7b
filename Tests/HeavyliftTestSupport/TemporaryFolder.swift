public import Foundation

/// A folder of a test's own, gone when the test lets go of it.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// Creates an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    let manager = FileManager.default
    if (try? manager.removeItem(at: url)) != nil { return }
    // A test has closed some of what is in it.
    let contents = (try? manager.subpathsOfDirectory(atPath: url.path)) ?? []
    for path in [url.path] + contents.map({ appending($0).path }) {
      try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }
    try? manager.removeItem(at: url)
  }

  /// A path in the folder.
  public func appending(_ name: String) -> URL { url.appending(path: name) }

  /// Copies a store and the files beside it that belong to it, writable.
  public func copyStore(_ store: URL) throws -> URL {
    let copy = appending(store.lastPathComponent)
    for suffix in ["", "-wal"] {
      let source = URL(filePath: store.path + suffix)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      let target = URL(filePath: copy.path + suffix)
      try Data(contentsOf: source).write(to: target)
    }
    return copy
  }
}
