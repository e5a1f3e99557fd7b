import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A chain of a mapping file, a custom stage and a lightweight stage that is stopped at every step and in every handler.
///
/// The handlers increment attributes, so a handler that ran twice, or not at all, leaves another number.
enum StageChain {
  /// A point in a handler.
  enum Point: String, CaseIterable, Codable, Sendable {
    case willStarts, willHasSaved, objectHasChanged, didStarts, didHasSaved
  }

  /// - Parameter at: Called at each point in a handler.
  static func manager(
    files: FileOperations = FileOperations(), at reach: @escaping @Sendable (Point) throws -> Void = { _ in }
  ) throws -> IncrementalMigrationManager {
    let stage = MusicStages.custom(2, 3, label: "Count") { manager, _ in
      try reach(.willStarts)
      try manager.container?.enumerate(FetchRequest(entityName: "Track"), batchSize: 2) { track in
        track["plays"] = .integer((track["plays"].integer ?? 0) + 1)
      }
      try reach(.willHasSaved)
    } did: { manager, _ in
      try reach(.didStarts)
      guard let context = manager.container?.newBackgroundContext() else { return }
      for track in try context.fetch(FetchRequest(entityName: "Track")) {
        track["rating"] = .integer((track["rating"].integer ?? 0) + 1)
        // The large value gets a new file.
        if track["cover"] != .null { track["cover"] = .data(Data(repeating: 8, count: 200_000)) }
      }
      try context.save()
      try reach(.didHasSaved)
    }
    stage.migrate("Track") { old, new in
      new["plays"] = .integer((old["plays"].integer ?? 0) + (new["plays"].integer ?? 0) + 10)
      if old["title"] == "C" { try reach(.objectHasChanged) }
    }
    let mappings = MappingSearch([
      MappingCandidate(
        file: "1-2.xml",
        mappingModel: MappingModel(
          source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
          entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")]))
    ])
    var manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager(
        [stage, MusicStages.light(3, 4, label: "Years")], versions: MusicStages.versions), mappings: mappings)
    manager.files = files
    return manager
  }

  static let old = ["Music 1", "Track/p1 title=A", "Track/p2 title=B cover", "Track/p3 title=C"]
  static let new = [
    "Music 4", "Track/p1 plays=12 rating=4 title=A year=nil",
    "Track/p2 plays=12 rating=4 title=B year=nil changed cover",
    "Track/p3 plays=12 rating=4 title=C year=nil",
  ]

  static func options(_ folder: URL) -> IncrementalMigrationOptions {
    IncrementalMigrationOptions(
      backup: folder.appending(path: "Old.sqlite"), provenance: folder.appending(path: "Origins.sqlite"))
  }

  /// The steps of a run without a failure.
  static func steps() throws -> [FileOperations.Step] {
    let place = try MusicPlace()
    let recorder = Recorder<FileOperations.Step>()
    try manager(files: FileOperations { recorder.append($0) }).migrate(place.store, options: options(place.folder.url))
    return recorder.values
  }

  /// Returns the problems with a store after a run that did not finish. Reads a copy, so that the store stays as it is.
  static func problems(_ place: MusicPlace) throws -> [String] {
    let copy = try TemporaryFolder()
    for name in ["Music.sqlite", ".Music_SUPPORT"] {
      try FileManager.default.copyItem(at: place.folder.appending(name), to: copy.appending(name))
    }
    let found = try MusicStages.contents(copy.appending("Music.sqlite"))
    return found == old || found == new ? [] : ["the store is neither the old one nor the new one: \(found)"]
  }

  /// Returns the problems after a run that finished.
  static func endProblems(_ place: MusicPlace) throws -> [String] {
    var problems: [String] = []
    let found = try place.contents()
    if found != new { problems.append("the store contains \(found)") }
    if try MusicStages.contents(place.folder.appending("Old.sqlite")) != old { problems.append("the backup differs") }
    let names = [".Music_SUPPORT", ".Old_SUPPORT", "Music.sqlite", "Old.sqlite", "Origins.sqlite"]
    if try place.names() != names { problems.append("the folder contains \(try place.names())") }
    if try ExternalDataFolder(store: place.store).fileNames().count != 1 { problems.append("old large values remain") }
    var origins: [String] = []
    try MigrationProvenance(contentsOf: place.folder.appending("Origins.sqlite")).forEach {
      origins.append("\($0.source.key) → \($0.destination.key)")
    }
    if origins != ["1 → 1", "2 → 2", "3 → 3"] { problems.append("the provenance contains \(origins)") }
    return problems
  }
}

@Suite(.serialized)
struct StageFaultTests {
  @Test func `a step that fails leaves the old store or the new one, and the next run ends with the new one`() throws {
    let steps = try StageChain.steps()
    for failing in steps.indices where failing % Seeds.interval == 0 {
      let place = try MusicPlace()
      let counter = Recorder<Int>()
      let files = FileOperations { _ in
        counter.append(0)
        if counter.values.count == failing + 1 { throw POSIXError(.EIO) }
      }
      let options = StageChain.options(place.folder.url)
      let problem = failure { try StageChain.manager(files: files).migrate(place.store, options: options) }
      let comment = Comment("step \(failing) of \(steps.count), \(steps[failing])\n\(problem ?? "nothing was thrown")")
      #expect(try StageChain.problems(place) == [], comment)
      #expect(failure { try StageChain.manager().migrate(place.store, options: options) } == nil, comment)
      #expect(try StageChain.endProblems(place) == [], comment)
    }
  }

