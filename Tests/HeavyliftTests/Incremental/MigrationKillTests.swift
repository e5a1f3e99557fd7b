import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Migrations in separate processes that are killed at a step.
@Suite(.serialized)
struct MigrationKillTests {
  private static let killed = [
    FaultScenario(kind: .withUnmergedLog, hasBackup: true), FaultScenario(kind: .withoutLog, rewritesPictures: true),
    FaultScenario(kind: .withLog, isInto: true), FaultScenario.withProvenance[0], FaultScenario.continued[0],
  ]

  @Test(arguments: killed)
  func `a process that is killed at any step leaves the old store or the new one`(scenario: FaultScenario) async throws
  {
    let steps = try scenario.steps()
    // Each process takes half a second.
    for killing in scenario.sample(of: Array(1...steps.count)) {
      let place = try FaultScenario.Place(scenario)
      let path = place.folder.url.path
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [scenario = scenario as FaultScenario, killing = killing as Int, path = path as String] in
        let counter = Recorder<Int>()
        let files = FileOperations { _ in
          counter.append(0)
          if counter.values.count == killing { kill(getpid(), SIGKILL) }
        }
        try scenario.migrate(in: URL(filePath: path), files: files)
      }
      let comment = Comment(rawValue: "killed at step \(killing) of \(steps.count), \(steps[killing - 1])")
      #expect(try place.check(mayLeaveProvenance: true) == [], comment)
      let second = failure { try place.migrate() }
      #expect(second == nil || scenario.isInto && second?.contains("already exists") == true, comment)
      #expect(try place.checkEnd() == [], comment)
    }
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a process that is killed during a hop leaves the old store`(kind: NoteStores.Kind) async throws {
    let scenario = FaultScenario(kind: kind)
    for version in ["Notes 2", "Notes 3"] {
      let place = try FaultScenario.Place(scenario)
      let path = place.folder.url.path
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [scenario = scenario as FaultScenario, version = version as String, path = path as String] in
        try scenario.migrate(in: URL(filePath: path), files: FileOperations()) {
          if $0 == version { kill(getpid(), SIGKILL) }
        }
      }
      #expect(try NoteStores.listing(place.folder.url) == place.before)
      let hops = Recorder<String>()
      try scenario.migrate(in: place.folder.url, files: FileOperations()) { hops.append($0) }
      #expect(hops.values == (version == "Notes 2" ? ["Notes 2", "Notes 3"] : ["Notes 3"]))
      #expect(try place.checkEnd() == [])
    }
  }

  @Test(arguments: [
    FaultScenario(kind: .withUnmergedLog, hasBackup: true, usesEngine: true), FaultScenario(kind: .withLog),
  ])
  func `files that cannot grow leave the old store or the new one`(scenario: FaultScenario) async throws {
    let sizes = [0, 1, 8, 20, 36, 48, 64, 80, 100, 128, 180, 250, 400].map { $0 << 10 }
    var failures = 0
    for size in sizes {
      let place = try FaultScenario.Place(scenario)
      let path = place.folder.url.path
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [scenario = scenario as FaultScenario, size = size as Int, path = path as String] in
        // The limit is for SQLite's files, but applies to everything that this process writes.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let problem = failure { try scenario.migrate(in: URL(filePath: path), files: FileOperations()) }
        limit.rlim_cur = rlim_t.max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        FileHandle.standardOutput.write(Data((problem == nil ? "done" : "failed: \(problem ?? "")").utf8))
      }
      let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      if said.contains("failed") { failures += 1 }
      let comment = Comment(rawValue: "at \(size) bytes: \(said)")
      #expect(try place.check() == [], comment)
      #expect(failure { try place.migrate() } == nil, comment)
      #expect(try place.checkEnd() == [], comment)
    }
    #expect(failures > 3 && failures < sizes.count)
  }

  @Test func `a read-only folder is an error, and nothing changes`() async throws {
    await #expect(processExitsWith: .success) {
      let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
      chmod(place.folder.url.path, 0o555)
      if getuid() == 0 {
        _ = setgid(65534)
        _ = setuid(65534)
      }
      let store = place.store.resolvingLinks.path
      let found = failure { try place.migrate() }
      let expected = """
        error[migration.files]: store '\(store)' cannot be migrated: folder \
        '\((store as NSString).deletingLastPathComponent)': permission denied
          make sure that the store and its folder are writable, or migrate to another place
        """
      var isRight = found == expected
      if !isRight { FileHandle.standardError.write(Data("found: \(found ?? "nothing")\n".utf8)) }
      isRight = try NoteStores.listing(place.folder.url, withWorkFolder: true) == place.before && isRight
      _exit(isRight ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
