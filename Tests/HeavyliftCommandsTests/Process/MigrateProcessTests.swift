import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `migrate` and `plan` of a tool with policies, as processes that are interrupted and killed.
@Suite(.serialized)
struct MigrateProcessTests {
  private let music: MusicFixture
  private let before: [String: Data]

  init() throws {
    music = try MusicFixture()
    before = try music.listing()
  }

  private func run(_ arguments: String..., tool: String = "SampleTool") throws -> ToolFixture.Run {
    let (code, output, errors) = try ToolProcess(tool, arguments, in: music.folder.url).end()
    return ToolFixture.Run(
      code: try #require(ExitCode(rawValue: code), "\(code): \(errors)"), output: music.shown(output),
      errors: music.shown(errors))
  }

  /// The progress lines of an undisturbed migration.
  private func progress(_ arguments: [String]) throws -> [String] {
    let other = try MusicFixture()
    let (code, _, errors) = try ToolProcess("SampleTool", arguments, in: other.folder.url).end()
    #expect(code == 0, "\(errors)")
    let lines = errors.split(separator: "\n").map { "\($0)\n" }
    try #require(lines.count >= 7)
    return lines
  }

  /// A process that has written its first lines, and waits until the test reads them.
  private func held(_ arguments: [String], after lines: ArraySlice<String>) throws -> ToolProcess {
    let process = try ToolProcess(
      "SampleTool", arguments, in: music.folder.url, heldAfter: lines.map(\.utf8.count).reduce(0, +))
    try process.waitUntilHeld()
    return process
  }

