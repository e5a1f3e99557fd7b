import CSQLiteFaults
import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Migrations in place in which SQLite meets a failing disk, a full disk, a lock, damage, or lack of memory.
///
/// Part of the serialized suite, because only one test at a time can make SQLite's calls fail.
extension SQLiteFaultTests {
  @Test(arguments: NoteStores.Kind.allCases, Fault.all)
  func `a failing SQLite call in place leaves the old store or the new one`(
    kind: NoteStores.Kind, fault: Fault
  ) throws {
    let (old, new) = try PlaceStores.expected()
    func run(failing nth: Int) throws -> (problem: String?, calls: Int, folder: TemporaryFolder) {
      let folder = try TemporaryFolder()
      try PlaceStores.make(in: folder.url, kind)
      sqlite_faults_begin(folder.url.path, fault.kinds, nth, fault.code, fault.isForGood ? 1 : 0)
      let problem = failure { try PlaceStores.migrate(in: folder.url) }
      return (problem, Int(sqlite_faults_end()), folder)
    }
    let whole = try run(failing: 0)
    #expect(whole.problem == nil)
    let calls = whole.calls
    guard calls > 0 else { return }
    for failing in stride(from: 1, through: calls, by: Seeds.interval == 1 ? 1 : fault.interval * 2) {
      let (problem, _, folder) = try run(failing: failing)
      let comment = Comment(rawValue: "call \(failing) of \(calls)\n\(problem ?? "nothing was thrown")")
      let found = PlaceStores.plain(try PlaceStores.contents(in: folder.url))
      #expect(found == new || found == old && problem != nil, comment)
      if found != new { #expect(failure { try PlaceStores.migrate(in: folder.url) } == nil, comment) }
      #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new, comment)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(".Notes.sqlite.heavylift").path), comment)
    }
  }
}

/// Processes that are killed while they migrate a store in place.
extension MigrationKillTests {
  @Test(arguments: NoteStores.Kind.allCases)
  func `a process that is killed at any statement in place leaves the old store or the new one`(
    kind: NoteStores.Kind
  ) async throws {
    let (old, new) = try PlaceStores.expected()
    let trial = try TemporaryFolder()
    try PlaceStores.make(in: trial.url, kind)
    let recorder = Recorder<FileOperations.Step>()
    try PlaceStores.migrate(in: trial.url, files: FileOperations { recorder.append($0) })
    let steps = recorder.values.count
    #expect(steps > 20)
    for killing in stride(from: 1, through: steps, by: Seeds.interval == 1 ? 1 : 9) {
      let folder = try TemporaryFolder()
      try PlaceStores.make(in: folder.url, kind)
      let path = folder.url.path
      await #expect(processExitsWith: .signal(SIGKILL)) { [killing = killing as Int, path = path as String] in
        let counter = Recorder<Int>()
        let files = FileOperations { _ in
          counter.append(0)
          if counter.values.count == killing { kill(getpid(), SIGKILL) }
        }
        try PlaceStores.migrate(in: URL(filePath: path), files: files)
      }
      let comment = Comment(rawValue: "killed at step \(killing) of \(steps)")
      let found = PlaceStores.plain(try PlaceStores.contents(in: folder.url))
      #expect(found == old || found == new, comment)
      #expect(failure { try PlaceStores.migrate(in: folder.url) } == nil, comment)
      #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new, comment)
    }
  }

  @Test func `a process that is killed during a deferred cleanup leaves the rest of it`() async throws {
    let (_, new) = try PlaceStores.expected()
    for killing in 1...3 {
      let folder = try TemporaryFolder()
      try PlaceStores.make(in: folder.url)
      try PlaceStores.migrate(in: folder.url, defersCleanup: true)
      let path = folder.url.path
      await #expect(processExitsWith: .signal(SIGKILL)) { [killing = killing as Int, path = path as String] in
        let counter = Recorder<Int>()
        var manager = PlaceStores.manager
        manager.files = FileOperations { step in
          guard case .change = step else { return }
          counter.append(0)
          if counter.values.count == killing * 2 { kill(getpid(), SIGKILL) }
        }
        try manager.finishDeferredLightweightMigration(of: URL(filePath: path).appending(path: "Notes.sqlite"))
      }
      #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new)
      try PlaceStores.manager.finishDeferredLightweightMigration(of: folder.appending("Notes.sqlite"))
      #expect(try StoreFile(url: folder.appending("Notes.sqlite")).metadata.deferredCleanup == [])
      #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new)
    }
  }
}
