import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Runs after one that was interrupted, with other options or over a log that is damaged.
@Suite struct ResumedMigrationTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try NoteStores.make(at: store, .withoutLog)
  }

  /// Migrates, writing the store of each hop; stops before the second hop.
  private func interrupt(_ options: MigrationOptions = MigrationOptions()) throws {
    struct Stopped: Error {}
    let manager = NoteStores.manager(MappingHopExecution(options: options))
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { if $0.hop == 2 { cancellation.cancel(with: Stopped()) } }
    let problem = failure { try manager.migrate(store, options: .init(composesHops: false), monitor: monitor) }
    #expect(problem?.contains("1 of 2 hops can be skipped in the next run") == true, "\(problem ?? "no error")")
  }

  private func execute(_ sql: String) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  @Test func `a run continues only from hops that left behind what it would leave behind`() throws {
    try execute("ALTER TABLE ZNOTE ADD COLUMN ZOWN; UPDATE ZNOTE SET ZOWN = 'mine'")
    var options = MigrationOptions()
    options.unknownTables = .leaveBehind
    try interrupt(options)
    let problem = failure {
      try NoteStores.manager(MappingHopExecution()).migrate(store, options: .init(composesHops: false))
    }
    #expect(problem?.contains("column 'ZOWN' of table 'ZNOTE', 3 values") == true, "\(problem ?? "no error")")
    #expect(try NoteStores.contents(store) == NoteStores.oldest)
  }

  @Test func `a run that verifies each hop does not continue from one that was not verified`() throws {
    try interrupt()
    var manager = NoteStores.manager(MappingHopExecution())
    let verified = Recorder<Int>()
    manager.hopHandler = { verified.append($0.number) }
    try manager.migrate(store, options: .init(composesHops: false))
    #expect(verified.values == [1, 2])
    #expect(try NoteStores.contents(store) == NoteStores.newest)
  }

  @Test func `a run continues only from hops that wrote the same application values`() throws {
    var options = MigrationOptions()
    options.applicationValues = ["migratedBy": .string("3.1"), "isBeta": .boolean(true)]
    try interrupt(options)
    options.applicationValues = ["migratedBy": .string("3.2")]
    let report = try NoteStores.manager(MappingHopExecution(options: options))
      .migrate(store, options: .init(composesHops: false))
    #expect(report.hops.map { $0.report == nil } == [false, false])
    let new = try PersistentStore(url: store, models: NoteStores.models, mode: .readOnly)
    defer { try? new.close() }
    #expect(new.metadata.applicationValues == ["migratedBy": .string("3.2")])
  }

  @Test func `a run continues from hops that wrote application values in any order`() throws {
    var options = MigrationOptions()
    let all = (0..<20).map {
      ("key \($0)", PropertyList.dictionary(["a": .integer(1), "b": .real(2), "c\($0)": .real(3)]))
    }
    options.applicationValues = Dictionary(uniqueKeysWithValues: all)
    try interrupt(options)
    options.applicationValues = Dictionary(minimumCapacity: 1_000)
    for (key, value) in all.reversed() { options.applicationValues[key] = value }
    let report = try NoteStores.manager(MappingHopExecution(options: options))
      .migrate(store, options: .init(composesHops: false))
    #expect(report.hops.map { $0.report == nil } == [true, false])
  }

  // MARK: Changed stores

  /// Sets a file's modification time to that of another time, as `rsync --times` does.
  private func setTime(of url: URL, to identity: FileIdentity) {
    var times = [timespec](
      repeating: timespec(tv_sec: Int(identity.modifiedSeconds), tv_nsec: Int(identity.modifiedNanoseconds)), count: 2)
    #expect(utimensat(AT_FDCWD, url.path, &times, 0) == 0)
  }

  @Test func `a run notices a store in WAL mode that has changed, with the same size and time`() throws {
    try execute("PRAGMA journal_mode = WAL")
    try interrupt()
    let before = try #require(try StoreFingerprint(store))
    try execute("UPDATE ZNOTE SET ZTEXT = 'NOTE 1' WHERE ZTEXT = 'note 1'")
    setTime(of: store, to: before.file)
    let after = try #require(try StoreFingerprint(store))
    // In WAL mode, SQLite changes the counter in the header only with the rest of the first page.
    #expect(after.isSameState(as: before) && after.isSameContent(as: before) && after != before)
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: .init(composesHops: false))
    #expect(report.hops.map { $0.report == nil } == [false, false])
    #expect(try NoteStores.contents(store) == ["Notes 3", "NOTE 1", "note 2 picture", "note 3"])
  }

  @Test func `a change within a log is noticed by its frames`() throws {
    let database = try Database(path: store.path, mode: .readWrite)
    defer { try? database.close() }
    let log = store.appendingToName("-wal")
    // A log that was merged is overwritten from the start, and keeps its size.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE own (a); INSERT INTO own VALUES (zeroblob(100000));
      PRAGMA wal_checkpoint(PASSIVE); UPDATE ZNOTE SET ZTEXT = 'NOTE 1' WHERE ZTEXT = 'note 1'
      """)
    let before = try #require(try StoreFingerprint(store))
    try database.execute("UPDATE ZNOTE SET ZTEXT = 'NOTE 3' WHERE ZTEXT = 'note 3'")
    setTime(of: log, to: try #require(before.log))
    let after = try #require(try StoreFingerprint(store))
    #expect(after.file == before.file && after.header == before.header)
    #expect(after.log == before.log && after.logHeader == before.logHeader)
    #expect(!after.isSameState(as: before) && !after.isSameContent(as: before))
  }

  @Test(arguments: [false, true])
  func `a run continues after a swap that failed, though the store had another name`(hasBackup: Bool) throws {
    let options = IncrementalMigrationOptions(
      backup: hasBackup ? folder.appending("Old.sqlite") : nil, composesHops: false)
    let problem = failure {
      try NoteStores.manager(
        MappingHopExecution(),
        files: FileOperations { step in
          if case .replace(let target, _) = step, target.lastPathComponent == "Notes.sqlite" { throw POSIXError(.EIO) }
        }
      ).migrate(store, options: options)
    }
    #expect(problem != nil)
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: options)
    #expect(report.hops.map { $0.report == nil } == [true, true])
    #expect(try NoteStores.contents(store) == NoteStores.newest)
  }

  @Test func `a run with the same options continues`() throws {
    let whole = try NoteStores.manager(MappingHopExecution()).migrate(
      store, into: folder.appending("New.sqlite"), options: .init(composesHops: false))
    try interrupt()
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: .init(composesHops: false))
    #expect(report.hops.map { $0.report == nil } == [true, false])
    #expect(report.hops.map { $0.report ?? $0.earlierReport } == whole.hops.map(\.report))
    #expect(report.hops.map { $0.earlierReport == nil } == [false, true])
  }

  @Test func `a run passes on what an interrupted run has reported`() throws {
    let values = ExternalDataFolder(store: store)
    let name = try #require(try values.fileNames().first)
    values.remove(name)
    try interrupt()
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: .init(composesHops: false))
    #expect(report.hops.map { $0.earlierReport?.notes.map(\.code) } == [["store.missing-external-file"], nil])
    #expect(report.hops[1].report?.notes == [])
  }

  @Test(arguments: [false, true], IncrementalMigrationOptions.Mode.allCases)
  func `a store whose log is damaged is refused, because SQLite would overwrite the log`(
    isInto: Bool, mode: IncrementalMigrationOptions.Mode
  ) throws {
    try leaveDamagedLog()
    let files = try NoteStores.listing(folder.url, withWorkFolder: true)
    let manager = NoteStores.manager(MappingHopExecution())
    let options = IncrementalMigrationOptions(mode: isInto ? .copy : mode)
    let problem = failure {
      isInto
        ? try manager.migrate(store, into: folder.appending("New.sqlite"), options: options)
        : try manager.migrate(store, options: options)
    }
    #expect(problem?.contains("its -wal has a damaged header") == true, "\(problem ?? "no error")")
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == files)
    let plan = try manager.plan(for: store)
    #expect(manager.obstacles(to: plan).contains { $0.kind == .damaged })
  }

  @Test func `a store whose log is damaged is migrated without it if that is accepted`() throws {
    try leaveDamagedLog()
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: .init(acceptsDamage: true))
    let note = report.hops.first?.report?.notes.first
    #expect(note?.code == "store.damaged" && note?.problem.contains("its -wal has a damaged header") == true)
    #expect(note?.problem.contains("rows of lost pages, or of a lost -wal, cannot be listed") == true)
    #expect(try NoteStores.contents(store) == NoteStores.newest)
  }

  private func leaveDamagedLog() throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("PRAGMA journal_mode = WAL; UPDATE ZNOTE SET ZTEXT = 'newer'")
    let log = store.appendingToName("-wal")
    var bytes = try Data(contentsOf: log)
    bytes[7] ^= 1
    try FileManager.default.copyItem(at: store, to: folder.appending("copy"))
    try database.close()
    try FileManager.default.removeItem(at: store)
    try FileManager.default.moveItem(at: folder.appending("copy"), to: store)
    try bytes.write(to: log)
  }

  @Test func `a missing large value is reported once, also when hops are composed`() throws {
    let values = ExternalDataFolder(store: store)
    let name = try #require(try values.fileNames().first)
    values.remove(name)
    for composesHops in [false, true] {
      let report = try NoteStores.manager(MappingHopExecution()).migrate(
        store, into: folder.appending("\(composesHops).sqlite"), options: .init(composesHops: composesHops))
      let notes = report.hops.flatMap { $0.report?.notes ?? [] }.map(\.code)
      #expect(notes == ["store.missing-external-file"], "\(notes)")
    }
  }
}
