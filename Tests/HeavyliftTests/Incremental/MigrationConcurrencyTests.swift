import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Processes that have the store open or migrate it at the same time.
@Suite(.serialized)
struct MigrationConcurrencyTests {
  /// Another process that has a database open, idle or in a transaction.
  private final class Other {
    let process = Process()
    private let input = Pipe()

    /// - Parameter sql: The statements to run before the process waits.
    init(_ database: URL, _ sql: String) throws {
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["sqlite3", "-batch", database.path]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      try process.run()
      input.fileHandleForWriting.write(Data("\(sql)\n.print ready\n".utf8))
      var seen = ""
      while !seen.contains("ready") {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        seen += String(decoding: data, as: UTF8.self)
      }
    }

    var identifier: Int32 { process.processIdentifier }

    func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }

  /// A hop that first calls a closure, which may report that the source is changing.
  private struct ChangingSource: HopExecution {
    var execution: MappingHopExecution
    var check: @Sendable (URL) throws -> Void

    func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
      try check(source)
      return try execution.migrate(from: source, to: destination, hop: hop)
    }
  }

  static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test(
    .enabled(if: hasShell, "needs sqlite3"), arguments: [NoteStores.Kind.withLog, .withoutLog],
    ["SELECT count(*) FROM ZNOTE;", "BEGIN; SELECT count(*) FROM ZNOTE;", "BEGIN IMMEDIATE;"])
  func `a store that another process has open is not migrated`(kind: NoteStores.Kind, sql: String) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let other = try Other(place.store, sql)
    #expect(
      failure { try place.migrate() } == """
        error[migration.in-use]: store '\(place.store.resolvingLinks.path)' is in use by process \(other.identifier) \
        ('sqlite3')
          quit the program that has it open, then try again; nothing was changed
        """)
    #expect(try NoteStores.listing(place.folder.url, withWorkFolder: true) == place.before)
    other.end()
    try place.migrate()
    #expect(try place.checkEnd() == [])
  }

  @Test(.enabled(if: hasShell, "needs sqlite3"), arguments: NoteStores.Kind.allCases)
  func `no process can write to a store during its migration`(kind: NoteStores.Kind) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let seen = Recorder<String?>()
    try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { _ in
      let database = try? Database(path: place.store.path, mode: .readWrite, options: .atOnce)
      seen.append(
        failure { try database?.run("UPDATE ZNOTE SET ZTEXT = 'lost'") as Any }?.contains("locked").description)
      try? database?.close()
    }
    #expect(seen.values == ["true", "true"])
    #expect(try place.checkEnd() == [])
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a file that replaces the store during its migration is kept`(kind: NoteStores.Kind) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let restored = place.folder.appending("Restored.sqlite")
    try NoteStores.make(at: restored, .withoutLog)
    let bytes = try Data(contentsOf: restored)
    let problem = failure {
      try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { version in
        if version == "Notes 3" { rename(restored.path, place.store.path) }
      }
    }
    #expect(
      problem == """
        error[migration.changed-meanwhile]: store '\(place.store.resolvingLinks.path)' was changed while it was being migrated
          quit the program that writes to it, then try again; the change is in the store, and nothing else was changed
        """)
    #expect(try Data(contentsOf: place.store) == bytes)
  }

  /// As a restore of a backup into the same file does.
  @Test(arguments: [NoteStores.Kind.withLog, .withoutLog])
  func `a change that another program makes without SQLite is kept`(kind: NoteStores.Kind) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let changed = Recorder<Data>()
    let problem = failure {
      try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { version in
        guard version == "Notes 3" else { return }
        var bytes = try Data(contentsOf: place.store)
        bytes.replaceSubrange(try #require(bytes.range(of: Data("note 1".utf8))), with: Data("NOTE 1".utf8))
        let file = try FileHandle(forWritingTo: place.store)
        try file.write(contentsOf: bytes)
        try file.close()
        changed.append(bytes)
      }
    }
    #expect(problem?.hasPrefix("error[migration.changed-meanwhile]: ") == true, "\(problem ?? "no error")")
    #expect(try [Data(contentsOf: place.store)] == changed.values)
    try place.scenario.migrate(in: place.folder.url, files: FileOperations())
    #expect(try NoteStores.contents(place.store) == ["Notes 3", "NOTE 1", "note 2 picture", "note 3"])
  }

  @Test(.enabled(if: hasShell, "needs sqlite3"), arguments: NoteStores.Kind.allCases)
  func `a store that is opened during its migration is not swapped, and the next run swaps it`(
    kind: NoteStores.Kind
  ) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let opened = Recorder<Other>()
    let first = failure {
      try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { version in
        if version == "Notes 3" { opened.append(try Other(place.store, "SELECT count(*) FROM ZNOTE;")) }
      }
    }
    let other = opened.values.first
    #expect(
      first == """
        error[migration.in-use]: store '\(place.store.resolvingLinks.path)' is in use by process \
        \(other?.identifier ?? 0) ('sqlite3')
          quit the program that has it open, then try again; nothing was changed
        """)
    #expect(try place.check() == [])
    other?.end()
    let hops = Recorder<String>()
    try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { hops.append($0) }
    #expect(hops.values == [])
    #expect(try place.checkEnd() == [])
  }

  @Test func `a store that this process has open is not migrated`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    let database = try Database(path: place.store.path, mode: .readWrite)
    #expect(
      failure { try place.migrate() } == """
        error[migration.in-use]: store '\(place.store.resolvingLinks.path)' is in use by this process
          close it first, then try again; nothing was changed
        """)
    try database.close()
    try place.migrate()
    #expect(try place.checkEnd() == [])
  }

  @Test func `a program that writes constantly does not prevent a migration into another file`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    let tries = Recorder<String>()
    let manager = NoteStores.manager(
      ChangingSource(execution: MappingHopExecution()) { source in
        tries.append(source.lastPathComponent)
        guard source.lastPathComponent == "Notes.sqlite" else { return }
        throw Diagnostic(.error, code: SourceAttachment.changedCode, problem: "store was changed while it was read")
      })
    let target = place.folder.appending("New.sqlite")
    try manager.migrate(place.store, into: target)
    #expect(tries.values == ["Notes.sqlite", "source.sqlite", "hop-1.sqlite"])
    #expect(try ExternalDataFolder(store: target).fileNames() == ExternalDataFolder(store: place.store).fileNames())
    #expect(try NoteStores.contents(target) == NoteStores.newest)
    #expect(try NoteStores.contents(place.store) == NoteStores.oldest)
  }

  @Test func `two migrations of a store do not run at once`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    let seen = Recorder<String?>()
    try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { version in
      if version == "Notes 3" { seen.append(failure { try NoteStores.manager().migrate(place.store) }) }
    }
    #expect(
      seen.values == [
        """
        error[migration.already-running]: store '\(place.store.resolvingLinks.path)' is being migrated by this process
          wait until it is done; nothing was changed
        """
      ])
    #expect(try place.checkEnd() == [])
  }
}
