import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Hops that run in the store that the hop before them has written.
@Suite struct HopContinuationTests {
  private static var policies: PolicyRegistry {
    PolicyRegistry(LawPolicy.self, CuriousPolicy.self, LeavingPolicy.self)
  }

  /// Law: the store and the reports are those of hops that are each written.
  @Test(arguments: 0..<3 as Range<UInt64>)
  func `a hop in the store of the hop before gives the same store as one that writes its own`(round: UInt64) throws {
    var (chains, done, continued) = (0, 0, 0)
    for seed in Seeds.some(of: (30_000 + round * 40)..<(30_000 + round * 40 + 40)) {
      var generated = LightweightMigration(seed: seed)
      let models = [generated.old, generated.new, generated.another()]
      guard var first = try? MappingModel.inferred(from: models[0], to: models[1]),
        var second = try? MappingModel.inferred(from: models[1], to: models[2]),
        models.allSatisfy({ $0.check().allSatisfy { $0.severity != .error } }),
        !models[1].isSameVersion(as: models[2]),
        !models[1...].contains(where: { models[0].isSameVersion(as: $0) })
      else { continue }
      chains += 1
      var random = SeededGenerator(seed: seed)
      // Without a policy, the hops would be composed.
      for place in first.entityMappings.indices where place == 0 || Bool.random(using: &random) {
        first.entityMappings[place].policyClassName = Self.policies.names.sorted().randomElement(using: &random)
        // These policies lose links, which would make most migrations fail.
        first.entityMappings[place].intendsLosses = true
        first.entityMappings[place].userInfo = ["way": "\(Int.random(in: 0...10, using: &random))"]
      }
      try Self.compute(&second, models, &random)
      let test = try MigrationTest(from: models[0], to: models[2]) { try generated.fill($0) }
      let manager = IncrementalMigrationManager(
        models: models,
        mappings: MappingSearch([
          MappingCandidate(file: "first.xml", mappingModel: first),
          MappingCandidate(file: "second.xml", mappingModel: second),
        ]), execution: MappingHopExecution(policies: Self.policies))
      func outcome(composes: Bool) throws -> (outcome: HopChain.Outcome, continued: Int) {
        let target = test.folder.appending("composes \(composes).sqlite")
        return try HopChain.outcome(test.source, target, manager, composes: composes, ignoring: ["Z_OPT"])
      }
      let (written, other) = (try outcome(composes: false), try outcome(composes: true))
      if written.outcome.error == nil { done += 1 }
      continued += other.continued
      guard written.outcome != other.outcome else { continue }
      Issue.record(
        """
        seed \(seed): \(generated.changes)
        \(written.outcome.difference(other.outcome))
        """)
    }
    #expect(done * 2 > chains && continued * 3 > done, "\(continued) hops continued in \(done) of \(chains) chains")
  }

  /// Computes some attributes from others of the same object.
  private static func compute(
    _ mapping: inout MappingModel, _ models: [ManagedObjectModel], _ random: inout SeededGenerator
  ) throws {
    for place in mapping.entityMappings.indices where Int.random(in: 0..<3, using: &random) == 0 {
      let names = (mapping.entityMappings[place].sourceEntityName, mapping.entityMappings[place].destinationEntityName)
      guard let old = names.0.flatMap(models[1].entity(named:)), let new = names.1.flatMap(models[2].entity(named:)),
        let attribute = models[2].allAttributes(of: new).randomElement(using: &random),
        let source = models[1].allAttributes(of: old).filter({ $0.type == attribute.type })
          .randomElement(using: &random)
      else { continue }
      let values: [AttributeType: String] = [
        .string: "uppercase:($source.\(source.name))", .integer16: "$source.\(source.name) + 1",
        .integer32: "$source.\(source.name) * 2", .double: "$source.\(source.name) / 3",
        .boolean: "TERNARY($source.\(source.name) == 1, 0, 1)",
      ]
      guard let value = values[attribute.type] else { continue }
      mapping.entityMappings[place].propertyMappings.removeAll { $0.name == attribute.name }
      mapping.entityMappings[place].propertyMappings.append(
        .attribute(attribute.name, try MappingExpression(parsing: value)))
    }
  }

  // MARK: Single chains

  /// Three versions of tracks on albums; the first hop has a policy.
  private struct Chain {
    var models: [ManagedObjectModel]
    let folder: TemporaryFolder
    var source: URL { folder.appending("Tracks.sqlite") }
    /// The mapping models of the second hop; empty to infer one.
    var second: [MappingModel] = []
    var options = MigrationOptions()