  @Test(arguments: StageChain.Point.allCases)
  func `an error in a handler rolls its changes back`(point: StageChain.Point) throws {
    struct Broken: Error {}
    let place = try MusicPlace()
    let options = StageChain.options(place.folder.url)
    let problem = failure {
      try StageChain.manager { if $0 == point { throw Broken() } }.migrate(place.store, options: options)
    }
    let words =
      switch point {
      case .willStarts, .willHasSaved: "in 'willMigrate'"
      case .objectHasChanged: "in 'migrate 'Track'', object 'Track/p3'"
      case .didStarts, .didHasSaved: "in 'didMigrate'"
      }
    #expect(
      problem == """
        error[migration.hop]: hop 'Music 2' → 'Music 3' of store '\(place.store.resolvingLinks.path)' failed: \
        error[migration.134110]: custom stage 'Count', \(words): Broken()
          nothing was changed; 1 of 3 hops can be skipped in the next run
        """)
    #expect(try place.contents() == StageChain.old)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.folder.appending(".Music.sqlite.heavylift").path)
        .sorted() == [".hop-1_SUPPORT", "hop-1.provenance.sqlite", "hop-1.sqlite", "journal.json", "lock"])
    try StageChain.manager().migrate(place.store, options: options)
    #expect(try StageChain.endProblems(place) == [])
  }
}

/// Finished handlers, and what makes them run again.
@Suite(.serialized)
struct StageResumingTests {
  /// Migrates until the disk fails in the last hop, changes something, and migrates again.
  ///
  /// - Returns: The number of times that the handlers ran.
  private func runs(changing change: (MusicPlace, CustomMigrationStage) throws -> Void) throws -> Int {
    let place = try MusicPlace(version: 2)
    let runs = Recorder<Int>()
    let stage = MusicStages.custom(2, 3, label: "Count", did: { _, _ in runs.append(0) })
    var manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage, MusicStages.light(3, 4)], versions: MusicStages.versions))
    let isBroken = Recorder<Bool>()
    manager.files = FileOperations { step in
      if case .merge(let url) = step, url.lastPathComponent == "hop-2.sqlite", isBroken.values.isEmpty {
        isBroken.append(true)
        throw POSIXError(.EIO)
      }
    }
    #expect(failure { try manager.migrate(place.store) } != nil)
    try change(place, stage)
    try manager.migrate(place.store)
    #expect(try place.contents().first == "Music 4")
    return runs.values.count
  }

  @Test func `a finished handler runs again only if the stage or the store has changed`() throws {
    #expect(try runs { _, _ in } == 1)
    #expect(try runs { _, stage in stage.revision = "2" } == 2)
    #expect(try runs { _, stage in stage.label = "Recount" } == 2)
    #expect(try runs { _, stage in stage.migrate("Track") { _, _ in } } == 2)
    #expect(
      try runs { place, _ in
        let database = try Database(path: place.store.path, mode: .readWrite)
        try database.execute("UPDATE ZTRACK SET ZTITLE = 'changed'")
        try database.close()
      } == 2)
  }
}

