import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@Suite struct OpeningTests {
  let folder: TemporaryFolder
  var path: String { folder.appending("store.sqlite").path }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(_ path: String) throws {
    let database = try Database(path: path, mode: .create)
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    try database.close()
  }

  private func failure(_ path: String, _ mode: Database.Mode, _ options: Database.Options = .init()) -> String? {
    do throws(SQLiteError) {
      _ = try Database(path: path, mode: mode, options: options)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "plain", "with space", "question?mark=1&mode=ro", "hash#tag", "per%20cent", "ünï👋", ":memory:", "file:x",
    "quote'\"s", "back\\slash", "-leading", "semi;colon", "tab\tnewline\n",
  ])
  func `a file may have any name`(name: String) throws {
    let path = folder.appending(name).path
    try makeStore(path)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [name])
    for mode in [Database.Mode.readOnly, .readWrite, .create] {
      let database = try Database(path: path, mode: mode)
      #expect(try database.firstValue("SELECT x FROM t") == 1)
      #expect(database.path == path)
    }
    let other = try Database.inMemory()
    try other.attach(path: path, as: "o", readOnly: true)
    #expect(try other.firstValue("SELECT x FROM o.t") == 1)
  }

  @Test func `two slashes at the start name no host`() throws {
    try makeStore("/" + path)
    #expect(try Database(path: path, mode: .readOnly).firstValue("SELECT x FROM t") == 1)
  }

  @Test(arguments: [Database.Mode.readOnly, .readWrite])
  func `a file that is missing is not made`(mode: Database.Mode) throws {
    #expect(
      failure(path, mode) == """
        database '\(path)': unable to open database file (SQLITE_CANTOPEN)
          check that the file and its folder exist and can be opened; with a write-ahead log, the folder must also be \
        writable
        """)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `paths that name no file are refused`() throws {
    #expect(failure("", .create)?.hasPrefix("database '': the path is empty (SQLITE_CANTOPEN)") == true)
    #expect(failure("a\0b", .create)?.hasPrefix("database 'a\0b': the path contains U+0000 (SQLITE_CANTOPEN)") == true)
    let name = folder.url.path
    #expect(
      failure(name, .readOnly) == """
        database '\(name)': it is a folder and not a file (SQLITE_CANTOPEN)
          check that the file and its folder exist and can be opened; with a write-ahead log, the folder must also be \
        writable
        """)
  }

  @Test func `another kind of file is found out when it is opened`() throws {
    try Data(repeating: 65, count: 4096).write(to: URL(filePath: path))
    #expect(
      failure(path, .readOnly) == """
        database '\(path)': file is not a database (SQLITE_NOTADB)
          in: PRAGMA schema_version
          it is another kind of file, it is encrypted, or its first bytes are damaged
        """)
  }

  @Test func `a database that was cut off is corrupt`() throws {
    let database = try Database(path: path, mode: .create)
    try database.execute("CREATE TABLE t (x)")
    for _ in 0..<20 { try database.run("INSERT INTO t VALUES (randomblob(3000))") }
    try database.close()
    try Data(contentsOf: URL(filePath: path)).prefix(8192).write(to: URL(filePath: path))
    #expect(
      failure(path, .readOnly) == """
        database '\(path)': database disk image is malformed (SQLITE_CORRUPT)
          in: PRAGMA schema_version
          it is damaged: restore it from a backup, or recover the readable parts with '.recover' in the 'sqlite3' shell
        """)
  }

  @Test func `an empty file is an empty database`() throws {
    try Data().write(to: URL(filePath: path))
    #expect(try Database(path: path, mode: .readOnly).schemaObjects() == [])
  }

  @Test func `what is opened for reading cannot be written`() throws {
    try makeStore(path)
    let before = try Data(contentsOf: URL(filePath: path))
    let database = try Database(path: path, mode: .readOnly)
    #expect(database.isReadOnly)
    let error = #expect(throws: SQLiteError.self) { try database.run("DELETE FROM t") }
    #expect(error?.isReadOnly == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `a locked database says so, and can be used once the lock is gone`() throws {
    try makeStore(path)
    let writer = try Database(path: path, mode: .readWrite)
    try writer.begin(.exclusive)
    #expect(
      failure(path, .readWrite, .init(busyTimeout: 0)) == """
        database '\(path)': database is locked (SQLITE_BUSY)
          in: PRAGMA schema_version
          another connection or program is using the database: wait, or allow more time with the option 'busyTimeout'
        """)
    try writer.rollback()
    #expect(failure(path, .readWrite, .init(busyTimeout: 0)) == nil)
  }

  @Test func `the busy timeout waits for a lock that goes`() throws {
    try makeStore(path)
    let path = path
    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let writer = try? Database(path: path, mode: .readWrite)
      try? writer?.begin(.exclusive)
      isLocked.signal()
      Thread.sleep(forTimeInterval: 0.05)
      try? writer?.run("UPDATE t SET x = 2")
      try? writer?.commit()
    }
    isLocked.wait()
    let reader = try Database(path: path, mode: .readWrite, options: .init(busyTimeout: 600_000))
    #expect(try reader.firstValue("SELECT x FROM t") == 2)
    #expect(try reader.firstValue("PRAGMA busy_timeout") == 600_000)
  }

  @Test func `page size and vacuum mode of a new database can still be chosen`() throws {
    let database = try Database(path: path, mode: .create)
    try database.execute("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE t (x)")
    #expect(try database.firstValue("PRAGMA page_size") == 8192)
    #expect(try database.firstValue("PRAGMA auto_vacuum") == 2)
  }

  @Test func `the library reports its version`() throws {
    #expect(try Database.inMemory().firstValue("SELECT sqlite_version()") == .text(Database.version))
  }
}
