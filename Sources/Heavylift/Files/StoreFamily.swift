import Foundation
import HeavyliftArchive
import HeavyliftSQLite
import HeavyliftStore

/// The stores in a folder that share a base name, such as `Music.sqlite` and `Music.db`: Core Data gives them one
/// folder for large values, `.Music_SUPPORT`.
///
/// No migration adds a new store to such a family. In an existing family, a file is removed only if no other member
/// refers to it.
struct StoreFamily {
  let store: URL
  let files: FileOperations

  /// The other stores that use the same folder for large values.
  func relatives() throws -> [URL] {
    let folder = store.deletingLastPathComponent()
    let base = store.deletingPathExtension().lastPathComponent
    return try files.names(in: folder).map { folder.appending(path: $0) }.filter { url in
      let name = url.lastPathComponent
      guard name != store.lastPathComponent, url.deletingPathExtension().lastPathComponent == base,
        !StoreHold.companions.contains(where: name.hasSuffix)
      else { return false }
      return try isDatabase(url)
    }
  }

  /// Returns an error if a new store at the path would join a family, or share the folder of a store that is being
  /// migrated.
  func refusal(besides others: [URL]) throws -> MigrationError? {
    let support = ExternalDataFolder(store: store).supportFolder
    let sharing = others.first { $0 != store && ExternalDataFolder(store: $0).supportFolder == support }
    return try (sharing ?? relatives().first).map { .sharedFolder(store, with: $0) }
  }

  private func isDatabase(_ url: URL) throws -> Bool {
    var status = stat()
    guard lstat(url.path, &status) == 0 else {
      let error = POSIXError(number: errno)
      if error.meansAbsence { return false }
      throw error
    }
    // A symbolic link points to a store that has its own folder.
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    // An unreadable file may be a store.
    guard let start = try? DatabaseHeader.read(16, ofFileAt: url.path) else { return true }
    return start == Data("SQLite format 3\0".utf8)
  }

  /// Returns the names that no other member of the family refers to.
  ///
  /// A member that cannot be read may refer to all of them.
  func unshared(_ names: [String]) throws -> [String] {
    guard !names.isEmpty else { return [] }
    var rest = Set(names)
    for relative in try relatives() {
      guard let found = try? Self.references(of: relative, among: rest) else { return [] }
      rest.subtract(found)
    }
    return names.filter(rest.contains)
  }

  /// Removes the large values in a store's folder that no row refers to.
  static func removeUnusedFiles(of store: URL, _ files: FileOperations) throws {
    let folder = ExternalDataFolder(store: store)
    let names = Set(try folder.fileNames())
    let used = try references(of: store, among: names)
    for name in names.subtracting(used).sorted() { try files.remove(folder.file(named: name)) }
  }

  /// Returns the names that a store refers to as external files, regardless of its model.
  static func references(of store: URL, among names: Set<String>) throws -> Set<String> {
    guard !names.isEmpty else { return [] }
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    var found: Set<String> = []
    for table in try database.schemaObjects() where table.type == .table {
      for column in try database.columns(of: table.name) where column.declaredType.uppercased() == "BLOB" {
        found.formUnion(try references(in: database, column.name, of: table.name).intersection(names))
      }
    }
    return found
  }

  /// Returns the names that a column refers to as external files.
  static func references(
    in database: Database, _ column: String, of table: String, where condition: String = "1"
  ) throws -> Set<String> {
    let column = column.asSQLIdentifier
    // An external reference is the byte 2, followed by a UUID and a zero byte.
    var cursor = try database.prepare(
      "SELECT \(column) FROM \(table.asSQLIdentifier) "
        + "WHERE typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN 37 AND 38 AND \(condition)"
    ).query()
    var found: Set<String> = []
    while try cursor.next() {
      guard let bytes = cursor.row.blob(at: 0), bytes.first == 2 else { continue }
      found.insert(String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
    }
    return found
  }
}

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
