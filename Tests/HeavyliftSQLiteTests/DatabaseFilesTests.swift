import Foundation
import HeavyliftConcurrency
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

/// Root can write everywhere.
private let isRoot = getuid() == 0

@Suite struct DatabaseFilesTests {
  let folder: TemporaryFolder
  var path: String { folder.appending("store.sqlite").path }

  init() throws { folder = try TemporaryFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  /// Creates a store in WAL mode with one row in its file and another in its `-wal`, as a crashed program leaves it.
  private func makeStoreWithLog() throws {
    let original = try TemporaryFolder()
    let path = original.appending("store.sqlite").path
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1);
      PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (2)
      """)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: self.path + suffix)
    }
    try database.close()
  }

  @Test func `examining a database does not release the locks of its other connections`() throws {
    let database = try Database(path: path, mode: .create)
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let probe = LockProbe(path)
    #expect(probe.isLocked)
    let files = try DatabaseFiles(path: path)
    #expect(files.usesWriteAheadLog && files.header.count == 100)
    #expect(probe.isLocked)
    try database.close()
    #expect(!probe.isLocked)
  }

  private func count(_ options: Database.Options = .init(), mode: Database.Mode = .readOnly) throws -> SQLiteValue? {
    let database = try Database(path: path, mode: mode, options: options)
    let count = try database.firstValue("SELECT count(*) FROM t")
    try database.close()
    return count
  }

  @Test func `a missing file, an empty file and another kind of file are distinguished`() throws {
    var files = try DatabaseFiles(path: path)
    #expect(files.size == nil && !files.hasDatabaseHeader && !files.mayHoldUnmergedChanges)
    try Data().write(to: URL(filePath: path))
    files = try DatabaseFiles(path: path)
    #expect(files.size == 0 && !files.hasDatabaseHeader)
    try Data("SQLite format 2\0".utf8).write(to: URL(filePath: path))
    files = try DatabaseFiles(path: path)
    #expect(files.size == 16 && !files.hasDatabaseHeader)
    #expect(try DatabaseFiles(path: folder.url.path).size == nil)
  }

  @Test func `a store with a log is examined without changes`() throws {
    try makeStoreWithLog()
    let files = try DatabaseFiles(path: path)
    #expect(files.size == 8192)
    #expect(files.hasDatabaseHeader && files.usesWriteAheadLog && files.mayHoldUnmergedChanges)
    #expect(files.writeAheadLogSize == 4152)
    #expect(files.sharedMemorySize == nil && files.rollbackJournalSize == nil)
    #expect(try names == ["store.sqlite", "store.sqlite-wal"])
  }

  @Test func `a log may be removed while it is examined`() throws {
    try makeStoreWithLog()
    let (path, isEnded) = (path, Locked(false))
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isEnded.withLock({ $0 }) {
        _ = FileManager.default.createFile(atPath: path + "-wal", contents: Data())
        unlink(path + "-wal")
      }
      ended.signal()
    }
    defer {
      isEnded.withLock { $0 = true }
      ended.wait()
    }
    for _ in 0..<2_000 { _ = try DatabaseFiles(path: path) }
  }

  @Test func `companion files are next to a symbolic link's target`() throws {
    try makeStoreWithLog()
    let link = try TemporaryFolder()
    let linkPath = link.appending("link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: linkPath, withDestinationPath: path)
    let files = try DatabaseFiles(path: linkPath)
    #expect(files == (try DatabaseFiles(path: path)))
    #expect(files.mayHoldUnmergedChanges)
  }

  @Test func `reading and writing a store with a log merges it when it closes`() throws {
    try makeStoreWithLog()
    #expect(try count(mode: .readWrite) == 2)
    #expect(try names == ["store.sqlite"])
    #expect(try count(.init(immutable: true)) == 2)
    #expect(try names == ["store.sqlite"])
  }

  @Test func `immutable ignores the log and changes nothing`() throws {
    try makeStoreWithLog()
    #expect(try count(.init(immutable: true)) == 1)
    #expect(try names == ["store.sqlite", "store.sqlite-wal"])
  }

  @Test(.enabled(if: !isRoot, "root may write everywhere"))
  func `a write-protected file is not opened for writing`() throws {
    try Database(path: path, mode: .create).execute("CREATE TABLE t (x)")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let error = #expect(throws: SQLiteError.self) { try count(mode: .readWrite) }
    #expect(
      error?.description == """
        database '\(path)': the file is write-protected and cannot be opened for writing (SQLITE_READONLY)
          open it for writing, and make sure that the file and its folder are writable
        """)
    #expect(try count() == 0)
  }

  @Test(arguments: [0, 7, 12, 24, 31]) func `a log with a wrong byte in its header is distinguished from a valid one`(
    offset: Int
  ) throws {
    try makeStoreWithLog()
    #expect(try !DatabaseFiles(path: path).isWriteAheadLogDamaged)
    #expect(try count() == .integer(2))
    let log = URL(filePath: path + "-wal")
    var bytes = try Data(contentsOf: log)
    bytes[offset] ^= 1
    try bytes.write(to: log)
    try? FileManager.default.removeItem(atPath: path + "-shm")
    #expect(try DatabaseFiles(path: path).isWriteAheadLogDamaged)
    #expect(try count() == .integer(1), "SQLite passes over the log")
  }

  @Test func `an empty log is not a damaged one, and one that is cut short is`() throws {
    try makeStoreWithLog()
    let log = URL(filePath: path + "-wal")
    let bytes = try Data(contentsOf: log)
    try bytes.prefix(31).write(to: log)
    #expect(try DatabaseFiles(path: path).isWriteAheadLogDamaged)
    try Data().write(to: log)
    #expect(try !DatabaseFiles(path: path).isWriteAheadLogDamaged)
  }
}
