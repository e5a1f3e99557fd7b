import Heavylift
import HeavyliftConcurrency
import HeavyliftVerification
import Testing

/// Tests of stages: what they refuse, report, mutate and check.
struct StagePairTests {
  /// Version 2 has a number instead of a text; version 3 has a rating, too.
  private static let models = (1...3).map { version in
    var attributes = [
      AttributeDescription(name: "title", type: .string), AttributeDescription(name: "plays", type: .string),
    ]
    if version > 1 { attributes[1] = AttributeDescription(name: "plays", type: .integer64, isOptional: false) }
    if version > 2 {
      attributes.append(AttributeDescription(name: "rating", type: .integer16, defaultValue: .integer(3)))
    }
    return ManagedObjectModel(
      name: "Music \(version)", entities: [EntityDescription(name: "Track", attributes: attributes)])
  }

  private static func counting() -> CustomMigrationStage {
    let references = models.map { ManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
    let stage = CustomMigrationStage(migratingFrom: references[0], to: references[1], label: "Count plays")
    stage.willMigrateHandler = { manager, _ in
      try manager.container?.enumerate(FetchRequest(entityName: "Track")) { track in
        if track["title"].isNull { track["title"] = "Untitled" }
      }
    }
    stage.migrate("Track") { old, new in new["plays"] = .integer(Int64(old["plays"].string ?? "") ?? 0) }
    stage.didMigrateHandler = { manager, _ in
      guard let context = manager.container?.viewContext else { return }
      try context.insert("Track")["plays"] = 7
      try context.save()
    }
    return stage
  }

  private static func stages() throws -> StagedMigrationManager {
    try StagedMigrationManager(
      [counting(), LightweightMigrationStage([models[1].versionChecksum, models[2].versionChecksum], label: "Rate")],
      versions: models)
  }

  private static func pair(_ source: Int, _ destination: Int) throws -> MigrationPair {
    try MigrationPair(stages: stages(), from: "Music \(source)", to: "Music \(destination)")
  }

  private static let old = #"""
    {"model": "Music 1", "objects": {"Track": {
      "blue": {"title": "Blue", "plays": "12"}, "nameless": {"plays": "many"}
    }}}
    """#
  private static let new = #"""
    {"model": "Music 2", "objects": {"Track": {
      "blue": {"title": "Blue", "plays": 12}, "nameless": {"title": "Untitled", "plays": 0}, "more": {"plays": 7}
    }}}
    """#

  private static func graph(_ text: String, _ version: Int) throws -> ObjectGraph {
    try ObjectGraph(json: text, model: models[version - 1])
  }

  @Test func `a stage runs as in a program, with its handlers`() throws {
    let pair = try Self.pair(1, 2)
    let migration = try pair.migrate(Self.graph(Self.old, 1))
    #expect(migration.failures(expecting: try Self.graph(Self.new, 2)).map(\.description) == [])
    #expect(migration.report.sourceObjects == ["Track": 2])
    #expect(migration.report.objects == ["Track": 3])
    #expect(migration.report.mappings.map(\.name) == ["TrackToTrack", "TrackToTrack"])
    // The hop to the intermediate model and the one from there, which also moves the object that a handler inserted.
    #expect(migration.verification.mappings.map(\.objects) == [2, 3])
    #expect(migration.verification.isClean)
  }

  @Test func `a failure names the stage and the handlers that may be responsible`() throws {
    let migration = try Self.pair(1, 2).migrate(Self.graph(Self.old, 1))
    let expected = Self.new.replacing("12}", with: "13}")
    let failures = migration.failures(expecting: try Self.graph(expected, 2)).map(\.description)
    #expect(
      failures == [
        """
        object 'blue' of 'Track': 'plays' is 12, expected 13
          custom stage 'Count plays', willMigrate, migrate 'Track', didMigrate
          expected in <input>:2:38
        """
      ])
    let light = try Self.pair(2, 3).migrate(Self.graph(Self.new, 2))
    let rated = Self.new.replacing("Music 2", with: "Music 3").replacing("Blue", with: "Blues")
    let others = light.failures(expecting: try Self.graph(rated, 3)).map(\.description)
    #expect(
      others == [
        """
        object 'blue' of 'Track': 'title' is "Blue", expected "Blues"
          'title' is copied from 'title' in entity mapping 'TrackToTrack'
          expected in <input>:2:21
        """
      ])
  }

  @Test func `handlers that do nothing are noticed`() throws {
    let report = try Self.pair(1, 2).mutate(Self.graph(Self.old, 1), expecting: Self.graph(Self.new, 2))
    #expect(report.survived == [] && report.misplaced == [:])
    let handlers = report.killed.filter { $0.key.contains("stage") }.mapValues {
      $0.replacing(#/^.* failed: /#, with: "").split(separator: "\n").prefix(2).joined(separator: "\n")
    }
    let place = "\n  custom stage 'Count plays', willMigrate, migrate 'Track', didMigrate"
    #expect(
      handlers == [
        "leave out didMigrate of custom stage 'Count plays'": "object 'more' of 'Track' is missing" + place,
        "leave out willMigrate of custom stage 'Count plays'":
          #"object 'nameless' of 'Track': 'title' is null, expected "Untitled""# + place,
        "leave out migrate 'Track' of custom stage 'Count plays'":
          "error[migration.1560]: custom stage 'Count plays': the migrated store breaks a rule of its model in 2 places:\n"
          + "error[1570]: 2 × Track: 'plays' is mandatory and has no value (Track/p1, Track/p2)",
        "skip the first object in migrate 'Track' of custom stage 'Count plays'":
          "error[migration.1570]: custom stage 'Count plays': the migrated store breaks a rule of its model in 1 place:\n"
          + "error[1570]: 1 × Track: 'plays' is mandatory and has no value (Track/p1)",
      ])
  }

  @Test func `handlers and entities that the graph does not show are not covered`() throws {
    let pair = try Self.pair(1, 2)
    let titled = try Self.graph(
      #"{"objects": {"Track": {"blue": {"title": "Blue", "plays": "12"}}}}"#, 1)
    let stage = "custom stage 'Count plays'"
    #expect(
      try pair.mutate(titled, expecting: pair.migrate(titled).graph).uncovered == [
        "leave out willMigrate of \(stage)": "an object that willMigrate of \(stage) changes"
      ])
    let empty = try Self.graph(#"{"objects": {}}"#, 1)
    #expect(
      try pair.mutate(empty, expecting: pair.migrate(empty).graph).uncovered == [
        "leave out willMigrate of \(stage)": "an object that willMigrate of \(stage) changes",
        "leave out migrate 'Track' of \(stage)": "an object of 'Track' that its handler changes",
        "exclude all objects of 'TrackToTrack'": "a Track",
      ])
  }

  @Test func `stages keep the laws, or the report says which one they break`() throws {
    let values: [String: [Value]] = ["Track.plays": ["1", "22", "x", .null]]
    for versions in [(1, 2), (2, 3), (1, 3)] {
      let report = try Self.pair(versions.0, versions.1).lawReport(
        options: MigrationLawOptions(seeds: 0..<1, objectsPerEntity: 2, values: versions.0 == 1 ? values : [:]))
      #expect(report.violations.map(\.description) == [] && report.objects > 0)
    }
    let stage = Self.counting()
    let runs = Locked(0)
    stage.migrate("Track") { _, new in
      runs.current += 1
      new["title"] = .string("run \(runs.current)")
    }
    let pair = try MigrationPair(
      stages: StagedMigrationManager([stage], versions: Array(Self.models[..<2])), from: "Music 1", to: "Music 2")
    let options = MigrationLawOptions(
      seeds: 0..<1, objectsPerEntity: 1, values: values, except: [.usesNoShortcut, .survives, .chains])
    #expect(try pair.lawReport(options: options).violations.map(\.law) == [.repeats])
  }

  @Test func `versions that stages do not connect are refused`() throws {
    let stages = try Self.stages()
    func message(_ body: () throws -> MigrationPair) -> String {
      do {
        _ = try body()
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message { try MigrationPair(stages: stages, from: "Music 1", to: "Musik 2") } == """
        error[test.no-version]: the stages have no version 'Musik 2'
          did you mean 'Music 2'?
        """)
    #expect(
      message { try MigrationPair(stages: stages, from: "Music 2", to: "Music 1") } == """
        error[test.no-stage]: no stages lead from 'Music 2' to 'Music 1'
          pass a stage that does; there are stages for 'Music 1' → 'Music 2', 'Music 2' → 'Music 3'
        """)
    #expect(
      message {
        try MigrationPair(
          stages: StagedMigrationManager([], versions: Self.models), from: "Music 1", to: "Music 2")
      } == """
        error[test.no-stage]: no stages lead from 'Music 1' to 'Music 2'
          pass the stages of the migration; the list is empty
        """)
  }
}
