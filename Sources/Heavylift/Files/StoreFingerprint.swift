import Foundation

/// The state of a store's files, to know later whether somebody has changed them.
///
/// Every change of a database changes the time, and in rollback mode the counter in its header; one that is still in the
/// write-ahead log changes that. Nothing of it is read but two headers.
struct StoreFingerprint: Codable, Hashable, Sendable {
  var file: FileIdentity
  var header: Data
  /// Without an empty one, which says the same as none.
  var log: FileIdentity?
  var logHeader: Data?

  /// Looks at a store's files; nil if there is no store.
  init?(_ store: URL) {
    guard let file = FileIdentity(store), let header = Self.start(of: store, 100) else { return nil }
    self.file = file
    self.header = header
    let log = store.appendingToName("-wal")
    if let identity = FileIdentity(log), identity.size > 0 {
      self.log = identity
      logHeader = Self.start(of: log, 32)
    }
  }

  private static func start(of url: URL, _ count: Int) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: url.path) else { return nil }
    defer { try? handle.close() }
    return try? handle.read(upToCount: count) ?? Data()
  }
}

extension URL {
  /// The file beside this one whose name is longer by that: SQLite's and ours.
  func appendingToName(_ suffix: String) -> URL {
    deletingLastPathComponent().appending(path: lastPathComponent + suffix)
  }

  /// The file that the path leads to, past all symbolic links: what is beside a store is beside that.
  var resolvingLinks: URL {
    guard let resolved = realpath(path, nil) else { return standardizedFileURL }
    defer { free(resolved) }
    return URL(filePath: String(cString: resolved), directoryHint: .notDirectory)
  }
}
