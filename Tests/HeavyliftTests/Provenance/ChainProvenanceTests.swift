import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The provenance of a chain: the objects of the last version that each object of the first one became.
@Suite struct ChainProvenanceTests {
  private struct Origin: Hashable, CustomStringConvertible {
    var mappings: [String]
    var source: String
    var destination: String

    var description: String { "\(mappings.joined(separator: ", ")): \(source) → \(destination)" }
  }

  private static func origins(_ url: URL) throws -> [Origin] {
    var found: [Origin] = []
    try MigrationProvenance(contentsOf: url).forEach { record in
      found.append(
        Origin(
          mappings: record.entityMappingNames, source: "\(record.source.entityName)/\(record.source.key)",
          destination: "\(record.destination.entityName)/\(record.destination.key)"))
    }
    return found
  }

  /// Runs hop by hop, with a provenance for each, and joins them in memory.
  private static func joined(
    _ models: [ManagedObjectModel], _ mappings: [MappingModel], from store: URL, in folder: TemporaryFolder
  ) throws -> Set<Origin> {
    var source = store
    var whole: [Origin]?
    for (number, mapping) in mappings.enumerated() {
      let (next, provenance) = (folder.appending("\(number).sqlite"), folder.appending("\(number).origins"))
      var options = MigrationOptions()
      options.provenance = provenance
      _ = try MigrationManager(sourceModel: models[number], destinationModel: models[number + 1]).migrateStore(
        from: source, to: next, [mapping.complete(from: models[number], to: models[number + 1])], options: options,
        caller: MigrationCaller())
      let own = try origins(provenance)
      whole =
        whole.map { earlier in
          let bySource = Dictionary(grouping: own, by: \.source)
          return earlier.flatMap { first in
            (bySource[first.destination] ?? []).map {
              Origin(mappings: first.mappings + $0.mappings, source: first.source, destination: $0.destination)
            }
          }
        } ?? own
      source = next
    }
    return Set(whole ?? [])
  }

