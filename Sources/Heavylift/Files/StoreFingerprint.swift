import Foundation
import HeavyliftArchive
import HeavyliftSQLite
import HeavyliftStore

/// The state of a store's files, for detecting later changes.
///
/// Every change to a database changes the time of its last change, which no program can set, and in rollback mode the
/// counter in its header. A change that is still in the write-ahead log changes a frame of the log, and so its checksum.
/// The log's own time of last change says nothing: for root, SQLite sets the log's owner whenever it opens the log.
struct StoreFingerprint: Codable, Hashable, Sendable {
  /// The time at which the system last changed a file's contents, name, links or rights (`st_ctim`).
  struct ChangeTime: Codable, Hashable, Sendable {
    var seconds: Int64
    var nanoseconds: Int64

    fileprivate init?(_ url: URL) throws {
      var status = stat()
      guard lstat(url.path, &status) == 0 else {
        let error = POSIXError(number: errno)
        guard error.meansAbsence else { throw error }
        return nil
      }
      (seconds, nanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
    }
  }

  var file: FileIdentity
  var header: Data
  private var changed: ChangeTime?
  /// The log; `nil` if it is missing or empty.
  var log: FileIdentity?
  var logHeader: Data?
  private var logFrames: String?

  /// Reads the state of a store's files; returns `nil` if there is no store.
  init?(_ store: URL) throws {
    guard let file = try FileIdentity(store) else { return nil }
    header = try DatabaseHeader.read(ofFileAt: store.path)
    self.file = file
    changed = try ChangeTime(store)
    let log = store.appendingToName("-wal")
    if let identity = try FileIdentity(log), identity.size > 0 {
      self.log = identity
      (logHeader, logFrames) = try Self.contents(ofLog: log)
    }
  }

  /// Returns true if both are the same store in the same state, or one is a copy of the other with the same
  /// modification times.
  func isSameState(as other: StoreFingerprint) -> Bool {
    let areLogsSame =
      log.flatMap { own in other.log.map { own.isSameState(as: $0) } } ?? (log == nil && other.log == nil)
    return file.isSameState(as: other.file) && header == other.header && areLogsSame && logHeader == other.logHeader
      && logFrames == other.logFrames
  }

  /// Returns true if both differ at most in the time of the last change, which also changes if the file gets another name
  /// or other rights.
  func isSameContent(as other: StoreFingerprint) -> Bool {
    var copy = self
    copy.changed = other.changed
    return copy == other
  }

  /// Returns the header of a log, and a digest of the headers of its frames, whose checksums cover all pages
  /// (https://sqlite.org/fileformat2.html#walformat). Closing the log releases no locks: SQLite takes none on it.
  private static func contents(ofLog url: URL) throws -> (Data?, String?) {
    let file: Int32
    do {
      file = try RegularFile.open(url, flags: O_NOFOLLOW)
    } catch let error as POSIXError where error.meansAbsence {
      return (nil, nil)
    }
    defer { close(file) }
    let header = try FileBytes.read(32, of: file)
    let pageSize = header.dropFirst(8).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
    guard header.count == 32, 512...65_536 ~= pageSize else { return (header, nil) }
    var frames = Data()
    while true {
      let frame = try FileBytes.read(24, of: file, from: 32 + Int64(frames.count / 24) * (24 + pageSize))
      guard frame.count == 24 else { return (header, frames.digestText) }
      frames += frame
    }
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
