import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The space that a migration needs, with large values in files.
@Suite struct NeededSpaceTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }
  /// The size of the store's large values.
  private static let values = Int64(NoteStores.picture.count)

  init() throws {
    folder = try TemporaryFolder()
    try NoteStores.make(at: store, .withoutLog)
  }

  @Test(.enabled(if: OtherDisk.exists, "needs /dev/shm"))
  func `large values are counted, and the destination's disk is asked, if it is another one`() throws {
    let disk = try OtherDisk()
    let target = disk.url.appending(path: "New.sqlite")
    let asked = Recorder<String>()
    var files = FileOperations { if case .measureSpace(let url) = $0 { asked.append(url.lastPathComponent) } }
    let here = try NoteStores.manager(files: files).plan(for: store)
    #expect(asked.values == [folder.url.lastPathComponent])
    let there = try NoteStores.manager(files: files).plan(for: store, into: target)
    #expect(asked.values.last == disk.url.lastPathComponent)
    #expect(there.neededBytes == here.neededBytes + Self.values)
    // A copy next to the store shares them.
    #expect(
      try NoteStores.manager().plan(for: store, into: folder.appending("New.sqlite")).neededBytes == here.neededBytes)
    files.availableBytesForTests = here.neededBytes + Self.values - 1
    let manager = NoteStores.manager(files: files)
    let expected = """
      error[migration.no-space]: store '\(store.resolvingLinks.path)' needs about \(there.neededBytes.byteText) on the \
      disk of '\(target.path)' to be migrated, but only \(files.availableBytesForTests?.byteText ?? "") is free
        free some space, or migrate to another disk; nothing was changed
      """
    #expect(failure { try manager.migrate(store, into: target) } == expected)
    #expect(manager.obstacles(to: there, into: target).map(\.description) == [expected])
    #expect(manager.obstacles(to: there).isEmpty)
    #expect(failure { try manager.rehearse(store, into: target) { _ in } }?.contains("no-space") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
    // A current store is copied.
    files.availableBytesForTests = here.storeBytes + Self.values - 1
    #expect(
      failure {
        try NoteStores.manager(files: files).migrate(store, into: target, to: NoteStores.models[0])
      }?.contains("no-space") == true)
    files.availableBytesForTests = here.storeBytes + Self.values
    try NoteStores.manager(files: files).migrate(store, into: target, to: NoteStores.models[0])
    #expect(try NoteStores.contents(target) == NoteStores.oldest)
  }

  @Test(arguments: [POSIXErrorCode.EPERM, .EMLINK])
  func `large values are counted if the disk has no hard links`(code: POSIXErrorCode) throws {
    let needed = try NoteStores.manager(MappingHopExecution()).plan(for: store).neededBytes
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    var files = FileOperations { if case .link = $0 { throw POSIXError(code) } }
    files.availableBytesForTests = needed + Self.values - 1
    let problem = failure { try NoteStores.manager(MappingHopExecution(), files: files).migrate(store) }
    #expect(problem?.contains("needs about \((needed + Self.values).byteText) on its disk") == true, "\(problem ?? "")")
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
    files.availableBytesForTests = needed + Self.values
    try NoteStores.manager(MappingHopExecution(), files: files).migrate(store)
    #expect(try NoteStores.contents(store) == NoteStores.newest)
  }

  @Test func `a folder of large values that is a link does not stop a migration`() throws {
    let elsewhere = try TemporaryFolder()
    let support = ExternalDataFolder(store: store).supportFolder
    let moved = elsewhere.appending("values")
    try FileManager.default.moveItem(at: ExternalDataFolder(store: store).url, to: moved)
    try FileManager.default.createSymbolicLink(
      at: support.appending(path: "_EXTERNAL_DATA"), withDestinationURL: moved)
    let target = folder.appending("New.sqlite")
    try NoteStores.manager(MappingHopExecution()).migrate(store, into: target)
    #expect(try NoteStores.contents(target) == NoteStores.newest)
  }

  /// Three versions: `first` leaves its files in the second, and `other`, which is renamed, in the third one.
  private static func model(_ number: Int, kind: String = "Note") -> ManagedObjectModel {
    func data(_ name: String, was old: String? = nil, isExternal: Bool) -> AttributeDescription {
      AttributeDescription(
        name: name, type: .binaryData, allowsExternalBinaryDataStorage: isExternal, renamingIdentifier: old)
    }
    return ManagedObjectModel(
      name: "Version \(number)",
      entities: [
        EntityDescription(
          name: "Note",
          attributes: [
            data("first", isExternal: number < 2), data("kept", isExternal: true),
            number < 2
              ? data("other", isExternal: true) : data("renamed", was: "other", isExternal: number < 3),
            Models.attribute("added\(number)", .string),
          ])
      ])
  }

  @Test func `large values that move into the store are counted, and no others`() throws {
    let models = (1...3).map { Self.model($0) }
    let store = folder.appending("Values.sqlite")
    let made = try PersistentStore.create(at: store, model: models[0])
    let context = ManagedObjectContext(store: made)
    for (index, name) in ["first", "kept", "other", "kept"].enumerated() {
      try context.insert("Note")[name] = .data(Data(repeating: 1, count: 200_000 + index))
    }
    try context.save()
    try made.close()
    func needed(_ models: [ManagedObjectModel]) throws -> Int64 {
      let plan = try IncrementalMigrationManager(models: models, infersMissingMappings: true).plan(for: store)
      // Without large values.
      let (stores, size) = (Int64(plan.hops.count > 1 ? 2 : 1), plan.storeBytes)
      return (plan.neededBytes - (size * stores + size / 4 + 1 << 20)) / stores
    }
    #expect(try needed(Array(models[..<2])) == 200_000)
    #expect(try needed(models) == 200_000 + 200_002)
    #expect(try needed([models[0], Self.withoutChange(models[0])]) == 0)
  }

  private static func withoutChange(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    model.name = "Version 1b"
    model.entities[0].attributes.append(Models.attribute("more", .string))
    return model
  }
}