  @Test func `law: a chain's provenance is that of its hops combined`() throws {
    var (chains, records) = (0, 0)
    let seeds = Seeds.some(of: 0..<30)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var (models, mappings, first) = try GeneratedMigration.chain(
        seed: seed, hops: Int.random(in: 2...4, using: &random))
      let test = try MigrationTest(from: models[0], to: models[0]) { try first.fill($0) }
      let expected: Set<Origin>
      do {
        expected = try Self.joined(models, mappings, from: test.source, in: test.folder)
      } catch is HopError {
        continue
      }
      let manager = IncrementalMigrationManager(
        models: models,
        mappings: MappingSearch(
          mappings.enumerated().map { MappingCandidate(file: "\($0.offset).xml", mappingModel: $0.element) }),
        execution: UncheckedHops())
      let url = test.folder.appending("whole.origins")
      let report = try manager.migrate(
        test.source, into: test.destination, options: IncrementalMigrationOptions(provenance: url))
      #expect(report.provenance == url)
      let found = try Self.origins(url)
      #expect(Set(found) == expected, "seed \(seed)")
      #expect(found.count == expected.count, "seed \(seed): a record is listed twice")
      let hops = try MigrationProvenance(contentsOf: url).hops
      #expect(hops.map(\.destinationVersion) == models.dropFirst().map(\.name), "seed \(seed)")
      chains += 1
      records += found.count
    }
    // Otherwise the law is vacuous.
    #expect(chains * 3 >= seeds.count)
    #expect(records > seeds.count * 2)
  }

  /// Two objects are made from one, and become one again. A path taken twice is listed once; two paths are two
  /// records.
  @Test func `an object made from two objects of one mapping is listed once`() throws {
    let models = (1...3).map { version in
      ManagedObjectModel(
        name: "Æ \(version)",
        entities: [
          EntityDescription(name: "Stück", attributes: [Models.attribute("text\(version)", .string)])
        ])
    }
    let test = try MigrationTest(from: models[0], to: models[0]) { _ = try $0.insert("Stück") }
    func mapping(_ number: Int, _ entities: [EntityMappingDescription]) -> MappingCandidate {
      MappingCandidate(
        file: "\(number).xml",
        mappingModel: MappingModel(
          source: ModelReference(name: "Æ \(number)"), destination: ModelReference(name: "Æ \(number + 1)"),
          copying: .everything, entityMappings: entities))
    }
    let split = EntityMappingDescription(
      name: "Split", source: "Stück", destination: "Stück", policy: "TwoOfOne", intendsDuplicates: true)
    let other = EntityMappingDescription(name: "Other", source: "Stück", destination: "Stück")
    let join = EntityMappingDescription(name: "Join", source: "Stück", destination: "Stück", policy: "OneOfAll")
    var policies = PolicyRegistry(TwoOfOne.self)
    policies.register(OneOfAll.self)
    let manager = IncrementalMigrationManager(
      models: models, mappings: MappingSearch([mapping(1, [split, other]), mapping(2, [join])]),
      execution: MappingHopExecution(policies: policies))
    let url = test.folder.appending("origins.sqlite")
    try manager.migrate(test.source, into: test.destination, options: IncrementalMigrationOptions(provenance: url))
    let found = try Self.origins(url)
    #expect(Set(found.map(\.mappings)) == [["Split", "Join"], ["Other", "Join"]])
    #expect(found.count == 2, "\(found)")
    let store = try PersistentStore(url: test.destination, models: [models[2]], mode: .readOnly)
    let only = ManagedObjectID(storeIdentifier: store.metadata.identifier, entityName: "Stück", key: 1)
    var last: ManagedObjectID?
    let provenance = try MigrationProvenance(contentsOf: url)
    try provenance.forEach { last = $0.destination }
    #expect(try provenance.sources(of: #require(last)).map(\.source) == [only, only])
    #expect(try provenance.destinations(of: only).map(\.destination) == [last, last])
    let database = try Database(path: url.path, mode: .readOnly)
    #expect(
      try database.firstValue(
        "SELECT count(*) FROM provenance WHERE source = '\(only.uriRepresentation)' AND mapping = 'Split → Join'")
        == .integer(1))
  }

  // MARK: Obstacles

  private let place: FaultScenario.Place

  init() throws { place = try FaultScenario.Place(FaultScenario(kind: .withLog)) }

  private var url: URL { place.folder.appending("Origins.sqlite") }
  private var options: IncrementalMigrationOptions { IncrementalMigrationOptions(provenance: url) }

  private func isUntouched() throws -> Bool {
    try NoteStores.listing(place.folder.url, withWorkFolder: true) == place.before
  }

  @Test func `an execution that writes no provenance is refused`() throws {
    #expect(
      failure { try NoteStores.manager(RowCopy()).migrate(place.store, options: options) } == """
        error[migration.hop]: store '\(place.store.resolvingLinks.path)' cannot be migrated with provenance: its hop \
        execution records none
          use 'MappingHopExecution', or do not request provenance; nothing was changed
        """)
    #expect(try isUntouched())
  }

  @Test func `a file created in the meantime is kept, and the store is the old one`() throws {
    let (url, store) = (url, place.store)
    let files = FileOperations { step in
      if case .link(_, let target) = step, target.lastPathComponent == url.lastPathComponent {
        try Data("mine".utf8).write(to: url)
      }
    }
    let problem = failure {
      try NoteStores.manager(MappingHopExecution(), files: files).migrate(store, options: options)
    }
    #expect(
      problem == """
        error[migration.destination-exists]: '\(url.path)' already exists
          choose another path, or remove it first; nothing was changed
        """)
    #expect(try Data(contentsOf: url) == Data("mine".utf8))
    #expect(try NoteStores.contents(store) == NoteStores.oldest)
    try FileManager.default.removeItem(at: url)
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: options)
    #expect(report.hops.map { $0.report == nil } == [true, true], "what was done is not done again")
    #expect(try Self.origins(url).map(\.source) == ["Note/1", "Note/2", "Note/3"])
  }

  @Test func `on another disk, the provenance is copied completely`() throws {
    let url = url
    let files = FileOperations { step in
      if case .link(_, let target) = step, target.lastPathComponent == url.lastPathComponent {
        throw POSIXError(.EXDEV)
      }
    }
    try NoteStores.manager(MappingHopExecution(), files: files).migrate(place.store, options: options)
    #expect(try Self.origins(url).map(\.source) == ["Note/1", "Note/2", "Note/3"])
    let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
    #expect(Set(names) == ["Notes.sqlite", ".Notes_SUPPORT", "Origins.sqlite"])
  }

  @Test func `a cancelled migration leaves no provenance`() throws {
    for moment in ["Notes 2", "Notes 3", "swap"] {
      let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
      let url = place.folder.appending("Origins.jsonl")
      let manager = NoteStores.manager(MappingHopExecution())
      let cancellation = MigrationCancellation()
      let monitor = MigrationMonitor(cancellation) { event in
        let isSwap = if case .swapping = event.step { true } else { false }
        if isSwap ? moment == "swap" : event.title.hasSuffix("'\(moment)'") { cancellation.cancel() }
      }
      let problem = failure {
        try manager.migrate(place.store, options: IncrementalMigrationOptions(provenance: url), monitor: monitor)
      }
      #expect(problem?.hasPrefix("error[migration.cancelled]") == true, "\(moment): \(problem ?? "none")")
      #expect(try NoteStores.listing(place.folder.url) == place.before, "\(moment)")
      try NoteStores.manager(MappingHopExecution()).migrate(
        place.store, options: IncrementalMigrationOptions(provenance: url))
      #expect(try String(contentsOf: url, encoding: .utf8).split(separator: "\n").count == 3, "\(moment)")
    }
  }

  @Test func `hops that finished without a provenance run again with one`() throws {
    struct Broken: Error {}
    let (store, url) = (place.store, url)
    let first = FaultScenario(kind: .withLog, usesEngine: true)
    _ = failure {
      try first.migrate(in: place.folder.url, files: FileOperations()) { if $0 == "Notes 3" { throw Broken() } }
    }
    let report = try NoteStores.manager(MappingHopExecution()).migrate(store, options: options)
    #expect(report.hops.map { $0.report == nil } == [false, false])
    #expect(try Self.origins(url).map(\.source) == ["Note/1", "Note/2", "Note/3"])
  }

  @Test func `an execution's own options also request a provenance, and a rehearsal leaves none`() throws {
    var options = MigrationOptions()
    options.provenance = url
    let manager = NoteStores.manager(MappingHopExecution(options: options))
    try manager.rehearse(place.store) { _ in }
    #expect(try isUntouched())
    #expect(try manager.migrate(place.store).provenance == url)
    #expect(try Self.origins(url).map(\.mappings) == Array(repeating: ["NoteToNote", "NoteToNote"], count: 3))
  }
}

/// Runs hops with a provenance, without checking their mappings.
private struct UncheckedHops: EngineHopExecution {
  var provenance: URL? { nil }

  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop, monitor: HopMonitor())
  }

  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    var options = MigrationOptions()
    options.provenance = monitor.provenance
    return try MigrationManager(sourceModel: hop.sourceModel, destinationModel: hop.destinationModel).migrateStore(
      from: source, to: destination, hop.mappings.map { $0.complete(from: hop.sourceModel, to: hop.destinationModel) },
      options: options, caller: MigrationCaller())
  }
}

/// Makes two objects from each.
private final class TwoOfOne: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let other = try manager.destinationContext.insert(source.objectID.entityName)
    try manager.associate(sourceInstance: source, withDestinationInstance: other, for: mapping)
  }
}

/// Makes one object from all.
private final class OneOfAll: EntityMigrationPolicy {
  private var only: ManagedObject?

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let object = try only ?? manager.destinationContext.insert(source.objectID.entityName)
    only = object
    try manager.associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
  }
}
