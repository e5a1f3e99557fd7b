import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Stages whose versions differ so much that the store goes through an intermediate model.
struct IntermediateStageTests {
  /// Tracks with their length as text and the names of their artists in one string.
  private static let old = ManagedObjectModel(
    name: "Songs 1",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string, isOptional: false), Models.attribute("length", .string),
          Models.attribute("artistNames", .string),
        ])
    ])

  /// Tracks with their length in seconds, which is mandatory, and objects for artists.
  private static let new = ManagedObjectModel(
    name: "Songs 2",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string, isOptional: false),
          Models.attribute("length", .integer32, isOptional: false),
        ], relationships: [Models.toMany("artists", "Artist", "tracks", isOptional: false, minCount: 1)]),
      EntityDescription(
        name: "Artist", attributes: [Models.attribute("name", .string, isOptional: false)],
        relationships: [Models.toMany("tracks", "Track", "artists")]),
    ])

  private static let tracks = [("One", "1:05", "Ann"), ("Two", "0:10", "Ann, Bob"), ("Three", "2:00", "Cid")]

  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Songs.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("Songs.sqlite"), model: Self.old)
    let context = ManagedObjectContext(store: store)
    for (title, length, artists) in Self.tracks {
      let track = try context.insert("Track")
      (track["title"], track["length"], track["artistNames"]) = (.string(title), .string(length), .string(artists))
    }
    try context.save()
    try store.close()
  }

  /// - Parameters:
  ///   - skipped: The titles of tracks whose length the handler forgets.
  ///   - runs: Counts the runs of the handlers.
  private static func manager(
    forgetting skipped: Set<String> = [], runs: Recorder<Int> = Recorder()
  ) throws -> IncrementalMigrationManager {
    let stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
      to: ManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum), label: "Artists")
    stage.migrate("Track") { old, new in
      guard let title = old["title"].string, !skipped.contains(title) else { return }
      let parts = (old["length"].string ?? "").split(separator: ":").compactMap { Int64($0) }
      new["length"] = .integer(parts.reduce(0) { $0 * 60 + $1 })
    }
    stage.didMigrateHandler = { manager, _ in
      runs.append(0)
      guard let context = manager.container?.newBackgroundContext() else { return }
      var artists: [String: ManagedObject] = [:]
      for track in try context.fetch(FetchRequest(entityName: "Track")) {
        for name in (track["artistNames"].string ?? "").split(separator: ", ").map(String.init) {
          let artist = try artists[name] ?? context.insert("Artist")
          artist["name"] = .string(name)
          artists[name] = artist
          try track.add(artist, to: "artists")
        }
      }
      try context.save()
    }
    return IncrementalMigrationManager(stages: try StagedMigrationManager([stage]))
  }

  private func contents() throws -> [String] {
    let store = try PersistentStore(url: store, models: [Self.new], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    return try context.fetch(FetchRequest(entityName: "Track")).map { track in
      let artists = try track.objects(forKey: "artists").map { $0["name"].string ?? "" }.sorted()
      return "\(track["title"].string ?? "") \(track["length"].integer ?? 0) \(artists.joined(separator: "+"))"
    }
  }

  private static let migrated = ["One 65 Ann", "Two 10 Ann+Bob", "Three 120 Cid"]

  @Test func `a script has the properties of both versions, and every rule of the new one is checked`() throws {
    var manager = try Self.manager()
    #expect(
      try manager.plan(for: store).hops.map { "\($0.title), \($0.reason)" } == [
        "'Songs 1' → 'Songs 1 → Songs 2, intermediate', first part of custom stage 'Artists' (migrate 'Track', didMigrate)",
        "'Songs 1 → Songs 2, intermediate' → 'Songs 2', last part of custom stage 'Artists'",
      ])
    let verified = Locked<[String]>([])
    manager.hopHandler = { finished in
      let models = (finished.hop.sourceModel, finished.hop.destinationModel)
      let old = try PersistentStore(url: finished.source, models: [models.0], mode: .readOnly)
      let new = try PersistentStore(url: finished.destination, models: [models.1], mode: .readOnly)
      defer { for store in [old, new] { try? store.close() } }
      let report = try StoreVerifier(source: old, destination: new, mappings: finished.hop.mappings).verify()
      verified.current.append("\(finished.number) \(report.isClean)")
    }
    let provenance = folder.appending("Origins.jsonl")
    try manager.migrate(store, options: IncrementalMigrationOptions(provenance: provenance))
    #expect(verified.current == ["1 true", "2 true"])
    #expect(try contents() == Self.migrated)
    let lines = try String(contentsOf: provenance, encoding: .utf8).split(separator: "\n").map { line in
      String(line).replacing(/x-coredata:\/\/[^\/]*\//, with: "")
    }
    #expect(
      lines
        == (1...3).map {
          #"{"source":"Track/p\#($0)","destination":"Track/p\#($0)","mappings":["TrackToTrack","TrackToTrack"]}"#
        })
  }

  @Test func `what a script forgets is reported with stage, entity and count, and the next run starts over`() throws {
    let runs = Recorder<Int>()
    #expect(
      failure { try Self.manager(forgetting: ["One", "Three"], runs: runs).migrate(store) } == """
        error[migration.hop]: hop 'Songs 1 → Songs 2, intermediate' → 'Songs 2' of store \
        '\(store.resolvingLinks.path)' failed: error[migration.1560]: custom stage 'Artists': the migrated store breaks \
        a rule of its model in 2 places:
        error[1570]: 2 × Track: 'length' is mandatory and has no value (Track/p1, Track/p3)
          give it a value, or make it optional or give it a default in the model
          nothing was changed
        """)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Songs.sqlite"])
    try Self.manager(runs: runs).migrate(store)
    #expect(runs.values.count == 2)
    #expect(try contents() == Self.migrated)
  }

  @Test func `a disk that fails after the handlers does not make them run again`() throws {
    let runs = Recorder<Int>()
    var manager = try Self.manager(runs: runs)
    manager.files = FileOperations { step in
      if case .merge(let url) = step, url.lastPathComponent == "hop-2.sqlite" { throw POSIXError(.EIO) }
    }
    #expect(failure { try manager.migrate(store) } != nil)
    try Self.manager(runs: runs).migrate(store)
    #expect(runs.values.count == 1)
    #expect(try contents() == Self.migrated)
  }
}