    init(_ change: (inout ManagedObjectModel) -> Void) throws {
      let track = EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string), Models.attribute("plays", .integer32)],
        relationships: [Models.toOne("album", "Album", "tracks")])
      let album = EntityDescription(
        name: "Album", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("tracks", "Track", "album")])
      let first = ManagedObjectModel(name: "1", entities: [album, track])
      var second = first
      second.name = "2"
      second.entities[0].attributes.append(Models.attribute("artist", .string))
      var third = second
      third.name = "3"
      change(&third)
      models = [first, second, third]
      folder = try TemporaryFolder()
      let store = try PersistentStore.create(at: source, model: first)
      let context = ManagedObjectContext(store: store)
      for index in 1...5 {
        let track = try context.insert("Track")
        if index > 1 { track["title"] = .string("track \(index)") }
        track["plays"] = .integer(Int64(index))
        let album = try context.insert("Album")
        album["name"] = .string("album \(index)")
        try track.setObject(album, forKey: "album")
      }
      try context.save()
      try store.close()
    }

    var manager: IncrementalMigrationManager {
      let first = MappingModel(
        source: ModelReference(name: "1"), destination: ModelReference(name: "2"), copying: .everything,
        entityMappings: [
          EntityMappingDescription(source: "Track", destination: "Track", policy: "KeepingPolicy")
        ])
      var candidates = [MappingCandidate(file: "1-2.xml", mappingModel: first)]
      for (number, mapping) in second.enumerated() {
        candidates.append(MappingCandidate(file: "2-3.\(number + 1).xml", mappingModel: mapping))
      }
      return IncrementalMigrationManager(
        models: models, mappings: MappingSearch(candidates), infersMissingMappings: true,
        execution: MappingHopExecution(policies: PolicyRegistry(NoteStores.KeepingPolicy.self), options: options))
    }

    /// The hops' reports for a new store.
    func migrate(
      _ options: IncrementalMigrationOptions = IncrementalMigrationOptions()
    ) throws -> [IncrementalMigrationReport.Hop] {
      try manager.migrate(source, into: folder.appending("\(UUID().uuidString).sqlite"), options: options).hops
    }
  }

  private static func mapping(_ entityMappings: [EntityMappingDescription]) -> MappingModel {
    MappingModel(
      source: ModelReference(name: "2"), destination: ModelReference(name: "3"), copying: .everything,
      entityMappings: entityMappings)
  }

  private static func withRating(_ model: inout ManagedObjectModel) {
    model.entities[1].attributes.append(
      Models.attribute("rating", .integer16, isOptional: false, default: .integer(3)))
  }

  @Test func `the report has the steps, and the same account as a hop that writes a store`() throws {
    let chain = try Chain(Self.withRating)
    let hops = try chain.migrate()
    #expect(hops.map(\.inPlaceSteps?.first?.description) == [nil, "adds column 'ZRATING' of table 'ZTRACK'"])
    let written = try chain.migrate(IncrementalMigrationOptions(composesHops: false))
    #expect(written.map(\.inPlaceSteps) == [nil, nil])
    for (hop, other) in zip(hops, written) { #expect(hop.report == other.report) }
    #expect(hops[1].report?.links.map(\.carried) == [5])
    #expect(hops.map(\.objectCount) == [10, 10])
  }

  @Test func `a hop that fails in the store of the hop before writes its own, with a warning`() throws {
    let (folder, failures) = (try TemporaryFolder(), Recorder<URL>())
    let store = folder.appending("Notes.sqlite")
    try NoteStores.make(at: store, .withLog)
    let files = FileOperations { step in
      guard case .change(let url) = step else { return }
      failures.append(url)
      throw Diagnostic(.error, code: "test", problem: "no such column")
    }
    let report = try NoteStores.continuingManager(files: files).migrate(store)
    #expect(failures.values.map(\.lastPathComponent) == ["hop-1.sqlite"])
    #expect(report.hops.map(\.inPlaceSteps) == [nil, nil])
    #expect(
      report.hops.map { $0.report?.notes.map(\.description) } == [
        [],
        [
          """
          warning[migration.not-continued]: hop 'Notes 2' → 'Notes 3' failed in the store of the hop before, so it wrote \
          its own store: error[test]: no such column
            the new store is complete; report this as a bug
          """
        ],
      ])
    #expect(try NoteStores.contents(store) == NoteStores.newest)
  }

  @Test func `every table is written if that is requested`() throws {
    var chain = try Chain(Self.withRating)
    chain.options.startsFresh = true
    #expect(try chain.migrate().map(\.inPlaceSteps) == [nil, nil])
  }

  @Test func `links of a removed relationship are reported as dropped`() throws {
    let chain = try Chain { model in
      model.entities[0].relationships = []
      model.entities[1].relationships = []
    }
    let (hops, written) = (try chain.migrate(), try chain.migrate(IncrementalMigrationOptions(composesHops: false)))
    #expect(hops[1].inPlaceSteps != nil)
    #expect(hops[1].report == written[1].report)
    #expect(hops[1].report?.links.map(\.dropped) == [5])
  }

  @Test func `an expression that only computes values runs in the store of the hop before`() throws {
    var chain = try Chain(Self.withRating)
    chain.second = [
      Self.mapping([
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [
            .attribute("rating", try MappingExpression(parsing: "$source.plays * 2")),
            .attribute("title", try MappingExpression(parsing: "uppercase:($source.title)")),
          ])
      ])
    ]
    let target = chain.folder.appending("New.sqlite")
    let report = try chain.manager.migrate(chain.source, into: target)
    #expect(report.hops[1].inPlaceSteps != nil)
    let store = try PersistentStore(url: target, models: [chain.models[2]], mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    let tracks = try context.fetch(FetchRequest(entityName: "Track"))
    let found = tracks.map { "\($0["rating"].integer ?? 0) \($0["title"].string ?? "-")" }.sorted()
    #expect(found == ["10 TRACK 5", "2 -", "4 TRACK 2", "6 TRACK 3", "8 TRACK 4"])
    withExtendedLifetime(context) {}
  }

  /// A statement that changes rows while it reads them would see some values before the change and others after it.
  @Test(arguments: [
    "$source.plays + $source.album.tracks.@count", "$source.album.tracks.@sum.plays", "$source.album.tracks.@count",
  ])
  func `a value that is computed from other objects is written to another store`(value: String) throws {
    var chain = try Chain(Self.withRating)
    chain.second = [
      Self.mapping([
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [.attribute("plays", try MappingExpression(parsing: value))])
      ])
    ]
    #expect(try chain.migrate()[1].inPlaceSteps == nil)
  }

  /// Hops that must write a store, because objects or links do not all stay.
  @Test func `a hop that removes, selects or splits objects writes its own store`() throws {
    func steps(_ mappings: [MappingModel]) throws -> [InPlaceStep]? {
      var chain = try Chain(Self.withRating)
      chain.second = mappings
      return try chain.migrate()[1].inPlaceSteps
    }
    let track = EntityMappingDescription(source: "Track", destination: "Track")
    let album = EntityMappingDescription(source: "Album", destination: "Album")
    #expect(try steps([Self.mapping([track])]) != nil)
    var filtered = track
    filtered.filter = try MappingPredicate(parsing: "plays > 1")
    #expect(try steps([Self.mapping([filtered])]) == nil)
    var linked = track
    linked.propertyMappings = [
      .relationship("album", from: try MappingExpression(parsing: "$source.album"), through: "AlbumToAlbum")
    ]
    #expect(try steps([Self.mapping([linked, album])]) == nil)
    var split = try Chain { model in
      model.entities[0].relationships = []
      model.entities[1].relationships = []
      model.entities.append(EntityDescription(name: "Single", superentityName: "Track"))
    }
    split.second = [
      Self.mapping([track, album, EntityMappingDescription(source: "Track", destination: "Single")])
    ]
    let hops = try split.migrate()
    #expect(hops[1].inPlaceSteps == nil && hops[1].report?.objects == ["Album": 5, "Track": 5, "Single": 5])
    let removed = try Chain { model in
      model.entities.removeFirst()
      model.entities[0].relationships = []
    }
    #expect(try removed.migrate()[1].inPlaceSteps == nil)
  }

  @Test func `a broken rule is reported as by a hop that writes its own store`() throws {
    var strict = try Chain { $0.entities[1].attributes[1].isOptional = false }
    // Inference refuses such a change.
    strict.second = [Self.mapping([])]
    func problem(_ options: IncrementalMigrationOptions) throws -> String? {
      let target = strict.folder.appending("New.sqlite")
      return failure { try strict.manager.migrate(strict.source, into: target, options: options) }
    }
    let written = try problem(IncrementalMigrationOptions(composesHops: false))
    #expect(written?.contains("title") == true)
    #expect(try problem(IncrementalMigrationOptions()) == written)
  }

  @Test func `a value that an expression copies into a smaller type is reported as by a hop that writes its own store`()
    throws
  {
    var chain = try Chain { $0.edit("Track") { $0.edit(attribute: "plays") { $0.type = .integer16 } } }
    chain.second = [
      Self.mapping([
        EntityMappingDescription(
          source: "Track", destination: "Track",
          properties: [.attribute("plays", try MappingExpression(parsing: "$source.plays"))])
      ])
    ]
    #expect(try chain.migrate()[1].inPlaceSteps != nil)
    let database = try Database(path: chain.source.path, mode: .readWrite)
    try database.execute("UPDATE ZTRACK SET ZPLAYS = 70000 WHERE ZPLAYS = 3")
    try database.close()
    let problem = failure { try chain.migrate() }
    #expect(problem?.contains("'plays' is larger than 32767") == true, "\(problem ?? "nothing was thrown")")
  }

  @Test func `a migration that is cancelled in the store of the hop before continues there`() throws {
    struct Stopped: Error {}
    let chain = try Chain(Self.withRating)
    let manager = chain.manager
    let target = chain.folder.appending("New.sqlite")
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { progress in
      if progress.hop == 2 { cancellation.cancel(with: Stopped()) }
    }
    let problem = failure { try manager.migrate(chain.source, into: target, monitor: monitor) }
    #expect(
      problem?.contains("was cancelled in hop '2' → '3'") == true
        && problem?.contains("1 of 2 hops can be skipped in the next run") == true, "\(problem ?? "nothing was thrown")"
    )
    let report = try chain.manager.migrate(chain.source, into: target)
    #expect(report.hops.map { $0.report == nil } == [true, false])
    let store = try PersistentStore(url: target, models: [chain.models[2]], mode: .readOnly)
    defer { try? store.close() }
    #expect(try store.objectCounts() == ["Track": 5, "Album": 5])
  }
}
