import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct OpeningTests {
  static let logged = CorpusStore.all.filter {
    // CareKit's is empty.
    (try? Data(contentsOf: URL(filePath: $0.url.path + "-wal")))?.isEmpty == false
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `the corpus has stores with an unmerged log`() { #expect(Self.logged.count == 6) }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)), arguments: logged)
  func `rows in the log are seen, and reading merges nothing`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(store.url)
    let before = try Data(contentsOf: url)
    let log = try Data(contentsOf: URL(filePath: url.path + "-wal"))
    #expect(!log.isEmpty)
    // The contents of the file without its log.
    let alone = try TemporaryFolder()
    let bare = alone.appending("bare.sqlite")
    try before.write(to: bare)
    let database = try Database(path: bare.path, mode: .readOnly, options: .init(immutable: true))
    let merged = try folder.copyStoreElsewhere(store.url)
    let whole = try Database(path: merged.path, mode: .readWrite)
    let opened = try PersistentStore(url: url, models: try store.models(), mode: .readOnly)
    let context = ManagedObjectContext(store: opened)
    var isSeen = false
    for entity in opened.layout.entities where entity.superNumber == 0 {
      let sql = "SELECT count(*) FROM \(entity.tableName)"
      let expected = try whole.firstValue(sql)
      #expect(try .integer(Int64(context.fetch(FetchRequest(entityName: entity.name)).count)) == expected)
      if (try? database.firstValue(sql)) ?? .null != expected { isSeen = true }
    }
    // Some logs hold only metadata.
    let merging = try Data(contentsOf: url)
    #expect(isSeen || before == merging)
    try opened.close()
    #expect(try Data(contentsOf: url) == before)
    #expect(try Data(contentsOf: URL(filePath: url.path + "-wal")) == log)
  }

  @Test func `reading a store leaves its folder unchanged`() throws {
    let folder = try TemporaryFolder()
    let url = try MalformedStoreTests.makeStore(in: folder)
    let before = try MalformedStoreTests.contents(of: folder.url)
    try MalformedStoreTests.readAll(url, models: [MalformedStoreTests.model], mode: .readOnly)
    #expect(try MalformedStoreTests.contents(of: folder.url) == before)
  }

  @Test func `opening a missing store creates no file, even in a mode that creates stores`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("none.sqlite")
    #expect(
      message { _ = try StoreFile(url: url, mode: .create) } == """
        error[store.not-found]: store '\(url.path)' does not exist
          check the path
        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `creating a store does not replace an existing file`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try Data("mine".utf8).write(to: url)
    #expect(
      message { _ = try PersistentStore.create(at: url, model: Models.library) } == """
        error[store.already-exists]: store '\(url.path)' already exists
          choose another path, or remove the store first
        """)
    #expect(try Data(contentsOf: url) == Data("mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.sqlite"])
  }

  @Test func `creating a store of a broken model leaves no files`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "A")])
    #expect(throws: DiagnosticList.self) {
      try PersistentStore.create(at: folder.appending("a.sqlite"), model: model)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `creating a store in a missing folder is an error`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("none/a.sqlite")
    #expect(
      message { _ = try PersistentStore.create(at: url, model: Models.library) } == """
        error[store.missing-folder]: store '\(url.path)' cannot be created, because its folder does not exist
          create the folder first
        """)
  }

  @Test func `a store that another connection has locked exclusively is reported as locked`() throws {
    let folder = try TemporaryFolder()
    let url = try MalformedStoreTests.makeStore(in: folder)
    let other = try Database(path: url.path, mode: .readWrite)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE Z_METADATA SET Z_VERSION = 1")
    for mode in [Database.Mode.readOnly, .readWrite] {
      #expect(
        message { _ = try StoreFile(url: url, mode: mode, busyTimeout: 0) } == """
          error[store.locked]: store '\(url.path)' is locked by another process
            quit the application that uses it, then try again; nothing was changed
          """)
    }
    try other.rollback()
  }

  @Test(.timeLimit(.minutes(15))) func `a pipe does not block`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("pipe.sqlite")
    #expect(mkfifo(url.path, 0o600) == 0)
    for mode in [Database.Mode.readOnly, .readWrite, .create] {
      #expect(
        message { _ = try StoreFile(url: url, mode: mode) } == """
          error[store.not-regular]: store '\(url.path)' is not a regular file but a pipe
            specify the store's file
          """)
    }
  }

  @Test(.timeLimit(.minutes(15)), arguments: ["-wal", "-shm", "-journal"], [S_IFIFO, S_IFSOCK])
  func `special files next to a store are not opened`(suffix: String, kind: mode_t) throws {
    let folder = try TemporaryFolder()
    let url = try MalformedStoreTests.makeStore(in: folder)
    try? FileManager.default.removeItem(atPath: url.path + suffix)
    try #require(mknod(url.path + suffix, kind | 0o600, 0) == 0)
    for mode in [Database.Mode.readOnly, .readWrite] {
      #expect(
        message { _ = try StoreFile(url: url, mode: mode) } == """
          error[store.not-regular]: store '\(url.path)' has a '\(suffix)' that is not a regular file but a \
          \(kind == S_IFIFO ? "pipe" : "socket")
            put the store's own '\(suffix)' there if it has one, or remove it; nothing was changed
          """)
    }
  }

  @Test(arguments: [
    (ResultCode.full, "disk-full", "cannot be written", "free some space on the disk, then try again"),
    (
      .inputOutput, "disk-failure", "cannot be read or written",
      "check the disk and the permissions of its files, then try again"
    ),
  ])
  func `a disk failure has its own code`(
    code: ResultCode, name: String, problem: String, remedy: String
  ) throws {
    let diagnostic = StoreOpening.diagnostic(
      for: SQLiteError(code: code, message: "no"), url: URL(filePath: "/a.sqlite"))
    #expect(
      "\(diagnostic)" == """
        error[store.\(name)]: store '/a.sqlite' \(problem): no (\(code))
          \(remedy); nothing was changed
        """)
  }
}

extension TemporaryFolder {
  /// A second copy of a store, to be checkpointed and read by plain SQL.
  fileprivate func copyStoreElsewhere(_ store: URL) throws -> URL {
    let copy = appending("elsewhere.sqlite")
    for suffix in ["", "-wal"] {
      try Data(contentsOf: URL(filePath: store.path + suffix)).write(to: URL(filePath: copy.path + suffix))
    }
    return copy
  }
}
