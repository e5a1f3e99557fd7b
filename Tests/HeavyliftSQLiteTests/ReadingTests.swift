import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

/// Opening a database for reading changes nothing in its folder, whatever files it contains.
struct ReadingTests {
  /// Files that a program left next to its database, and the resulting number of rows.
  enum Leftovers: CaseIterable {
    case rollbackMode, nothing, emptyLog, log, staleMemory, logAndStaleMemory, emptyLogAndStaleMemory

    var count: SQLiteValue {
      switch self {
      case .log, .logAndStaleMemory: 2
      default: 1
      }
    }
  }

  let folder: TemporaryFolder
  var path: String { folder.appending("store.sqlite").path }

  init() throws { folder = try TemporaryFolder() }

  static func contents(of folder: URL) throws -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
        ($0, try Data(contentsOf: folder.appending(path: $0)))
      })
  }

  static func count(_ path: String) throws -> SQLiteValue? {
    let database = try Database(path: path, mode: .readOnly)
    defer { try? database.close() }
    return try database.firstValue("SELECT count(*) FROM t")
  }

  /// Creates a database with one row in its file, and maybe another in its log.
  static func makeStore(_ leftovers: Leftovers, in folder: TemporaryFolder) throws {
    let original = try TemporaryFolder()
    let path = original.appending("store.sqlite").path
    let database = try Database(path: path, mode: .create)
    if leftovers != .rollbackMode { try database.execute("PRAGMA journal_mode = WAL") }
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)")
    if leftovers.count == 2 { try database.execute("INSERT INTO t VALUES (2)") }
    let suffixes: [String] =
      switch leftovers {
      case .rollbackMode, .nothing: [""]
      case .emptyLog, .log: ["", "-wal"]
      case .staleMemory: ["", "-shm"]
      case .logAndStaleMemory, .emptyLogAndStaleMemory: ["", "-wal", "-shm"]
      }
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: folder.appending("store.sqlite").path + suffix)
    }
    try database.close()
  }

  @Test(arguments: Leftovers.allCases) func `reading changes nothing, and sees the log`(leftovers: Leftovers) throws {
    try Self.makeStore(leftovers, in: folder)
    let before = try Self.contents(of: folder.url)
    for _ in 0..<2 {
      #expect(try Self.count(path) == leftovers.count)
      #expect(try Self.contents(of: folder.url) == before)
    }
  }

  @Test(arguments: Leftovers.allCases) func `a database that is never closed explicitly leaves nothing, either`(
    leftovers: Leftovers
  ) throws {
    try Self.makeStore(leftovers, in: folder)
    let before = try Self.contents(of: folder.url)
    func read() throws -> SQLiteValue? {
      try Database(path: path, mode: .readOnly).firstValue("SELECT count(*) FROM t")
    }
    #expect(try read() == leftovers.count)
    #expect(try Self.contents(of: folder.url) == before)
  }

  @Test(arguments: Leftovers.allCases, [true, false]) func `the last of two readers clears up after both`(
    leftovers: Leftovers, closesFirstFirst: Bool
  ) throws {
    try Self.makeStore(leftovers, in: folder)
    let before = try Self.contents(of: folder.url)
    var readers = try [Database(path: path, mode: .readOnly), Database(path: path, mode: .readOnly)]
    if !closesFirstFirst { readers.reverse() }
    for reader in readers { #expect(try reader.firstValue("SELECT count(*) FROM t") == leftovers.count) }
    for reader in readers { try reader.close() }
    #expect(try Self.contents(of: folder.url) == before)
  }

  @Test func `a folder that cannot be written is read`() async {
    await #expect(processExitsWith: .success) {
      var problems: [String] = []
      let folders = try ReadingTests.Leftovers.allCases.map { leftovers in
        let folder = try TemporaryFolder()
        try ReadingTests.makeStore(leftovers, in: folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
          chmod(folder.appending(name).path, 0o444)
        }
        chmod(folder.url.path, 0o555)
        return folder
      }
      // For the superuser no folder is read-only.
      if getuid() == 0 {
        _ = setgid(65534)
        _ = setuid(65534)
      }
      for (leftovers, folder) in zip(ReadingTests.Leftovers.allCases, folders) {
        do {
          let before = try ReadingTests.contents(of: folder.url)
          let count = try ReadingTests.count(folder.appending("store.sqlite").path)
          if count != leftovers.count { problems.append("\(leftovers): \(String(describing: count))") }
          if try ReadingTests.contents(of: folder.url) != before { problems.append("\(leftovers): changed") }
        } catch {
          problems.append("\(leftovers): \(error)")
        }
      }
      for problem in problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
      _exit(problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func `a writer of this process and a reader see each other's database, and the writer's files stay`() throws {
    try Self.makeStore(.nothing, in: folder)
    let reader = try Database(path: path, mode: .readOnly)
    let writer = try Database(path: path, mode: .readWrite)
    try writer.run("INSERT INTO t VALUES (3)")
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 2)
    try reader.close()
    #expect(try writer.firstValue("SELECT count(*) FROM t") == 2)
    try writer.run("INSERT INTO t VALUES (4)")
    try writer.close()
    #expect(try Self.count(path) == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
  }

  /// Another program that has the database open.
  final class Writer {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ path: String) throws {
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["sqlite3", "-batch", path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func run(_ sql: String) {
      input.fileHandleForWriting.write(Data("\(sql)\n.print ready\n".utf8))
      var seen = ""
      while !seen.contains("ready") {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        seen += String(decoding: data, as: UTF8.self)
      }
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test func `another process may have it open, write, merge, and die`() throws {
    try Self.makeStore(.nothing, in: folder)
    let writer = try Writer(path)
    defer { writer.kill() }
    func expectUnchanged(_ count: SQLiteValue) throws {
      let before = try Self.contents(of: folder.url)
      #expect(try Self.count(path) == count)
      #expect(try Self.contents(of: folder.url) == before)
    }
    writer.run("PRAGMA wal_autocheckpoint = 0; SELECT * FROM t;")
    try expectUnchanged(1)
    writer.run("INSERT INTO t VALUES (2);")
    try expectUnchanged(2)
    let reader = try Database(path: path, mode: .readOnly)
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 2)
    writer.run("BEGIN; INSERT INTO t VALUES (3);")
    try expectUnchanged(2)
    writer.run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")
    try expectUnchanged(3)
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 3)
    writer.run("INSERT INTO t VALUES (4);")
    writer.kill()
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 4)
    try reader.close()
    try expectUnchanged(4)
  }

  @Test func `a writer that comes while it is read is seen, and keeps its files`() throws {
    try Self.makeStore(.nothing, in: folder)
    let reader = try Database(path: path, mode: .readOnly)
    let writer = try Writer(path)
    writer.run("PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (2);")
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 2)
    writer.run("PRAGMA wal_checkpoint; INSERT INTO t VALUES (3);")
    #expect(try reader.firstValue("SELECT count(*) FROM t") == 3)
    let before = try Self.contents(of: folder.url)
    try reader.close()
    #expect(try Self.contents(of: folder.url) == before)
    writer.kill()
    #expect(try Self.count(path) == 3)
  }
}
