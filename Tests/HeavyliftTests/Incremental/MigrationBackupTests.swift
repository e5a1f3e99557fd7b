import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Backups at a path that the user chose, on volumes with and without hard links.
struct MigrationBackupTests {
  /// A folder in memory that is deleted after the test; nil if none is on a separate volume.
  private final class OtherDisk: Sendable {
    static let exists =
      (try? FileIdentity(URL(filePath: "/dev/shm"))).map {
        $0.device != (try? FileIdentity(FileManager.default.temporaryDirectory))?.device
      } ?? false && access("/dev/shm", W_OK) == 0

    let url = URL(filePath: "/dev/shm/heavylift-\(UUID().uuidString)", directoryHint: .isDirectory)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private func migrate(_ place: FaultScenario.Place, backup: URL, files: FileOperations = FileOperations()) throws {
    try NoteStores.manager(RowCopy(), files: files).migrate(
      place.store, options: IncrementalMigrationOptions(backup: backup))
  }

  /// The bytes of a store's large values, by file name.
  private func largeValues(_ store: URL) throws -> [String: Data] {
    let folder = ExternalDataFolder(store: store)
    return try Dictionary(
      uniqueKeysWithValues: folder.fileNames().map { ($0, try Data(contentsOf: folder.file(named: $0))) })
  }

  @Test(arguments: NoteStores.Kind.allCases, [POSIXErrorCode.EPERM, .EXDEV, .EMLINK, .EOPNOTSUPP])
  func `without hard links the backup is a copy`(kind: NoteStores.Kind, code: POSIXErrorCode) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind, hasBackup: true))
    let values = try largeValues(place.store)
    chmod(place.store.path, 0o640)
    let copies = Recorder<String>()
    try place.migrate(
      FileOperations { step in
        if case .link = step { throw POSIXError(code) }
        if case .copy(_, let target) = step { copies.append(target.lastPathComponent) }
      })
    #expect(try place.checkEnd() == [])
    #expect(copies.values.contains("Old.sqlite"))
    let old = place.folder.appending("Old.sqlite")
    #expect(try !values.isEmpty && largeValues(old) == values)
    #expect(try FileIdentity(old)?.inode != FileIdentity(place.store)?.inode)
    #expect(try FileManager.default.attributesOfItem(atPath: old.path)[.posixPermissions] as? Int == 0o640)
  }

  @Test(.enabled(if: OtherDisk.exists, "needs /dev/shm"), arguments: NoteStores.Kind.allCases)
  func `a backup on another disk is the old store, including large values`(kind: NoteStores.Kind) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let values = try largeValues(place.store)
    let disk = try OtherDisk()
    let backup = disk.url.appending(path: "Old.sqlite")
    try migrate(place, backup: backup)
    #expect(try place.checkEnd() == [])
    #expect(try NoteStores.contents(backup) == NoteStores.oldest)
    #expect(try !values.isEmpty && largeValues(backup) == values)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.url.path).filter { !$0.contains("sqlite-") }.sorted()
        == [".Old_SUPPORT", "Old.sqlite"])
  }

  @Test(.enabled(if: OtherDisk.exists, "needs /dev/shm"))
  func `too little disk space for a backup is detected in advance`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withUnmergedLog))
    let disk = try OtherDisk()
    var files = FileOperations()
    files.availableBytesForTests = 1_000
    let store = place.store.resolvingLinks
    let backup = disk.url.appending(path: "Old.sqlite")
    let found = try MigrationPlaces(store: store, target: store, backup: backup, files: files).obstacles()
    let needed =
      try ["", "-wal"].map { try files.size(of: store.appendingToName($0)) ?? 0 }.reduce(0, +)
      + largeValues(store).values.map { Int64($0.count) }.reduce(0, +)
    #expect(
      found.map(\.description) == [
        """
        error[migration.no-space]: backup '\(backup.path)' is on a different disk than the store and needs about \
        \(needed.byteText) there, but only 1.0 kB is free
          free some space, or choose a path on the store's disk; nothing was changed
        """
      ])
    // On the store's own disk, a backup takes no space.
    let beside = place.folder.appending("Old.sqlite")
    #expect(try MigrationPlaces(store: store, target: store, backup: beside, files: files).obstacles().isEmpty)
  }

  @Test(.enabled(if: OtherDisk.exists, "needs /dev/shm"))
  func `a backup that cannot be copied leaves the old store and no partial backup`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withoutLog))
    let disk = try OtherDisk()
    let backup = disk.url.appending(path: "Old.sqlite")
    let problem = failure {
      try migrate(
        place, backup: backup,
        files: FileOperations { step in
          if case .copy(_, let target) = step, target.path.hasPrefix(disk.url.path) { throw POSIXError(.ENOSPC) }
        })
    }
    #expect(
      problem == """
        error[migration.files]: store '\(place.store.resolvingLinks.path)' cannot be migrated: a file operation failed: \
        no space left on device
          free some space, then try again
        """)
    #expect(try place.check() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
    try migrate(place, backup: backup)
    #expect(try place.checkEnd() == [])
    #expect(try NoteStores.contents(backup) == NoteStores.oldest)
  }
}
