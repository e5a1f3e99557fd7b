public import Foundation

/// A folder for one test, removed when the test releases it.
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
    // Tests may have removed permissions from some of the contents.
    let contents = (try? manager.subpathsOfDirectory(atPath: url.path)) ?? []
    for path in [url.path] + contents.map({ appending($0).path }) {
      try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }
    try? manager.removeItem(at: url)
  }

  /// Copies a file or folder to a place whose folders are created.
  public func copy(_ name: String, to other: String) throws {
    let target = appending(other)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: appending(name), to: target)
  }

  /// A path in the folder.
  public func appending(_ name: String) -> URL { url.appending(path: name) }

  /// Returns everything below the folder by its path: files with their bytes, folders without.
  public func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: appending(name).path, isDirectory: &isFolder)
      contents[name] = isFolder.boolValue ? Data() : try Data(contentsOf: appending(name))
    }
    return contents
  }

  /// Copies a store and its companion files, and makes them writable.
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
