import CSQLite
import Foundation
import HeavyliftConcurrency

/// The `-wal` and `-shm` that SQLite creates to read a database in WAL mode; they are removed once the last reader of
/// this process has closed the database.
final class ReadingTraces {
  private struct Entry {
    /// The suffixes of files that did not exist before the first reader.
    var missing: Set<String>
    var readers: Int
  }

  /// Entries by path. Global, like SQLite's own list of open files: two independent readers of one database must not
  /// mistake each other's `-wal` and `-shm` for the user's.
  private static let entries = Locked<[String: Entry]>([:])

  private let path: String
  private var isRemoved = false

  /// Records the existing files before SQLite opens the database.
  ///
  /// - Parameter files: The files before opening.
  init(_ files: DatabaseFiles) {
    path = files.path
    var missing: Set<String> = []
    if files.writeAheadLogSize == nil { missing.insert("-wal") }
    if files.sharedMemorySize == nil { missing.insert("-shm") }
    Self.entries.withLock { $0[files.path, default: Entry(missing: missing, readers: 0)].readers += 1 }
  }

  deinit { remove() }

  /// Called after SQLite has closed the database: removes the files that it created.
  func remove() {
    guard !isRemoved else { return }
    isRemoved = true
    Self.entries.withLock { entries in
      guard var entry = entries[path] else { return }
      entry.readers -= 1
      entries[path] = entry.readers > 0 ? entry : nil
      guard entry.readers == 0 else { return }
      let created = entry.missing.filter { access(path + $0, F_OK) == 0 }
      if !created.isEmpty { Self.unlink(created, beside: path) }
    }
  }

  /// Removes files while an exclusive lock proves that no connection of any process uses them.
  private static func unlink(_ suffixes: Set<String>, beside path: String) {
    guard let name = try? Database.uri(path, parameters: []) else { return }
    var pointer: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    defer { sqlite3_close_v2(pointer) }
    guard sqlite3_open_v2(name, &pointer, flags, nil) == SQLITE_OK,
      heavylift_sqlite3_keep_log_on_close(pointer, 1) == SQLITE_OK,
      // In this mode, SQLite locks the whole file on the first read, and keeps the log's index in memory.
      sqlite3_exec(pointer, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA schema_version", nil, nil, nil) == SQLITE_OK
    else { return }
    // A log that is no longer empty belongs to another process, which may have died since.
    var status = stat()
    let isEmpty = stat(path + "-wal", &status) != 0 || status.st_size == 0
    for suffix in suffixes where isEmpty || !suffixes.contains("-wal") { Foundation.unlink(path + suffix) }
  }
}
