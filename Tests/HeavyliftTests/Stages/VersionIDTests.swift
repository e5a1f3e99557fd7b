import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Versions with the same hashes that have IDs.
struct VersionIDTests {
  /// Version 2b differs from version 2 in a default value, which no hash covers.
  private static let versions: [ManagedObjectModel] = {
    var again = MusicStages.version(2)
    again.name = "Music 2b"
    again.versionID = "2b"
    again.edit("Track") { $0.edit(attribute: "plays") { $0.defaultValue = .integer(5) } }
    return [MusicStages.version(2), again, MusicStages.version(3)]
  }()

  private let folder: TemporaryFolder
  private let store: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.appending("Music.sqlite")
    try MusicStages.make(at: store, version: 2, count: 2)
  }

  private static func reference(_ version: Int) -> ManagedObjectModelReference {
    ManagedObjectModelReference(model: versions[version], versionChecksum: versions[version].versionChecksum)
  }

  /// A stage that gives tracks their plays, and a lightweight one.
  private static func stages(counting body: @escaping @Sendable () -> Void = {}) throws -> StagedMigrationManager {
    let plays = CustomMigrationStage(migratingFrom: reference(0), to: reference(1), label: "Plays")
    plays.migrate("Track") { _, track in
      body()
      if track["plays"].isNull { track["plays"] = 5 }
    }
    let rest = LightweightMigrationStage(versions: [reference(1), reference(2)])
    return try StagedMigrationManager([plays, rest], versions: versions)
  }

  private func tracks(_ model: ManagedObjectModel) throws -> [String] {
    let opened = try PersistentStore(url: store, models: [model], mode: .readOnly)
    defer { try? opened.close() }
    return try ManagedObjectContext(store: opened).fetch(FetchRequest(entityName: "Track")).map {
      "\($0["title"].string ?? "nil") \($0["plays"].integer ?? -1)"
    }
  }

  private func metadata() throws -> StoreMetadata {
    let file = try StoreFile(url: store, mode: .readOnly)
    defer { try? file.close() }
    return file.metadata
  }

  @Test func `a store without an ID has the oldest version, and gets the ID of the version it is migrated to`() throws {
    let count = Locked(0)
    let manager = IncrementalMigrationManager(stages: try Self.stages { count.current += 1 })
    #expect(try manager.plan(for: store).hops.map(\.title) == ["'Music 2' → 'Music 2b'", "'Music 2b' → 'Music 3'"])
    #expect(try metadata().versionID == nil)
    let hashes = try metadata().versionHashes
    try manager.migrate(store, to: Self.versions[1])
    #expect(try metadata().versionID == "2b" && metadata().versionHashes == hashes)
    #expect(try tracks(Self.versions[1]) == ["A 5", "B 5"])
    // It has this version now, so the handlers do not run again.
    #expect(try manager.migrate(store, to: Self.versions[1]).wasCurrent && count.current == 2)
    // Others, who do not know the ID, can read the store.
    #expect(try tracks(Self.versions[0]) == ["A 5", "B 5"])
    #expect(try metadata().applicationValues.keys.sorted() == [])
    try manager.migrate(store)
    #expect(try metadata().versionID == nil && count.current == 2)
    #expect(try tracks(Self.versions[2]) == ["A 5", "B 5"])
  }

  @Test func `a change of the ID alone is a change of the metadata in place`() throws {
    let stages = try StagedMigrationManager(
      [LightweightMigrationStage(versions: [Self.reference(0), Self.reference(1)])], versions: Self.versions)
    let manager = IncrementalMigrationManager(stages: stages)
    let options = IncrementalMigrationOptions(mode: .inPlace)
    #expect(try manager.plan(for: store, to: Self.versions[1], options: options).inPlace?.hops == [[]])
    try manager.migrate(store, to: Self.versions[1], options: options)
    #expect(try metadata().versionID == "2b")
  }

  @Test func `models from files get the IDs that stages refer to them with`() throws {
    var plain = Self.versions
    plain[1].versionID = nil
    let references = plain.enumerated().map { index, model in
      ManagedObjectModelReference(versionChecksum: model.versionChecksum, versionID: index == 1 ? "2b" : nil)
    }
    let stages = [
      CustomMigrationStage(migratingFrom: references[0], to: references[1]),
      CustomMigrationStage(migratingFrom: references[1], to: references[2]),
    ]
    let manager = IncrementalMigrationManager(stages: try StagedMigrationManager(stages, versions: plain))
    #expect(try manager.models.map(\.versionID) == [nil, "2b", nil])
    // A caller may have read the model from its file, too.
    try manager.migrate(store, to: plain[1])
    #expect(try metadata().versionID == "2b")
  }

  @Test func `a store with an unknown ID, or a newer one, is refused`() throws {
    let manager = IncrementalMigrationManager(stages: try Self.stages())
    try manager.migrate(store, to: Self.versions[1])
    let backward = #expect(throws: MigrationError.self) {
      try manager.plan(for: store, to: Self.versions[0])
    }
    #expect(backward?.kind == .newerVersion && backward?.number == 134_506)
    let opened = try PersistentStore(url: store, models: [Self.versions[1]])
    try opened.updateMetadata { $0.values[StoreMetadata.Key.versionID] = .string("2c") }
    try opened.close()
    let others = IncrementalMigrationManager(models: [Self.versions[1], Self.versions[2]])
    let error = #expect(throws: MigrationError.self) { try others.plan(for: store) }
    #expect(
      error?.description.replacing(folder.url.path, with: "FOLDER") == """
        error[migration.unknown-version]: store 'FOLDER/Music.sqlite' does not fit model 'Music 2b':
          - the store has the version ID '2c', and not '2b'
          if the store was written by a newer version of the app, use that version; otherwise, specify the model \
        that the store was written with; if the store was copied while its app was open, copy 'Music.sqlite-wal', too; \
        nothing was changed
        """)
  }

  @Test func `metadata without version hashes does not support staging`() throws {
    let opened = try PersistentStore(url: store, models: MusicStages.versions)
    try opened.updateMetadata { $0.values[StoreMetadata.Key.versionHashes] = nil }
    // Nor does the structure of the store fit a version.
    try opened.database.execute("ALTER TABLE ZTRACK DROP COLUMN ZTITLE; DROP TABLE IF EXISTS Z_MODELCACHE")
    try opened.close()
    let manager = IncrementalMigrationManager(stages: try Self.stages())
    let error = #expect(throws: MigrationError.self) { try manager.migrate(store) }
    #expect(error?.number == 134_505)
    #expect(
      error?.description.replacing(folder.url.path, with: "FOLDER") == """
        error[migration.unknown-version]: store 'FOLDER/Music.sqlite' fits none of the 3 models; the closest is 'Music 2':
          - entity 'Track': attribute 'title' is not in the store, which lacks column ZTITLE
          if the store was written by a newer version of the app, use that version; otherwise, specify the model that the \
        store was written with; also tried: 'Music 2b', 'Music 3'; if the store was copied while its app was open, copy \
        'Music.sqlite-wal', too; nothing was changed
        """)
  }
}
