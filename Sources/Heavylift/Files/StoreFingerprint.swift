import Foundation
import HeavyliftArchive
import HeavyliftStore

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
  init?(_ store: URL) throws {
    guard let file = try FileIdentity(store), let header = try Self.start(of: store, 100) else { return nil }
    self.file = file
    self.header = header
    let log = store.appendingToName("-wal")
    if let identity = try FileIdentity(log), identity.size > 0 {
      self.log = identity
      logHeader = try Self.start(of: log, 32)
    }
  }

  /// Returns true if both are one store in one state, or the copy of one by a program that keeps times.
  func isSameState(as other: StoreFingerprint) -> Bool {
    let areLogsSame =
      log.flatMap { own in other.log.map { own.isSameState(as: $0) } } ?? (log == nil && other.log == nil)
    return file.isSameState(as: other.file) && header == other.header && areLogsSame && logHeader == other.logHeader
  }

  private static func start(of url: URL, _ count: Int) throws -> Data? {
    let file: Int32
    do {
      file = try RegularFile.open(url, flags: O_NOFOLLOW)
    } catch let error as POSIXError where error.meansAbsence {
      return nil
    }
    defer { close(file) }
    return try FileBytes.read(count, of: file)
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

  /// The path with the links of its folder resolved: the file need not be there.
  var resolvingFolder: URL {
    let folder = deletingLastPathComponent().resolvingLinks
    return URL(filePath: folder.path, directoryHint: .isDirectory).appending(path: lastPathComponent)
  }
}
