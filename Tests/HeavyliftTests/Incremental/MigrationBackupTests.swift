import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Backups at a path that the user chose, on volumes with and without hard links.
struct MigrationBackupTests {
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

  @Test(arguments: NoteStores.Kind.allCases)
  func `a backup is restored as 'When a migration fails' says`(kind: NoteStores.Kind) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind))
    let values = try largeValues(place.store)
    let (store, backup) = (place.store, place.folder.appending("Before.sqlite"))
    try migrate(place, backup: backup)
    // A program has used the new store, and was killed before its log was checkpointed.
    try Data("a stale log".utf8).write(to: URL(filePath: store.path + "-wal"))

    let manager = FileManager.default
    let elsewhere = try TemporaryFolder()
    func support(_ store: URL) -> URL { ExternalDataFolder(store: store).supportFolder }
    let belongings = [store.path, store.path + "-wal", store.path + "-shm", support(store).path]
    for path in belongings where manager.fileExists(atPath: path) {
      try manager.moveItem(
        at: URL(filePath: path), to: elsewhere.appending(URL(filePath: path).lastPathComponent))
    }
    try manager.moveItem(at: backup, to: store)
    try manager.moveItem(at: support(backup), to: support(store))

    #expect(try NoteStores.contents(store) == NoteStores.oldest)
    #expect(try !values.isEmpty && largeValues(store) == values)
    let name = store.deletingPathExtension().lastPathComponent
    #expect(support(store).lastPathComponent == ".\(name)_SUPPORT")
  }

  // MARK: Values that move into files

  /// Two versions of a model; in the second one, large pictures are stored in files. Covers always are.
  private static let embedding = [false, true].map { isExternal in
    ManagedObjectModel(
      name: isExternal ? "Files 2" : "Files 1",
      entities: [
        EntityDescription(
          name: "Note",
          attributes: [
            AttributeDescription(name: "cover", type: .binaryData, allowsExternalBinaryDataStorage: true),
            AttributeDescription(name: "picture", type: .binaryData, allowsExternalBinaryDataStorage: isExternal),
          ] + (isExternal ? [Models.attribute("added", .string)] : []))
      ])
  }

  /// - Parameter hasCovers: True if the old store has a file of its own.
  private static func embeddingStore(hasCovers: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("Notes.sqlite"), model: embedding[0])
    let context = ManagedObjectContext(store: store)
    for number in 1...2 {
      let note = try context.insert("Note")
      note["picture"] = .data(Data(repeating: UInt8(number), count: 150_000))
      if hasCovers, number == 1 { note["cover"] = .data(NoteStores.picture) }
    }
    try context.save()
    try store.close()
    return folder
  }

  private static func embeddingManager(_ files: FileOperations = FileOperations()) -> IncrementalMigrationManager {
    var manager = IncrementalMigrationManager(models: embedding, infersMissingMappings: true)
    manager.files = files
    return manager
  }

  /// Returns the problems with a backup, and with the new store.
  private func embeddingProblems(_ folder: TemporaryFolder, _ backup: URL, _ old: [String: Data]) throws -> [String] {
    var problems: [String] = []
    if try largeValues(backup) != old { problems.append("the backup has the files \(try largeValues(backup).keys)") }
    let support = ExternalDataFolder(store: backup).supportFolder
    if old.isEmpty, try FileOperations().exists(support) { problems.append("there is '\(support.path)'") }
    let new = folder.appending("Notes.sqlite")
    if try largeValues(new).count != old.count + 2 { problems.append("the new store has \(try largeValues(new).keys)") }
    for (url, model) in [(backup, Self.embedding[0]), (new, Self.embedding[1])] {
      let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
      defer { try? store.close() }
      let context = ManagedObjectContext(store: store)
      let notes = try context.fetch(FetchRequest(entityName: "Note"))
      let pictures = try notes.map { try $0.value(forKey: "picture").data }
      if pictures != [1, 2].map({ Data(repeating: $0, count: 150_000) }) { problems.append("pictures differ") }
    }
    return problems
  }

  @Test(arguments: [nil, POSIXErrorCode.EPERM], [false, true])
  func `a backup has no files of the new store`(code: POSIXErrorCode?, hasCovers: Bool) throws {
    let folder = try Self.embeddingStore(hasCovers: hasCovers)
    let (store, backup) = (folder.appending("Notes.sqlite"), folder.appending("Old.sqlite"))
    let old = try largeValues(store)
    #expect(old.count == (hasCovers ? 1 : 0))
    let files = FileOperations { step in
      if case .link = step, let code { throw POSIXError(code) }
    }
    try Self.embeddingManager(files).migrate(store, options: IncrementalMigrationOptions(backup: backup))
    #expect(try embeddingProblems(folder, backup, old) == [])
  }

  @Test(.enabled(if: OtherDisk.exists, "needs /dev/shm"), arguments: [false, true])
  func `a backup on another disk has no files of the new store`(hasCovers: Bool) throws {
    let (folder, disk) = (try Self.embeddingStore(hasCovers: hasCovers), try OtherDisk())
    let (store, backup) = (folder.appending("Notes.sqlite"), disk.url.appending(path: "Old.sqlite"))
    let old = try largeValues(store)
    try Self.embeddingManager().migrate(store, options: IncrementalMigrationOptions(backup: backup))
    #expect(try embeddingProblems(folder, backup, old) == [])
  }

  @Test(arguments: [false, true])
  func `a backup that another run makes has no files of the new store`(hasCovers: Bool) throws {
    let folder = try Self.embeddingStore(hasCovers: hasCovers)
    let (store, backup) = (folder.appending("Notes.sqlite"), folder.appending("Old.sqlite"))
    let old = try largeValues(store)
    let options = IncrementalMigrationOptions(backup: backup)
    // The files of the new store cannot be moved back, as if the process had been killed.
    let isStopping = Recorder<Bool>()
    let files = FileOperations { step in
      if case .makeFolder(let url) = step, url.lastPathComponent.hasPrefix(".Old.sqlite") { isStopping.append(true) }
      if !isStopping.values.isEmpty { throw POSIXError(.EIO) }
    }
    #expect(failure { try Self.embeddingManager(files).migrate(store, options: options) } != nil)
    #expect(try largeValues(store).count == old.count + 2)
    try Self.embeddingManager().migrate(store, options: options)
    #expect(try embeddingProblems(folder, backup, old) == [])
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
