import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// SQLite reads a log that a former store of the same name has left as part of a new store.
struct LeftoverLogTests {
  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.appending("Notes.sqlite")
    try NoteStores.make(at: store, .withoutLog)
  }

  enum Place: CaseIterable { case destination, backup, provenance }

  @Test(arguments: Place.allCases, ["-wal", "-journal"])
  func `no new store is placed beside such a log`(place: Place, suffix: String) throws {
    let taken = folder.appending("Taken.sqlite")
    let log = taken.appendingToName(suffix)
    try Data("rows of another store".utf8).write(to: log)
    let old = try Data(contentsOf: store)
    let manager = NoteStores.manager(MappingHopExecution())
    var options = IncrementalMigrationOptions()
    if place == .backup { options.backup = taken }
    if place == .provenance { options.provenance = taken }
    let destination = place == .destination ? taken : nil
    let found = manager.obstacles(to: try manager.plan(for: store), into: destination, options: options)
    #expect(found.map(\.kind) == [.destinationExists])
    let error = #expect(throws: MigrationError.self) {
      if let destination {
        _ = try manager.migrate(store, into: destination, options: options)
      } else {
        _ = try manager.migrate(store, options: options)
      }
    }
    #expect(error?.kind == .destinationExists)
    #expect(error?.description.contains(log.path) == true)
    #expect(try FileIdentity(taken) == nil)
    #expect(try Data(contentsOf: store) == old)
    #expect(try Data(contentsOf: log) == Data("rows of another store".utf8))
  }

  @Test func `a plan sees the large values of another store in the way of the backup's`() throws {
    let backup = folder.appending("Old.sqlite")
    try FileManager.default.createDirectory(
      at: ExternalDataFolder(store: backup).supportFolder, withIntermediateDirectories: false)
    let manager = NoteStores.manager(MappingHopExecution())
    let options = IncrementalMigrationOptions(backup: backup)
    let found = manager.obstacles(to: try manager.plan(for: store), options: options)
    #expect(found.map(\.kind) == [.destinationExists])
    #expect(throws: MigrationError.self) { try manager.migrate(store, options: options) }
  }

  @Test func `an empty log does no harm`() throws {
    let destination = folder.appending("New.sqlite")
    try Data().write(to: destination.appendingToName("-wal"))
    try NoteStores.manager(MappingHopExecution()).migrate(store, into: destination)
    #expect(try FileIdentity(destination) != nil)
  }

  @Test func `neither a single hop nor a new store is placed beside such a log`() throws {
    let taken = folder.appending("Taken.sqlite")
    try Data("rows of another store".utf8).write(to: taken.appendingToName("-wal"))
    let created = #expect(throws: Diagnostic.self) {
      try PersistentStore.create(at: taken, model: NoteStores.models[0])
    }
    #expect(created?.code == "store.already-exists")
    let manager = MigrationManager(sourceModel: NoteStores.models[0], destinationModel: NoteStores.models[1])
    let error = #expect(throws: HopError.self) {
      try manager.migrateStore(from: store, to: taken, with: [NoteStores.mapping(1, 2)])
    }
    #expect(error?.description.contains("Taken.sqlite-wal") == true)
    #expect(try FileIdentity(taken) == nil)
  }
}
