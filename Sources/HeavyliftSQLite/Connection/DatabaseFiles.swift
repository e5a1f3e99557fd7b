import Foundation

/// A database file and its companion files, examined without opening the database and so without changing them.
///
/// Opening a database is not always harmless, even for reading. For a database with a write-ahead log, SQLite creates
/// a missing `-wal` and `-shm` and leaves them there. If they are missing and the folder is not writable, SQLite fails
/// (`SQLITE_CANTOPEN`, `SQLITE_READONLY_DIRECTORY`). `Options.immutable` works in that case, but ignores the `-wal`:
///
/// ```swift
/// let files = try DatabaseFiles(path: path)
/// let options = Database.Options(immutable: !files.mayHoldUnmergedChanges)
/// ```
package struct DatabaseFiles: Hashable, Sendable {
  /// The path of the database, with symbolic links resolved: SQLite keeps the companion files next to the target.
  package var path: String
  /// The database's size in bytes; nil if the file does not exist.
  package var size: Int64?
  /// True if the file starts with SQLite's header. An empty file is an empty database and has no header.
  package var hasDatabaseHeader: Bool
  /// The first 100 bytes of the database; fewer if the file is shorter.
  package let header: Data
  /// True if the database's header says that it is in WAL mode.
  package var usesWriteAheadLog: Bool
  /// The `-wal`'s size in bytes; nil if there is none.
  package var writeAheadLogSize: Int64?
  /// True if the `-wal` has an invalid header: SQLite ignores all its contents, and overwrites it on the next write.
  package var isWriteAheadLogDamaged: Bool
  /// The `-shm`'s size in bytes; nil if there is none.
  package var sharedMemorySize: Int64?
  /// The `-journal`'s size in bytes; nil if there is none.
  package var rollbackJournalSize: Int64?

  /// True if the database file alone may be out of date: a log has changes to add, or a journal has changes to roll
  /// back.
  ///
  /// A fully checkpointed log can look just like one that is needed, so this may be true even if nothing is missing.
  package var mayHoldUnmergedChanges: Bool { (writeAheadLogSize ?? 0) > 0 || (rollbackJournalSize ?? 0) > 0 }

  /// Examines the files.
  package init(path: String) throws(SQLiteError) {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    self.path = resolved
    // The log first: once it has been merged and removed, the database has its final size.
    let log = try DatabaseFiles.log(at: resolved + "-wal")
    writeAheadLogSize = log?.size
    size = try DatabaseFiles.size(of: resolved)
    sharedMemorySize = try DatabaseFiles.size(of: resolved + "-shm")
    rollbackJournalSize = try DatabaseFiles.size(of: resolved + "-journal")
    isWriteAheadLogDamaged = log.map { !$0.header.isEmpty && !DatabaseFiles.isLogHeader($0.header) } ?? false
    header = size == nil ? Data() : try DatabaseHeader.read(ofFileAt: resolved)
    hasDatabaseHeader = header.starts(with: Data("SQLite format 3\0".utf8))
    // The file format's write and read versions (https://sqlite.org/fileformat2.html#file_format_version_numbers).
    usesWriteAheadLog = hasDatabaseHeader && header.count >= 20 && header[18] == 2 && header[19] == 2
  }

  /// Returns the size of a file; `nil` if there is none. Throws if the file cannot be examined: ignoring a log would
  /// lose data.
  private static func size(of path: String) throws(SQLiteError) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      let number = errno
      guard number == ENOENT || number == ENOTDIR else {
        throw SQLiteError(
          code: .cannotOpen, message: "the file cannot be examined: \(String(cString: strerror(number)))", path: path)
      }
      return nil
    }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  /// Returns true if a log has a valid header and checksum (https://sqlite.org/fileformat2.html#walformat).
  private static func isLogHeader(_ log: Data) -> Bool {
    let bytes = Array(log.prefix(32))
    guard bytes.count == 32 else { return false }
    func word(_ index: Int, bigEndian: Bool) -> UInt32 {
      let word = bytes[(4 * index)..<(4 * index + 4)]
      return (bigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    let magic = word(0, bigEndian: true)
    guard magic & ~1 == 0x377F_0682 else { return false }
    var (first, second): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      first &+= word(index, bigEndian: magic & 1 == 1) &+ second
      second &+= word(index + 1, bigEndian: magic & 1 == 1) &+ first
    }
    return first == word(6, bigEndian: true) && second == word(7, bigEndian: true)
  }

  /// Returns the size and the header of a log; `nil` if there is none. Closing the log afterwards releases no locks:
  /// SQLite takes none on it.
  private static func log(at path: String) throws(SQLiteError) -> (size: Int64, header: Data)? {
    guard let size = try size(of: path) else { return nil }
    do {
      // Does not block on a pipe that has replaced the file in the meantime; seeking in a pipe fails.
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      // The last process to close the database may have removed the log in the meantime.
      if descriptor < 0, errno == ENOENT { return nil }
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.seek(toOffset: 0)
      return (size, try file.read(upToCount: 32) ?? Data())
    } catch {
      throw SQLiteError(code: .cannotOpen, message: "the file cannot be read", path: path)
    }
  }
}
