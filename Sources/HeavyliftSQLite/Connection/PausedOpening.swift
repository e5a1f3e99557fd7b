import CSQLite

/// Keeps SQLite from registering newly opened files in this process, and so from locking them.
///
/// SQLite registers the files of a process under the mutex of its file system layer, between opening a file and locking
/// it. The mutex is reserved for SQLite, but there is no other way to close a descriptor without releasing the locks of
/// a connection that is opening the file at that moment. SQLite itself closes its descriptors under this mutex.
package enum PausedOpening {
  package static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1)
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    return try body()
  }
}
