import CSQLite

extension Database {
  /// The number of pages that are copied before the next check for cancellation.
  private static let pagesPerStep: Int32 = 4_096

  /// Copies all pages of a database into another one, which must be empty.
  ///
  /// The copy has the state that the current read transaction sees, including changes in a log that is not merged yet.
  ///
  /// ```swift
  /// let copy = try Database(path: "Copy.sqlite", mode: .create)
  /// try database.copyPages(to: copy)
  /// ```
  ///
  /// - Parameters:
  ///   - copy: The empty database.
  ///   - check: Called from time to time; an error that it throws ends the copy.
  package func copyPages(to copy: Database, _ check: () throws -> Void = {}) throws {
    guard let backup = sqlite3_backup_init(copy.connection.pointer, "main", connection.pointer, "main") else {
      throw copy.connection.failure(sqlite3_errcode(copy.connection.pointer), sql: nil)
    }
    var result = SQLITE_OK
    do {
      while result == SQLITE_OK {
        try check()
        result = sqlite3_backup_step(backup, Self.pagesPerStep)
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else { throw copy.connection.failure(result, sql: nil) }
  }

  /// True if the file is no longer at the path at which it was opened, or if SQLite does not know.
  package var hasMoved: Bool {
    var hasMoved: Int32 = 1
    let result = sqlite3_file_control(connection.pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result != SQLITE_OK || hasMoved != 0
  }

  /// Calls a function with the bytes of the database file, piece by piece, without the contents of a log.
  ///
  /// This uses SQLite's own descriptor: closing another one would release SQLite's locks
  /// (https://sqlite.org/howtocorrupt.html, 2.2).
  ///
  /// - Parameter body: Called with the next bytes.
  package func readFile(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(connection.pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard found == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee, let size = methods.xFileSize,
      let read = methods.xRead
    else { throw connection.failure(found, sql: nil) }
    var bytes: sqlite3_int64 = 0
    let measured = size(file, &bytes)
    guard measured == SQLITE_OK else { throw connection.failure(measured, sql: nil) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
    defer { piece.deallocate() }
    var offset: sqlite3_int64 = 0
    while offset < bytes {
      let count = Int(min(sqlite3_int64(piece.count), bytes - offset))
      let result = read(file, piece.baseAddress, Int32(count), offset)
      guard result == SQLITE_OK else { throw connection.failure(result, sql: nil) }
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += sqlite3_int64(count)
    }
  }
}
