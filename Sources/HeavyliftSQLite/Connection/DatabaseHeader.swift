import CSQLite
import Foundation

/// The first bytes of a database file, read by SQLite's file system layer and not with a descriptor of our own.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, including those of its SQLite
/// connections. Another program may then merge the write-ahead log while such a connection is reading, so that the
/// connection gets pages from two states. SQLite keeps a descriptor open as long as one of its connections has a lock
/// (https://sqlite.org/howtocorrupt.html, section 2.2).
package enum DatabaseHeader {
  /// The length of a database's header (https://sqlite.org/fileformat2.html#the_database_header).
  package static let length = 100

  /// Returns the first bytes of a file, or all bytes of a shorter one.
  package static func read(_ count: Int = length, ofFileAt path: String) throws(SQLiteError) -> Data {
    var status = stat()
    // Opening a pipe would wait for a writer.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let system = sqlite3_vfs_find(nil), let name = sqlite3_create_filename(path, "", "", 0, nil)
    else {
      throw SQLiteError(code: .cannotOpen, message: "the file cannot be read", path: path)
    }
    defer { sqlite3_free_filename(name) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
    defer { memory.deallocate() }
    let file = memory.assumingMemoryBound(to: sqlite3_file.self)
    var code = system.pointee.xOpen(system, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil)
    defer { _ = file.pointee.pMethods?.pointee.xClose(file) }
    var size: Int64 = 0
    if code == SQLITE_OK { code = file.pointee.pMethods.pointee.xFileSize(file, &size) }
    var header = Data(count: min(count, Int(clamping: size)))
    if code == SQLITE_OK, !header.isEmpty {
      code = header.withUnsafeMutableBytes { bytes in
        file.pointee.pMethods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), 0)
      }
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: .cannotOpen, message: "the file cannot be read", path: path)
    }
    return header
  }
}
