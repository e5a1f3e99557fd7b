import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Folders and files that another user created at the paths that a migration uses.
struct WorkFolderTests {
  private let place: FaultScenario.Place
  private let victim: TemporaryFolder
  private let work: URL

  init() throws {
    place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    victim = try TemporaryFolder()
    try Data("thesis".utf8).write(to: victim.appending("thesis"))
    work = place.folder.appending(".Notes.sqlite.heavylift")
  }

  private func expectRefusal(_ reason: String) throws {
    let (store, folder) = (place.store.resolvingLinks.path, work.resolvingFolder.path)
    #expect(
      failure { try place.migrate() } == """
        error[migration.files]: store '\(store)' cannot be migrated: '\(folder)' cannot be trusted: \(reason)
          find out who created it, and remove it; nothing was changed
        """)
    #expect(try NoteStores.listing(place.folder.url) == place.before)
    #expect(try Data(contentsOf: victim.appending("thesis")) == Data("thesis".utf8))
  }

  @Test func `a symbolic link is not used as the work folder`() throws {
    symlink(victim.url.path, work.path)
    try expectRefusal("it is not a folder")
  }

  @Test func `a folder that other users can access is not trusted, and its link targets are not changed`() throws {
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
    chmod(work.path, 0o755)
    symlink(victim.appending("thesis").path, work.appending(path: "lock").path)
    try expectRefusal("other users can access it")
  }

  @Test(.enabled(if: geteuid() == 0, "needs the superuser"))
  func `another user's folder is not trusted`() throws {
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
    chmod(work.path, 0o700)
    chown(work.path, 65_534, 65_534)
    try expectRefusal("it belongs to user 65534")
  }

  @Test func `a symbolic link in the user's own work folder is not followed`() throws {
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
    chmod(work.path, 0o700)
    for name in ["lock", "journal.json"] {
      symlink(victim.appending("thesis").path, work.appending(path: name).path)
      try expectRefusal("'\(name)' in it is a symbolic link")
      unlink(work.appending(path: name).path)
    }
    symlink(victim.url.path, work.appending(path: "rehearsal").path)
    try place.migrate()
    #expect(try place.checkEnd() == [])
    #expect(try Data(contentsOf: victim.appending("thesis")) == Data("thesis".utf8))
  }

  @Test func `the folder's name is on disk before anything is written outside of it`() throws {
    let steps = Recorder<FileOperations.Step>()
    try place.migrate(FileOperations { steps.append($0) })
    let own = work.resolvingFolder.path
    let created = try #require(steps.values.firstIndex { $0 == .makeFolder(work) || "\($0)".contains(own) })
    #expect(steps.values[created + 1] == .synchronize(place.store.deletingLastPathComponent()))
  }

  @Test func `a backup is only deleted if this migration created it`() throws {
    struct Broken: Error {}
    let scenario = FaultScenario(kind: .withLog, hasBackup: true)
    let place = try FaultScenario.Place(scenario)
    let backup = place.folder.appending("Old.sqlite")
    // Every step fails, as after a kill, once the backup is in place.
    let isBroken = Recorder<Bool>()
    _ = failure {
      try place.migrate(
        FileOperations { step in
          if case .replace(let target, _) = step, target.lastPathComponent == "Notes.sqlite" { isBroken.append(true) }
          if !isBroken.values.isEmpty { throw Broken() }
        })
    }
    #expect(try NoteStores.contents(backup) == NoteStores.oldest)
    try FileManager.default.removeItem(at: backup)
    try Data("mine".utf8).write(to: backup)
    #expect(
      failure { try place.migrate() }
        == """
        error[migration.destination-exists]: '\(backup.resolvingFolder.path)' already exists
          choose another path, or remove it first; nothing was changed
        """)
    try NoteStores.manager().migrate(place.store)
    #expect(try Data(contentsOf: backup) == Data("mine".utf8))
    #expect(try NoteStores.contents(place.store) == NoteStores.newest)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path).sorted()
        == [".Notes_SUPPORT", "Notes.sqlite", "Old.sqlite"])
  }
}