  /// The user's files in the folder: all but the work folder and the files of a WAL reader.
  private func usersFiles() throws -> [String: Data] {
    try music.listing().filter { name, data in
      !name.hasPrefix(".") && !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && data.isEmpty)
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: music.folder.url.path).sorted()
  }

  /// A killed reader leaves SQLite's own files next to the store, and later readers keep them.
  private func namesWithoutLogs() throws -> [String] {
    try names().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
  }

  /// At the very start, in the first hop, at its end, at the start of the second one, and before the swap.
  private func moments(_ lines: [String]) -> [Int] { [0, 2, 4, 5, lines.count - 1] }

  private let migrate = ["migrate", "Music.sqlite", "--mappings", "Music"]
  private let newest = ["Bill: T0 T1", "Miles: T0"]

  @Test func `a store is migrated through three versions, and is then current`() throws {
    let plan = try run("plan", "Music.sqlite", "--mappings", "Music")
    #expect(plan.code == .success && plan.errors == "")
    #expect(
      plan.output.hasPrefix(
        "Music.sqlite migrates from 'Music 1' to 'Music 3'; the store was identified by its version hashes\n"))
    #expect(plan.output.hasSuffix("\nnothing else would stop the migration\n"))
    #expect(try music.listing() == before)
    let run = try run("migrate", "Music.sqlite", "--mappings", "Music")
    #expect(run.code == .success)
    #expect(run.output.hasPrefix("Music.sqlite was migrated from 'Music 1' to 'Music 3'\n"))
    #expect(run.errors.hasPrefix("hop 1 of 2: 'Music 1' → 'Music 2': examining the store\n"))
    #expect(run.errors.hasSuffix("hop 2 of 2: 'Music 2' → 'Music 3': moving the new store into place\n"))
    #expect(try music.artists("Music.sqlite", version: 2) == newest)
    #expect(try names() == ["Music", "Music.sqlite"])
    #expect(
      try self.run("migrate", "Music.sqlite", "--mappings", "Music")
        == .init(
          code: .success, output: "Music.sqlite already has version 'Music 3': nothing to do\n", errors: ""))
  }

  @Test func `a tool without the policy refuses, and exit codes tell a wrong command line from a wrong file`() throws {
    #expect(try run("migrate", "Music.sqlite", "--mappings", "Music", tool: "heavylift").code == .negative)
    #expect(try run("migrate", "Musik.sqlite", tool: "heavylift").code == .failure)
    #expect(try run("migrate", tool: "heavylift").code == .usage)
    #expect(try music.listing() == before)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal at any moment leaves the old store, and a second run continues`(signal: Int32) throws {
    let lines = try progress(migrate)
    for count in moments(lines) {
      let process = try held(migrate, after: lines[..<count])
      try process.interrupt(signal)
      let (code, output, errors) = try process.end()
      let comment = Comment(rawValue: "interrupted before \(lines[count])\(errors)")
      #expect(code == 128 + signal && output == "", comment)
      #expect(errors.contains("error[migration.cancelled]: the migration of store '"), comment)
      #expect(try usersFiles() == before, comment)
      let second = try run("migrate", "Music.sqlite", "--mappings", "Music")
      #expect(second.code == .success && second.output.hasPrefix("Music.sqlite was migrated from 'Music 1'"), comment)
      // The message about finished hops is true.
      #expect(
        errors.contains("1 of 2 hops can be skipped")
          == second.output.contains("'Music 1' → 'Music 2', done by an earlier run"), comment)
      try checkEnd(comment)
    }
  }

  @Test func `a second signal ends the process at once, and leaves the old store`() throws {
    let lines = try progress(migrate)
    let process = try held(migrate, after: lines[..<7])
    try process.interrupt(SIGINT)
    kill(process.identifier, SIGINT)
    #expect(try process.end().code == -SIGINT)
    #expect(try usersFiles() == before)
    #expect(try run("migrate", "Music.sqlite", "--mappings", "Music").code == .success)
    try checkEnd("interrupted twice")
  }

  @Test(arguments: [["--quiet"], ["--backup", "Before.sqlite"], ["--dry-run"], ["--provenance", "Origins.sqlite"]])
  func `a process that is killed at any moment leaves the old store, and a second run succeeds`(
    secondRun: [String]
  ) throws {
    let first = migrate + secondRun.filter { $0 != "--quiet" }
    let lines = try progress(first)
    for count in moments(lines) {
      let process = try held(first, after: lines[..<count])
      kill(process.identifier, SIGKILL)
      #expect(try process.end().code == -SIGKILL)
      let comment = Comment(rawValue: "killed before \(lines[count])")
      #expect(try usersFiles() == before, comment)
      let (code, output, errors) = try ToolProcess("SampleTool", migrate + secondRun, in: music.folder.url).end()
      #expect(code == 0, "\(comment)\(output)\(errors)")
      if secondRun == ["--dry-run"] {
        #expect(try usersFiles() == before, comment)
        #expect(try namesWithoutLogs() == ["Music", "Music.sqlite"], comment)
      } else {
        if secondRun == ["--provenance", "Origins.sqlite"] { try checkProvenance(comment) }
        try checkEnd(comment, backup: secondRun == ["--backup", "Before.sqlite"] ? secondRun[1] : nil)
      }
    }
  }

  @Test func `a copy that is killed halfway does not appear, and a second run creates it`() throws {
    let into = migrate + ["--to", "New.sqlite"]
    let lines = try progress(into)
    for count in moments(lines) {
      let process = try held(into, after: lines[..<count])
      kill(process.identifier, SIGKILL)
      #expect(try process.end().code == -SIGKILL)
      let comment = Comment(rawValue: "killed before \(lines[count])")
      #expect(try usersFiles() == before, comment)
      let (code, _, errors) = try ToolProcess("SampleTool", into, in: music.folder.url).end()
      #expect(code == 0, "\(comment)\(errors)")
      #expect(try music.artists("New.sqlite", version: 2) == newest, comment)
      #expect(try usersFiles().filter { $0.key != "New.sqlite" } == before, comment)
      #expect(try namesWithoutLogs() == ["Music", "Music.sqlite", "New.sqlite"], comment)
      for name in try names() where name.hasPrefix("New") {
        try FileManager.default.removeItem(at: music.folder.appending(name))
      }
    }
  }

  /// Returns true if the chain's provenance is complete, and removes it.
  private func checkProvenance(_ comment: Comment) throws {
    let url = music.folder.appending("Origins.sqlite")
    var found: [String] = []
    try MigrationProvenance(contentsOf: url).forEach { record in
      found.append("\(record.entityMappingName): \(record.source.key) → \(record.destination.key)")
    }
    #expect(
      found.sorted() == ["AlbumToAlbum → AlbumToAlbum: 1 → 1"]
        + (1...3).map { "TrackToTrack → TrackToTrack: \($0) → \($0)" }, comment)
    try FileManager.default.removeItem(at: url)
  }

  /// Returns true if only the new store exists, and restores the old one.
  private func checkEnd(_ comment: Comment, backup: String? = nil) throws {
    #expect(try music.artists("Music.sqlite", version: 2) == newest, comment)
    var expected = ["Music", "Music.sqlite"]
    if let backup, !backup.hasPrefix("-") {
      expected.append(backup)
      let bytes = try Data(contentsOf: music.folder.appending(backup))
      #expect(bytes.count == before["Music.sqlite"]?.count, comment)
      try FileManager.default.removeItem(at: music.folder.appending(backup))
      #expect(Set(try names() + [backup]) == Set(expected), comment)
    } else {
      #expect(try names() == expected, comment)
    }
    for name in try names() where name != "Music" {
      try FileManager.default.removeItem(at: music.folder.appending(name))
    }
    for (name, data) in before where name.hasPrefix("Music.") { try data.write(to: music.folder.appending(name)) }
  }

  @Test func `a tool without a reader ends as if by a closed pipe`() throws {
    let process = Process()
    process.executableURL = try ToolProcess.executable("heavylift")
    process.arguments = ["dump", "Music.sqlite", "-m", "Music/Music.xcdatamodeld"]
    process.currentDirectoryURL = music.folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try output.fileHandleForReading.close()
    try process.run()
    try errors.fileHandleForWriting.close()
    #expect(errors.fileHandleForReading.readDataToEndOfFile() == Data())
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == ExitCode.brokenPipe.rawValue)
  }
}
