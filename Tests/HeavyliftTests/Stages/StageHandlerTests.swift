import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Mistakes in handlers, and what handlers may do.
struct StageHandlerTests {
  /// Migrates a store from version 1 to 2 with a stage.
  private func migrate(
    _ place: MusicPlace, _ stage: CustomMigrationStage, monitor: MigrationMonitor = MigrationMonitor()
  ) throws {
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: MusicStages.versions))
    try manager.migrate(place.store, to: MusicStages.versions[1], monitor: monitor)
  }

  private func message(_ place: MusicPlace, _ problem: String, _ remedy: String? = nil) -> String {
    """
    error[migration.hop]: hop 'Music 1' → 'Music 2' of store '\(place.store.resolvingLinks.path)' failed: \
    error[migration.134110]: custom stage 'Count'\(problem)\(remedy.map { "\n  \($0)" } ?? "")
      nothing was changed
    """
  }

  // MARK: Mistakes

  @Test func `changes that are not saved are an error`() throws {
    let place = try MusicPlace(count: 5)
    let stage = MusicStages.custom(1, 2, label: "Count") { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      for track in try context.fetch(FetchRequest(entityName: "Track")) { track["title"] = "changed" }
    }
    #expect(
      failure { try migrate(place, stage) }
        == message(
          place, ", in 'willMigrate': 5 changed objects were not saved (Track/p1, Track/p2, Track/p3, …)",
          "call 'save()' on the context before the handler returns, or 'rollback()' to discard the changes"))
    #expect(try place.contents().first == "Music 1")
  }

  @Test func `an error that a handler ignores is an error of its stage`() throws {
    let place = try MusicPlace()
    let ignoring = MusicStages.custom(1, 2, label: "Count") { manager, _ in
      guard let context = manager.container?.viewContext else { return }
      try context.insert("Track")["title"] = .null
      try? context.save()
    }
    #expect(
      failure { try migrate(place, ignoring) }
        == message(
          place, ", in 'willMigrate': 1 changed object was not saved (Track/t1)",
          "call 'save()' on the context before the handler returns, or 'rollback()' to discard the changes"))
    let misspelling = MusicStages.custom(1, 2, label: "Count") { manager, _ in
      try manager.container?.viewContext.insert("Track")["titel"] = "new"
    }
    #expect(
      failure { try migrate(place, misspelling) }
        == message(
          place, ", in 'willMigrate', object 'Track/t1': entity 'Track' has no attribute 'titel'",
          "did you mean 'title'?"))
    let saving = MusicStages.custom(
      1, 2, label: "Count",
      did: { manager, _ in
        guard let context = manager.container?.viewContext else { return }
        for track in try context.fetch(FetchRequest(entityName: "Track")) { track["plays"] = "many" }
        try context.save()
      })
    #expect(
      failure { try migrate(place, saving) }
        == message(
          place,
          ", in 'didMigrate', object 'Track/p1': attribute 'plays' of entity 'Track' has type Integer 64 and cannot hold "
            + "a string", "convert the value to Integer 64 without loss, then set it"))
  }

  @Test func `objects of 'willMigrate' that a later handler changes or reads in vain are an error`() throws {
    let place = try MusicPlace()
    let held = Held()
    func stage(isRead: Bool, _ use: @escaping @Sendable () -> Void) -> CustomMigrationStage {
      MusicStages.custom(
        1, 2, label: "Count",
        will: { manager, _ in
          held.tracks = try manager.container?.newBackgroundContext().fetch(FetchRequest(entityName: "Track")) ?? []
          held.context = held.tracks.first?.context
          if isRead { for track in held.tracks { held.context?.refresh(track) } }
        }, did: { _, _ in use() })
    }
    let remedy = "fetch the objects again, from a context of the handler that uses them"
    #expect(
      failure { try migrate(place, stage(isRead: false) { for track in held.tracks { track["title"] = "changed" } }) }
        == message(
          place,
          ", in 'didMigrate': 3 objects of 'willMigrate' were changed after it had returned (Track/p1, Track/p2, Track/p3)",
          remedy))
    #expect(
      failure { try migrate(place, stage(isRead: true) { _ = held.tracks.map { $0["title"] } }) }
        == message(
          place,
          ", in 'didMigrate', object 'Track/p1': an object of 'willMigrate' was used after it had returned, and its "
            + "store is closed", remedy))
    #expect(try place.contents().first == "Music 1")
    // Their values may be kept and read.
    let titles = Recorder<String>()
    try migrate(place, stage(isRead: false) { for track in held.tracks { titles.append(track["title"].string ?? "") } })
    #expect(titles.values == ["A", "B", "C"])
  }

  /// Unchecked, because handlers run one after another.
  private final class Held: @unchecked Sendable {
    var tracks: [ManagedObject] = []
    var context: ManagedObjectContext?
  }

  @Test func `an error names the handler and the object`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(1, 2, label: "Count")
    stage.migrate("Track") { old, new in
      if old["title"] == "B" { new["plays"] = "many" }
    }
    #expect(
      failure { try migrate(place, stage) }
        == message(
          place,
          ", in 'migrate 'Track'', object 'Track/p2': attribute 'plays' of entity 'Track' has type Integer 64 and "
            + "cannot hold a string", "convert the value to Integer 64 without loss, then set it"))
    let invalid = MusicStages.custom(
      1, 2, label: "Count",
      did: { manager, _ in
        guard let context = manager.container?.viewContext else { return }
        for track in try context.fetch(FetchRequest(entityName: "Track")) { track["title"] = .null }
        try context.save()
      })
    #expect(
      failure { try migrate(place, invalid) }
        == message(
          place,
          ", in 'didMigrate': "
            + (1...3).map {
              "Track/p\($0): error[1570]: 'title' is mandatory and has no value\n  give it a value, or make it "
                + "optional or give it a default in the model"
            }
            .joined(separator: "\n")))
  }

  @Test func `an old object cannot be changed`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(1, 2, label: "Count")
    stage.migrate("Track") { old, _ in old["title"] = "changed" }
    #expect(
      failure { try migrate(place, stage) }
        == message(
          place, ", in 'migrate 'Track'', object 'Track/p1': the handler changed the old object Track/p1",
          "change the new object: the old one is read-only"))
  }

  @Test func `what a script forgets is reported with entity, count and stage`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(
      1, 2, label: "Count",
      did: { manager, _ in
        // As if by a save that does not check.
        try manager.container?.store.database.execute("UPDATE ZTRACK SET ZTITLE = NULL WHERE Z_PK > 1")
      })
    #expect(
      failure { try migrate(place, stage) } == """
        error[migration.hop]: hop 'Music 1' → 'Music 2' of store '\(place.store.resolvingLinks.path)' failed: \
        error[migration.1560]: custom stage 'Count': the migrated store breaks a rule of its model in 2 places:
        error[1570]: 2 × Track: 'title' is mandatory and has no value (Track/p2, Track/p3)
          give it a value, or make it optional or give it a default in the model
          nothing was changed
        """)
    #expect(try place.contents().first == "Music 1")
    #expect(try place.names() == [".Music_SUPPORT", "Music.sqlite"])
  }

  // MARK: Contexts

  @Test func `enumeration visits the objects of its start, and saves in between`() throws {
    let place = try MusicPlace(count: 25)
    let visited = Recorder<String>()
    let stage = MusicStages.custom(
      1, 2,
      will: { manager, _ in
        var request = FetchRequest(entityName: "Track")
        request.sortKeys = [.init(keyPath: "title", isAscending: false)]
        try manager.container?.enumerate(request, batchSize: 4) { track in
          visited.append(track["title"].string ?? "")
          // Moves the object in the order of the request, inserts one, and deletes one that is not reached yet.
          if visited.values.count % 5 == 0 { track["title"] = .string("0\(track["title"].string ?? "")") }
          if visited.values.count % 5 == 1 { try track.context?.insert("Track")["title"] = "A new one" }
          guard track["title"] == "X" else { return }
          for other in try track.context?.fetch(FetchRequest(entityName: "Track", where: "title == 'W'")) ?? [] {
            try track.context?.delete(other)
          }
        }
      })
    try migrate(place, stage)
    #expect(visited.values == "YXVUTSRQPONMLKJIHGFEDCBA".map { String($0) })
    #expect(try place.contents().count == 1 + 24 + 5)
  }

  @Test func `only the changes of one batch are in memory`() throws {
    let place = try MusicPlace(count: 3_000)
    let most = Recorder<Int>()
    let stage = MusicStages.custom(
      1, 2,
      did: { manager, _ in
        guard let container = manager.container else { return }
        try container.enumerate(FetchRequest(entityName: "Track"), batchSize: 100) { track in
          track["plays"] = .integer((track["plays"].integer ?? 0) + 1)
          most.append(track.context?.registeredObjects.count ?? 0)
        }
      })
    stage.migrate("Track") { _, new in
      new["plays"] = 1
      most.append(new.context?.updatedObjects.count ?? 0)
    }
    try migrate(place, stage)
    #expect(most.values.max() == 1_000 && most.values.suffix(3_000).max() == 100)
    #expect(try place.contents().dropFirst().allSatisfy { $0.contains("plays=2 ") })
  }

  @Test func `an object that another context has changed or deleted is visited as it is then`() throws {
    let place = try MusicPlace(count: 7)
    let visited = Recorder<String>()
    let stage = MusicStages.custom(
      1, 2,
      did: { manager, _ in
        guard let container = manager.container else { return }
        try container.enumerate(FetchRequest(entityName: "Track"), batchSize: 5) { track in
          visited.append("\(track.primaryKey): \(track["plays"].integer ?? 0)")
          track["plays"] = .integer((track["plays"].integer ?? 0) + 1)
          let other = container.newBackgroundContext()
          let tracks = try other.fetch(FetchRequest(entityName: "Track"))
          switch track.primaryKey {
          case 1: for track in tracks where track.primaryKey != 1 { track["plays"] = 10 }
          case 2: try other.delete(tracks[2])
          case 5: for track in tracks where track.primaryKey > 5 { track["plays"] = 20 }
          default: break
          }
          try other.save()
        }
      })
    try migrate(place, stage)
    #expect(visited.values == ["1: 0", "2: 10", "4: 10", "5: 10", "6: 20", "7: 20"])
    let plays = try place.contents().compactMap { $0.firstMatch(of: /plays=\d+/)?.output }
    #expect(plays == ["plays=1", "plays=11", "plays=11", "plays=11", "plays=21", "plays=21"])
  }

  @Test func `contexts see each other's saves, and conflicts are errors`() throws {
    let place = try MusicPlace()
    let stage = MusicStages.custom(1, 2, label: "Count") { manager, _ in
      guard let container = manager.container else { return }
      let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
      let track = try one.fetch(FetchRequest(entityName: "Track"))[0]
      let same = try other.fetch(FetchRequest(entityName: "Track"))[0]
      track["title"] = "one"
      try one.save()
      let third = container.newBackgroundContext()
      #expect(try third.fetch(FetchRequest(entityName: "Track"))[0]["title"] == "one")
      same["title"] = "other"
      try other.save()
    }
    #expect(failure { try migrate(place, stage) }?.contains("Track/p1") == true)
  }

  @Test func `a handler that changes large values does not touch the files of the old store`() throws {
    let place = try MusicPlace()
    let copy = place.folder.appending("New.sqlite")
    let before = try NoteStores.listing(place.folder.url)
    let changed = Data(repeating: 9, count: 300_000)
    let stage = MusicStages.custom(
      1, 2,
      will: { manager, _ in
        try manager.container?.enumerate(FetchRequest(entityName: "Track")) { $0["cover"] = .data(changed) }
      },
      did: { manager, _ in
        try manager.container?.enumerate(FetchRequest(entityName: "Track")) { track in
          if track["title"] != "A" { track["cover"] = .null }
        }
        // As if by a save that was undone.
        _ = try manager.container?.store.externalData.write(changed)
      })
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: MusicStages.versions))
    try manager.migrate(place.store, into: copy, to: MusicStages.versions[1])
    #expect(try NoteStores.listing(place.folder.url).filter { !$0.key.contains("New") } == before)
    #expect(
      try MusicStages.contents(copy) == [
        "Music 2", "Track/p1 plays=nil title=A changed cover", "Track/p2 plays=nil title=B",
        "Track/p3 plays=nil title=C",
      ])
    #expect(try ExternalDataFolder(store: copy).fileNames().count == 1)
  }

  @Test func `the provenance lists only objects of the first version that still exist`() throws {
    let place = try MusicPlace(count: 4)
    let stage = MusicStages.custom(1, 2) { manager, _ in
      guard let context = manager.container?.viewContext else { return }
      try context.delete(try context.fetch(FetchRequest(entityName: "Track"))[0])
      try context.insert("Track")["title"] = "before"
      try context.save()
    } did: { manager, _ in
      guard let context = manager.container?.viewContext else { return }
      try context.delete(try context.fetch(FetchRequest(entityName: "Track"))[0])
      try context.insert("Track")["title"] = "after"
      try context.save()
    }
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: MusicStages.versions))
    let origins = place.folder.appending("Origins.sqlite")
    try manager.migrate(
      place.store, to: MusicStages.versions[1], options: IncrementalMigrationOptions(provenance: origins))
    var pairs: [String] = []
    try MigrationProvenance(contentsOf: origins).forEach { pairs.append("\($0.source.key) → \($0.destination.key)") }
    #expect(pairs == ["3 → 3", "4 → 4"])
    #expect(
      try place.contents() == [
        "Music 2", "Track/p3 plays=nil title=C", "Track/p4 plays=nil title=D", "Track/p5 plays=nil title=before",
        "Track/p6 plays=nil title=after",
      ])
  }

  // MARK: Progress and cancellation

  @Test func `handlers report their progress`() throws {
    let place = try MusicPlace(count: 5)
    let stage = MusicStages.custom(
      1, 2, label: "Count",
      will: { manager, _ in
        try manager.container?.enumerate(FetchRequest(entityName: "Track"), batchSize: 2) { _ in }
      }, did: { manager, _ in try manager.container?.advance(to: 1, of: 2) })
    stage.migrate("Track") { _, _ in }
    let events = Recorder<String>()
    let monitor = MigrationMonitor { event in
      guard case .handling(let progress) = event.step else { return }
      events.append(
        "\(progress.stage) \(progress.handler.title) \(progress.objectsDone)/\(progress.objectsExpected) "
          + "\(Int((event.fraction * 100).rounded())) %")
    }
    try migrate(place, stage, monitor: monitor)
    #expect(
      events.values == [
        "custom stage 'Count' willMigrate 0/0 0 %", "custom stage 'Count' willMigrate 2/5 12 %",
        "custom stage 'Count' willMigrate 4/5 24 %", "custom stage 'Count' willMigrate 5/5 30 %",
        "custom stage 'Count' migrate 'Track' 0/0 60 %", "custom stage 'Count' migrate 'Track' 5/5 100 %",
        "custom stage 'Count' didMigrate 0/0 60 %", "custom stage 'Count' didMigrate 1/2 80 %",
      ])
  }

  @Test func `a migration can be cancelled in a handler`() throws {
    let place = try MusicPlace(count: 5)
    for cancelsInTheMiddle in [true, false] {
      let monitor = MigrationMonitor()
      let stage = MusicStages.custom(
        1, 2, label: "Count",
        did: { manager, _ in
          guard let container = manager.container else { return }
          try container.enumerate(FetchRequest(entityName: "Track"), batchSize: 2) { track in
            track["plays"] = 1
            if cancelsInTheMiddle { monitor.cancel() }
          }
          if !cancelsInTheMiddle { monitor.cancel() }
        })
      let problem = failure {
        try migrate(place, stage, monitor: monitor)
      }
      #expect(
        problem == """
          error[migration.cancelled]: the migration of store '\(place.store.resolvingLinks.path)' was cancelled in hop \
          'Music 1' → 'Music 2'
            nothing was changed
          """)
      #expect(try place.contents().first == "Music 1")
      #expect(try place.names() == [".Music_SUPPORT", "Music.sqlite"])
    }
  }

  @Test func `a rehearsal runs handlers on a copy`() throws {
    let place = try MusicPlace()
    let before = try NoteStores.listing(place.folder.url)
    let stage = MusicStages.custom(1, 2)
    stage.migrate("Track") { _, new in new["plays"] = 7 }
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: MusicStages.versions))
    let found = try manager.rehearse(place.store, to: MusicStages.versions[1]) {
      try MusicStages.contents($0.newStore)
    }
    #expect(found[1] == "Track/p1 plays=7 title=A")
    #expect(try NoteStores.listing(place.folder.url, withWorkFolder: true) == before)
  }

  // MARK: Traps

  @Test func `a store that does not exist, or lacks a column of its version, is an error`() throws {
    let place = try MusicPlace()
    let missing = place.folder.appending("Missing.sqlite")
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([MusicStages.light(1, 2)], versions: Array(MusicStages.versions[..<2])))
    #expect(failure { try manager.migrate(missing) }?.contains("Missing.sqlite") == true)
    let broken = try MusicPlace(version: 2)
    let database = try Database(path: broken.store.path, mode: .readWrite)
    try database.execute("ALTER TABLE ZTRACK DROP COLUMN ZPLAYS")
    try database.close()
    #expect(failure { try manager.migrate(broken.store) }?.contains("ZPLAYS") == true)
  }

  @Test func `a store of an unknown or newer version has Core Data's error number`() throws {
    let manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([MusicStages.light(1, 2)], versions: Array(MusicStages.versions[..<2])))
    let unknown = try MusicPlace(version: 3)
    let error = #expect(throws: MigrationError.self) { try manager.migrate(unknown.store) }
    #expect(error?.number == 134_504)
    #expect(error?.problem.contains("'Music 2'") == true && error?.problem.contains("ZRATING") == true)
    let newer = try MusicPlace(version: 2)
    let backward = #expect(throws: MigrationError.self) {
      try manager.migrate(newer.store, to: MusicStages.versions[0])
    }
    #expect(backward?.number == 134_506)
  }
}