/// Migrations with stages in separate processes that are killed.
@Suite(.serialized)
struct StageKillTests {
  /// Kills a process when it reaches a step or a point in a handler, and checks what it leaves.
  ///
  /// - Returns: The points that both runs reached, one character each.
  private func kill(
    atStep step: Int? = nil, at point: StageChain.Point? = nil, after handler: StageChain.Point? = nil,
    _ comment: Comment
  ) async throws -> String {
    let place = try MusicPlace()
    let log = try TemporaryFolder()
    let (path, logPath) = (place.folder.url.path, log.appending("log").path)
    await #expect(processExitsWith: .signal(SIGKILL), comment) {
      [
        step = step as Int?, point = point as StageChain.Point?, handler = handler as StageChain.Point?,
        path = path as String, logPath = logPath as String
      ] in
      let hasPassed = Recorder<Bool>()
      let counter = Recorder<Int>()
      let files = FileOperations { _ in
        counter.append(0)
        if counter.values.count == step || !hasPassed.values.isEmpty { Foundation.kill(getpid(), SIGKILL) }
      }
      let manager = try StageChain.manager(files: files) { reached in
        StageLog.append(reached, to: logPath)
        if reached == point { Foundation.kill(getpid(), SIGKILL) }
        if reached == handler { hasPassed.append(true) }
      }
      let folder = URL(filePath: path)
      try manager.migrate(folder.appending(path: "Music.sqlite"), options: StageChain.options(folder))
    }
    #expect(try StageChain.problems(place) == [], comment)
    let options = StageChain.options(place.folder.url)
    let second = failure {
      try StageChain.manager { StageLog.append($0, to: logPath) }.migrate(place.store, options: options)
    }
    #expect(second == nil, comment)
    #expect(try StageChain.endProblems(place) == [], comment)
    return (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
  }

  @Test func `a process that is killed at any step leaves the old store or the new one, and stages run whole`()
    async throws
  {
    let steps = try StageChain.steps()
    let interval = Seeds.interval == 1 ? 1 : Seeds.interval * 2
    for (index, step) in steps.enumerated() where index % interval == 2 % interval {
      let log = try await kill(
        atStep: index + 1, "killed at step \(index + 1) of \(steps.count), \(step)")
      // The process died before or after the stage, or between its handlers.
      #expect(["WwoDd", "WwWwoDd"].contains(log), "killed at step \(index + 1) of \(steps.count), \(step)")
    }
  }

  /// Only the mark in the store shows that the handlers have run.
  @Test func `handlers do not run again if the process is killed before the journal says that all are done`()
    async throws
  {
    #expect(try await kill(after: .didHasSaved, "killed after the last handler") == "WwoDd")
  }

  @Test func `all handlers run again if the process is killed after the first`() async throws {
    #expect(try await kill(after: .willHasSaved, "killed after 'willMigrate'") == "WwWwoDd")
  }

  @Test(arguments: StageChain.Point.allCases)
  func `a process that is killed in a handler runs the stage again from the start`(point: StageChain.Point) async throws
  {
    let log = try await kill(at: point, "killed at \(point)")
    let expected =
      switch point {
      case .willStarts: "WWwoDd"
      case .willHasSaved: "WwWwoDd"
      case .objectHasChanged: "WwoWwoDd"
      case .didStarts: "WwoDWwoDd"
      case .didHasSaved: "WwoDdWwoDd"
      }
    #expect(log == expected)
  }

  @Test(arguments: [StageChain.Point.didStarts, .didHasSaved])
  func `values that a handler keeps in memory for a later one survive a killed process`(
    point: StageChain.Point
  ) async throws {
    let place = try MusicPlace(version: 2)
    let path = place.store.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [point = point as StageChain.Point, path = path as String] in
      try RememberedTitles.manager { if $0 == point { Foundation.kill(getpid(), SIGKILL) } }
        .migrate(URL(filePath: path))
    }
    try await RememberedTitles.manager { _ in }.migrate(place.store)
    #expect(
      try place.contents() == [
        "Music 3", "Track/p1 plays=nil rating=3 title=A", "Track/p2 plays=nil rating=3 title=B cover",
        "Track/p3 plays=nil rating=3 title=C",
      ])
  }

  @Test func `a stage with a single handler does not run it again`() async throws {
    let place = try MusicPlace(version: 2)
    let log = try TemporaryFolder()
    let (path, logPath) = (place.store.path, log.appending("log").path)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, logPath = logPath as String] in
      let files = FileOperations { _ in
        if FileManager.default.fileExists(atPath: logPath) { Foundation.kill(getpid(), SIGKILL) }
      }
      try RememberedTitles.singleHandler(files, logPath).migrate(URL(filePath: path))
    }
    try await RememberedTitles.singleHandler(FileOperations(), logPath).migrate(place.store)
    #expect(try String(contentsOfFile: logPath, encoding: .utf8) == "w")
    #expect(try place.contents().first == "Music 3")
  }
}

