import Foundation

/// How a file is opened that is only read, so that nothing in its folder changes.
enum ReadingAccess: Hashable {
  /// With SQLite's own locks: readers and writers of other processes are seen, now and later.
  ///
  /// A `-shm` that exists is read and not written (`readonly_shm`). Where no process uses it, SQLite does not trust it
  /// and builds an index of the log in memory (https://sqlite.org/wal.html#read_only_databases).
  case shared(keepsSharedMemory: Bool)
  /// Without locks: no log to read, and no way to coordinate with a writer.
  case immutable
  /// Without locks, and with an index of the log in memory: the `-shm` that SQLite needs cannot be created.
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
    // A connection that locks exclusively, in a file system layer without locks, needs no shared memory.
    case .unlocked: ["vfs=unix-none"]
    }
  }

  /// Chooses the first access to try, and the one for a file or folder where SQLite may not create what it needs.
  static func choices(for files: DatabaseFiles) -> [ReadingAccess] {
    guard files.usesWriteAheadLog || files.writeAheadLogSize != nil else {
      // SQLite takes back a change that was cut off only where it may write, and says so.
      return (files.rollbackJournalSize ?? 0) > 0
        ? [.shared(keepsSharedMemory: false)]
        : [.shared(keepsSharedMemory: false), .immutable]
    }
    let shared = ReadingAccess.shared(keepsSharedMemory: files.sharedMemorySize != nil)
    let alone: ReadingAccess = (files.writeAheadLogSize ?? 0) > 0 ? .unlocked : .immutable
    let isComplete = files.sharedMemorySize != nil && files.writeAheadLogSize != nil
    let folder = URL(filePath: files.path).deletingLastPathComponent().path
    // Companions that SQLite creates must be removable again, which takes an exclusive lock.
    let mayCreate = access(files.path, W_OK) == 0 && access(folder, W_OK) == 0
    return isComplete || mayCreate ? [shared, alone] : [alone]
  }
}
