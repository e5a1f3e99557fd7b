import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Users who cannot read the store can never read anything that a migration creates.
struct StorePrivacyTests {
  /// Files in a folder that are accessible to users who cannot read the store.
  private static func exposed(_ folder: URL, to mask: mode_t) throws -> [String] {
    var found: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let url = folder.appending(path: name)
      var status = stat()
      // Deleted in the meantime.
      guard lstat(url.path, &status) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      if isFolder, status.st_mode & (mask >> 2) != 0 { found += try exposed(url, to: mask) }
      if status.st_mode & mask != 0 { found.append(name) }
    }
    return found
  }

  @Test(arguments: [
    (FaultScenario(kind: .withLog, hasBackup: true, usesEngine: true, provenance: "Origins.sqlite"), 0o600),
    (FaultScenario(kind: .withUnmergedLog, rewritesPictures: true), 0o640),
    (FaultScenario(kind: .withoutLog, isInto: true, usesEngine: true, provenance: "Origins.jsonl"), 0o600),
    (FaultScenario(kind: .withLog, hasBackup: true, rewritesPictures: true), 0o600),
  ])
  func `only users who can read the store can read the new files`(scenario: FaultScenario, mode: Int) throws {
    let place = try FaultScenario.Place(scenario)
    let values = ExternalDataFolder(store: place.store)
    for name in try values.fileNames() { chmod(values.file(named: name).path, mode_t(mode)) }
    for folder in [values.url, values.url.deletingLastPathComponent()] {
      chmod(folder.path, 0o700 | mode_t(mode) >> 2 & 0o011)
    }
    for suffix in ["", "-wal"] { chmod(place.store.appendingToName(suffix).path, mode_t(mode)) }
    let (folder, mask) = (place.folder.url, mode_t(0o444 & ~mode))
    chmod(folder.path, 0o755)
    let exposed = Recorder<String>()
    func look() { for name in (try? Self.exposed(folder, to: mask)) ?? ["?"] { exposed.append(name) } }
    let lookAtEachStep: @Sendable (FileOperations.Step) throws -> Void = { _ in
      for name in try Self.exposed(folder, to: mask) { exposed.append(name) }
    }
    try place.migrate(FileOperations(interceptor: lookAtEachStep))
    look()
    #expect(Set(exposed.values).filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == [])
    #expect(try place.checkEnd() == [])
    var status = stat()
    #expect(stat(scenario.target(in: folder).path, &status) == 0 && status.st_mode & 0o777 == mode_t(mode))
  }

  @Test(.enabled(if: geteuid() == 0, "needs the superuser"))
  func `a store keeps its group, or is not replaced`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      // Owner, group and mode of a store migrated by user 1001, a member of group 2000.
      for (owner, group, mode) in [
        (1_000, 2_000, 0o660), (1_000, 3_000, 0o666), (1_001, 3_000, 0o660), (1_000, 3_000, 0o706),
      ] {
        let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
        let values = ExternalDataFolder(store: place.store)
        let support = values.url.deletingLastPathComponent()
        for url in [place.store] + (try values.fileNames().map { values.file(named: $0) }) {
          chown(url.path, uid_t(owner), gid_t(group))
          chmod(url.path, mode_t(mode))
        }
        for url in [support, values.url, place.folder.url] { chmod(url.path, 0o777) }
        guard setgroups(1, [2_000]) == 0, setegid(1_001) == 0, seteuid(1_001) == 0 else { _exit(EXIT_FAILURE) }
        var said = failure { try place.migrate() } ?? ""
        guard seteuid(0) == 0, setegid(0) == 0 else { _exit(EXIT_FAILURE) }
        if said.isEmpty {
          var status = stat()
          stat(place.store.path, &status)
          said = "\(status.st_uid):\(status.st_gid) \(String(status.st_mode & 0o777, radix: 8))"
        }
        said = said.replacing(place.store.resolvingLinks.path, with: "Notes.sqlite")
        FileHandle.standardOutput.write(Data("\(said)\n".utf8))
      }
    }
    let remedy = "migrate it as its owner or as a member of its group, or to another place; nothing was changed"
    #expect(
      String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == """
        1001:2000 660
        1001:1001 666
        error[migration.files]: store 'Notes.sqlite' cannot be replaced: members of its group 3000 could no longer use it
          \(remedy)
        error[migration.files]: store 'Notes.sqlite' cannot be replaced: its owner, user 1000, could no longer use it
          \(remedy)

        """)
  }
}
