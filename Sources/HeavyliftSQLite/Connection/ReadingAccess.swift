import Foundation

/// The kind of access to a file that is only read, chosen so that nothing in its folder changes.
enum ReadingAccess: Hashable {
  /// With SQLite's own locks, which respect current and future readers and writers in other processes.
  ///
  /// An existing `-shm` is read but not written (`readonly_shm`). SQLite does not trust a `-shm` that no process uses,
  /// and builds an index of the log in memory instead (https://sqlite.org/wal.html#read_only_databases).
  case shared(keepsSharedMemory: Bool)
  /// Without locks: there is no log to read, and no way to coordinate with a writer.
  case immutable
  /// Without locks and with the log's index in memory, because SQLite cannot create the `-shm` that it needs.
  case unlocked

  var isShared: Bool {
    if case .shared = self { true } else { false }
  }

  /// Parameters of the file's URI.
  var parameters: [String] {
    switch self {
    case .shared(keepsSharedMemory: true): ["readonly_shm=1"]
    case .shared(keepsSharedMemory: false): []
    case .immutable: ["immutable=1"]
    // A connection with an exclusive lock, in a VFS without locks, needs no shared memory.
    case .unlocked: ["vfs=unix-none"]
    }
  }

  /// Returns the kind of access to try first, and the kind to use if SQLite cannot create the files that it needs.
  static func choices(for files: DatabaseFiles) -> [ReadingAccess] {
    guard files.usesWriteAheadLog || files.writeAheadLogSize != nil else {
      // SQLite can roll back an interrupted change only if it may write; otherwise it reports an error.
      return (files.rollbackJournalSize ?? 0) > 0
        ? [.shared(keepsSharedMemory: false)]
        : [.shared(keepsSharedMemory: false), .immutable]
    }
    let shared = ReadingAccess.shared(keepsSharedMemory: files.sharedMemorySize != nil)
    let alone: ReadingAccess = (files.writeAheadLogSize ?? 0) > 0 ? .unlocked : .immutable
    let isComplete = files.sharedMemorySize != nil && files.writeAheadLogSize != nil
    let folder = URL(filePath: files.path).deletingLastPathComponent().path
    // SQLite may create companion files only if they can be removed again, which requires an exclusive lock.
    let mayCreate = access(files.path, W_OK) == 0 && access(folder, W_OK) == 0
    return isComplete || mayCreate ? [shared, alone] : [alone]
  }
}