/// A stage whose handler leaves values empty, of which only its report tells.
enum ForgetfulStage {
  static let versions = [AttributeType.string, .integer16].enumerated().map { index, type in
    ManagedObjectModel(
      name: "Years \(index + 1)",
      entities: [
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string), Models.attribute("year", type)])
      ])
  }

  static func make(at url: URL) throws {
    let store = try PersistentStore.create(at: url, model: versions[0])
    let context = ManagedObjectContext(store: store)
    for year in ["1959", "about 1960", "1961"] {
      let track = try context.insert("Track")
      (track["title"], track["year"]) = (.string("of \(year)"), .string(year))
    }
    try context.save()
    try store.close()
  }

  /// - Parameter step: Called before each file operation, with true once the handler has run.
  static func manager(_ step: @escaping @Sendable (Bool) -> Void) throws -> IncrementalMigrationManager {
    let hasRun = Recorder<Bool>()
    let references = versions.map { ManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
    let stage = CustomMigrationStage(migratingFrom: references[0], to: references[1], label: "Years")
    stage.migrate("Track") { old, new in
      if let year = old["year"].string.flatMap(Int64.init) { new["year"] = .integer(year) }
    }
    stage.didMigrateHandler = { _, _ in hasRun.append(true) }
    var manager = IncrementalMigrationManager(stages: try StagedMigrationManager([stage], versions: versions))
    manager.files = FileOperations { _ in step(!hasRun.values.isEmpty) }
    return manager
  }
}

/// Reports of stages that ran in a process that was killed.
@Suite(.serialized)
struct StageReportTests {
  @Test func `a run passes on the reports of a killed one, wherever it was killed`() async throws {
    let place = try TemporaryFolder()
    let store = place.appending("Years.sqlite")
    try ForgetfulStage.make(at: store)
    let later = Recorder<Bool>()
    let whole = try await ForgetfulStage.manager { if $0 { later.append(true) } }.migrate(store).hops.map(\.report)
    #expect(whole.map { $0?.notes.map(\.code) } == [["stage.empty-values"], []])
    #expect(whole[0]?.links.isEmpty == true && whole[0]?.rows.map(\.migrated) == [3])
    let steps = later.values.count
    #expect(steps > 20)
    let interval = Seeds.interval == 1 ? 1 : 2
    for killing in 1...steps where killing % interval == 0 || killing < 6 {
      let folder = try TemporaryFolder()
      let path = folder.appending("Years.sqlite").path
      try ForgetfulStage.make(at: URL(filePath: path))
      await #expect(processExitsWith: .signal(SIGKILL)) { [killing = killing as Int, path = path as String] in
        let counter = Recorder<Bool>()
        try ForgetfulStage.manager {
          if $0 { counter.append(true) }
          if counter.values.count == killing { kill(getpid(), SIGKILL) }
        }.migrate(URL(filePath: path))
      }
      // The last two steps remove the lock and the folder.
      let hasJournal = FileManager.default.fileExists(
        atPath: folder.appending(".Years.sqlite.heavylift/journal.json").path)
      #expect(hasJournal == (killing < steps - 1))
      let report = try await ForgetfulStage.manager { _ in }.migrate(URL(filePath: path))
      let found = (report.earlierHops + report.hops).map { $0.report ?? $0.earlierReport }
      #expect(found == (hasJournal ? whole : []), "killed at step \(killing) of \(steps) after the handlers")
      #expect(report.earlierHops.isEmpty == !report.finishedEarlierRun)
    }
  }
}

/// Stages that keep values in memory between their handlers.
enum RememberedTitles {
  /// Titles that `willMigrate` removes from the store, and `didMigrate` writes.
  static func manager(at reach: @escaping @Sendable (StageChain.Point) throws -> Void) throws
    -> IncrementalMigrationManager
  {
    let titles = Recorder<(key: Int64, title: Value)>()
    let stage = MusicStages.custom(2, 3, label: "Remember") { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      for track in try context.fetch(FetchRequest(entityName: "Track")) {
        titles.append((track.objectID.key, track["title"]))
        track["title"] = .string("gone")
      }
      try context.save()
    } did: { manager, _ in
      try reach(.didStarts)
      guard let context = manager.container?.newBackgroundContext() else { return }
      for track in try context.fetch(FetchRequest(entityName: "Track")) {
        if let known = titles.values.first(where: { $0.key == track.objectID.key }) { track["title"] = known.title }
      }
      try context.save()
      try reach(.didHasSaved)
    }
    return IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: Array(MusicStages.versions.prefix(3))))
  }

  static func singleHandler(_ files: FileOperations, _ logPath: String) throws -> IncrementalMigrationManager {
    let stage = MusicStages.custom(2, 3, label: "Single", will: { _, _ in StageLog.append(.willHasSaved, to: logPath) })
    var manager = IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage], versions: Array(MusicStages.versions.prefix(3))))
    manager.files = files
    return manager
  }
}

/// A file of the points that handlers reached.
enum StageLog {
  static func append(_ point: StageChain.Point, to path: String) {
    let character =
      switch point {
      case .willStarts: "W"
      case .willHasSaved: "w"
      case .objectHasChanged: "o"
      case .didStarts: "D"
      case .didHasSaved: "d"
      }
    let file = fopen(path, "a")
    fputs(character, file)
    fclose(file)
  }
}
