import Foundation
import HeavyliftArchive
import HeavyliftSQLite
import HeavyliftStore

/// The state of a store's files, for detecting later changes.
///
/// Every change to a database changes the modification time, and in rollback mode the counter in its header; a change
/// that is still in the write-ahead log changes the log. Only two headers are read.
struct StoreFingerprint: Codable, Hashable, Sendable {
  var file: FileIdentity
  var header: Data
  /// The log; `nil` if it is missing or empty.
  var log: FileIdentity?
  var logHeader: Data?

  /// Reads the state of a store's files; returns `nil` if there is no store.
  init?(_ store: URL) throws {
    guard let file = try FileIdentity(store) else { return nil }
    header = try DatabaseHeader.read(ofFileAt: store.path)
    self.file = file
    let log = store.appendingToName("-wal")
    if let identity = try FileIdentity(log), identity.size > 0 {
      self.log = identity
      logHeader = try Self.start(ofLog: log)
    }
  }

  /// Returns true if both are the same store in the same state, or one is a copy of the other with the same
  /// modification times.
  func isSameState(as other: StoreFingerprint) -> Bool {
    let areLogsSame =
      log.flatMap { own in other.log.map { own.isSameState(as: $0) } } ?? (log == nil && other.log == nil)
    return file.isSameState(as: other.file) && header == other.header && areLogsSame && logHeader == other.logHeader
  }

  private static func start(ofLog url: URL) throws -> Data? {
    let file: Int32
    do {
      file = try RegularFile.open(url, flags: O_NOFOLLOW)
    } catch let error as POSIXError where error.meansAbsence {
      return nil
    }
    defer { close(file) }
    return try FileBytes.read(32, of: file)
  }
}

extension URL {
  /// The file next to this one with a suffix added to the name: one of SQLite's files or ours.
  func appendingToName(_ suffix: String) -> URL {
    deletingLastPathComponent().appending(path: lastPathComponent + suffix)
  }

  /// The file at the end of all symbolic links: a store's other files are next to that file.
  var resolvingLinks: URL {
    guard let resolved = realpath(path, nil) else { return standardizedFileURL }
    defer { free(resolved) }
    return URL(filePath: String(cString: resolved), directoryHint: .notDirectory)
  }

  /// The path with the links in its folder resolved. The file need not exist.
  var resolvingFolder: URL {
    let folder = deletingLastPathComponent().resolvingLinks
    return URL(filePath: folder.path, directoryHint: .isDirectory).appending(path: lastPathComponent)
  }
}
