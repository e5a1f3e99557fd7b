import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// A migration reads the versions that its store needs, and comes to the same result as with all of them.
@Suite struct NeededVersionsTests {
  /// A bundle in a folder, and the names of the versions whose files were read.
  private final class Bundle {
    let folder: TemporaryFolder
    let url: URL
    let names: [String]
    private let log = Locked<[String]>([])

    var read: [String] { log.withLock { $0 } }

    init(_ models: [ManagedObjectModel], current: Int? = nil, isCompiled: Bool = false) throws {
      let names = models.indices.map { $0 == 0 ? "Notes" : "Notes \($0 + 1)" }
      let current = current.map { names[$0] } ?? names.last
      folder = try TemporaryFolder()
      url = folder.appending(isCompiled ? "Notes.momd" : "Notes.xcdatamodeld")
      self.names = names
      guard isCompiled else {
        try ModelBundle(
          versions: zip(names, models).map { .init(name: $0, model: $1) }, currentVersionName: current
        ).write(to: url)
        return
      }
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      for (name, model) in zip(names, models) {
        try CompiledModelWriter.archive(of: model).write(to: url.appending(path: "\(name).mom"))
      }
      try state(models, current: current)
    }

    /// Writes the `VersionInfo.plist` of a compiled bundle.
    func state(_ models: [ManagedObjectModel], current: String?) throws {
      let hashes = zip(names, models).map { ($0, $1.versionHashes) }
      try VersionInfo(currentVersionName: current, versionHashes: Dictionary(uniqueKeysWithValues: hashes)).data
        .write(to: url.appending(path: "VersionInfo.plist"))
    }

    func manager(_ mappings: [MappingCandidate] = []) throws -> IncrementalMigrationManager {
      let log = log
      let versions = try ModelVersions(path: "Notes", url: url) { name in log.withLock { $0.append(name) } }
      return IncrementalMigrationManager(
        versions: versions, mappings: MappingSearch(mappings), infersMissingMappings: true)
    }

    /// The manager that has read all versions.
    func reference(_ mappings: [MappingCandidate] = []) throws -> IncrementalMigrationManager {
      IncrementalMigrationManager(
        models: try ModelSource(path: "Notes", url: url).validVersions().map(\.model),
        mappings: MappingSearch(mappings), infersMissingMappings: true)
    }

    func store(_ model: ManagedObjectModel, _ name: String = "store", configuration: String? = nil) throws -> URL {
      let url = folder.appending("\(name).sqlite")
      var options = PersistentStore.CreationOptions()
      options.configuration = configuration
      try PersistentStore.create(at: url, model: model, options: options).close()
      return url
    }

    func contents(_ place: Int) -> URL { url.appending(path: "\(names[place]).xcdatamodel/contents") }
  }

  /// Each version adds an attribute to the one before.
  private static func models(_ count: Int) -> [ManagedObjectModel] {
    (1...count).map { version in
      ManagedObjectModel(entities: [
        EntityDescription(name: "Note", attributes: (1...version).map { Models.attribute("text\($0)", .string) }),
        EntityDescription(name: "Tag", attributes: [Models.attribute("name", .string)]),
      ])
    }
  }

  /// The plan and its text, or the text of the error.
  private struct Outcome: Equatable {
    var plan: IncrementalMigrationPlan?
    var text: String

    init(_ manager: IncrementalMigrationManager, _ store: URL, to model: ManagedObjectModel? = nil) {
      do {
        var plan = try manager.chainPlan(for: store, to: model)
        // Other programs use the disk, too.
        plan.availableBytes = nil
        (self.plan, text) = (plan, "\(plan)")
      } catch {
        text = "\(error)"
      }
    }
  }

  // MARK: Counts

  @Test(arguments: [false, true]) func `for a current store, the current version is read, once`(
    isCompiled: Bool
  ) throws {
    let models = Self.models(12)
    let bundle = try Bundle(models, isCompiled: isCompiled)
    let store = try bundle.store(models[11])
    let manager = try bundle.manager()
    #expect(try manager.plan(for: store).isCurrent)
    #expect(try manager.migrate(store).hops.isEmpty)
    #expect(bundle.read == ["Notes 12"])
  }

  @Test(arguments: [false, true]) func `for an old store, the versions from its own on are read, each once`(
    isCompiled: Bool
  ) throws {
    let models = Self.models(12)
    let bundle = try Bundle(models, isCompiled: isCompiled)
    let store = try bundle.store(models[7])
    let manager = try bundle.manager()
    #expect(try manager.plan(for: store).versionTitle == "'Notes 8'")
    let report = try manager.migrate(store)
    #expect(report.hops.count == 1)
    #expect(bundle.read.sorted() == ["Notes 10", "Notes 11", "Notes 12", "Notes 8", "Notes 9"])
    #expect(try manager.plan(for: store).isCurrent)
    #expect(bundle.read.count == 5)
  }

  @Test func `versions with other entities are not hashed`() throws {
    let models = (1...12).map { version in
      ManagedObjectModel(entities: (1...version).map { EntityDescription(name: "Note\($0)") })
    }
    let bundle = try Bundle(models)
    let store = try bundle.store(models[7])
    let manager = try bundle.manager([Self.mapping("Notes", "Notes 2")])
    let count = WorkCount()
    let hops = try WorkCount.$current.withValue(count) { try manager.plan(for: store).hops }
    #expect(hops.map(\.title) == ["'Notes 8' → 'Notes 12'"])
    // The store's version is looked for, and the mapping of the hop is completed.
    #expect(count[.hash] == ["Notes 8": 1, "Notes 12": 1])
  }

  @Test func `hops with mapping files need no other versions, either`() throws {
    let models = Self.models(12)
    let bundle = try Bundle(models)
    let mappings = [(1, 2), (2, 3), (8, 9), (9, 10), (3, 9)].map {
      Self.mapping(bundle.names[$0 - 1], bundle.names[$1 - 1])
    }
    let store = try bundle.store(models[7])
    let plan = try bundle.manager(mappings).plan(for: store)
    #expect(plan.hops.flatMap(\.steps).map(\.title).prefix(2) == ["'Notes 8' → 'Notes 9'", "'Notes 9' → 'Notes 10'"])
    #expect(bundle.read.sorted() == ["Notes 10", "Notes 11", "Notes 12", "Notes 8", "Notes 9"])
  }

  @Test func `mapping files are read when a hop needs them`() throws {
    let models = Self.models(2)
    let bundle = try Bundle(models)
    let reads = Locked(0)
    func manager() throws -> IncrementalMigrationManager {
      IncrementalMigrationManager(
        versions: try ModelVersions(contentsOf: bundle.url),
        mappings: MappingSearch(["1-2.xml"], in: "here") {
          reads.withLock { $0 += 1 }
          return [Self.mapping("Notes", "Notes 2")]
        })
    }
    _ = try manager().plan(for: try bundle.store(models[1], "new"))
    #expect(reads.withLock { $0 } == 0)
    #expect(try manager().plan(for: try bundle.store(models[0], "old")).hops.count == 1)
    #expect(reads.withLock { $0 } == 1)
  }

  // MARK: Files that are not needed

  @Test func `a broken file is noticed if its version is needed`() throws {
    let models = Self.models(5)
    let bundle = try Bundle(models)
    let (old, new) = (try bundle.store(models[2], "old"), try bundle.store(models[4], "new"))
    try Data("<model".utf8).write(to: bundle.contents(1))
    #expect(try bundle.manager().plan(for: new).isCurrent)
    #expect(try bundle.manager().plan(for: old).hops.count == 1)
    try Data("<model".utf8).write(to: bundle.contents(3))
    #expect(try bundle.manager().plan(for: new).isCurrent)
    let error = #expect(throws: MigrationError.self) { try bundle.manager().plan(for: old) }
    #expect(
      error?.diagnostics.map { $0.location?.file } == [
        "Notes/Notes 2.xcdatamodel/contents", "Notes/Notes 4.xcdatamodel/contents",
      ])
  }

  // MARK: Versions with the same hashes

  /// The names that a file must have to be a twin may be written in several ways.
  @Test(arguments: ["plain", "apostrophes", "references", "latin", "utf-16"])
  func `a version with the hashes of the current one is found`(form: String) throws {
    var models = Self.models(4)
    models[1] = models[3]
    models[1].entities[0].attributes[0].defaultValue = .string("7")
    let bundle = try Bundle(models)
    let text = try String(contentsOf: bundle.contents(1), encoding: .utf8)
    let odd: Data =
      switch form {
      case "apostrophes": Data(text.replacing("\"", with: "'").utf8)
      case "references": Data(text.replacing("\"Note\"", with: "\"&#78;ote\"").utf8)
      case "latin": Data(text.replacing("UTF-8", with: "ISO-8859-1").utf8)
      case "utf-16": Data([0xFF, 0xFE]) + Data(text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
      default: Data(text.utf8)
      }
    try odd.write(to: bundle.contents(1))
    let plan = try bundle.manager().plan(for: try bundle.store(models[3]))
    #expect(plan.versionTitle == "'Notes 4' (the same as 'Notes 2')")
    #expect(plan.warnings.map(\.code) == ["migration.same-version"])
    #expect(bundle.read == ["Notes 4", "Notes 2"])
  }

  @Test func `a version with the hashes of the store's configuration is found`() throws {
    var models = Self.models(4)
    for place in models.indices {
      models[place].configurations = [ConfigurationDescription(name: "Tags", entityNames: ["Tag"])]
    }
    let bundle = try Bundle(models)
    let store = try bundle.store(models[1], configuration: "Tags")
    #expect(try Outcome(bundle.manager(), store) == Outcome(bundle.reference(), store))
    #expect(bundle.read.count == 4)
  }

  @Test func `a compiled version of which an entity is not listed may be any`() throws {
    var models = Self.models(4)
    models[1] = models[3]
    models[1].entities[0].attributes[0].defaultValue = .string("7")
    let bundle = try Bundle(models, isCompiled: true)
    var info = try VersionInfo(contentsOf: bundle.url.appending(path: "VersionInfo.plist"))
    info.versionHashes["Notes 2"]?["Tag"] = nil
    try info.data.write(to: bundle.url.appending(path: "VersionInfo.plist"))
    #expect(
      try bundle.manager().plan(for: try bundle.store(models[3])).versionTitle
        == "'Notes 4' (the same as 'Notes 2')")
  }

  @Test func `a compiled version that is not listed may be any`() throws {
    let models = Self.models(4)
    let bundle = try Bundle(models, isCompiled: true)
    try bundle.state(Array(models.dropLast()), current: "Notes 4")
    let store = try bundle.store(models[3])
    #expect(try bundle.manager().plan(for: store).isCurrent)
    #expect(bundle.read == ["Notes 4"])
    let old = try bundle.store(models[2], "old")
    #expect(try bundle.manager().plan(for: old).hops.map(\.title) == ["'Notes 3' → 'Notes 4'"])
  }

  // MARK: The law

  private static func mapping(
    _ source: String?, _ destination: String?, checksums: (String?, String?) = (nil, nil), file: String? = nil,
    kind: MappingCandidate.Kind = .written
  ) -> MappingCandidate {
    MappingCandidate(
      file: file ?? "\(source ?? "any")-\(destination ?? "any").xml", kind: kind,
      mappingModel: MappingModel(
        source: ModelReference(name: source, checksum: checksums.0),
        destination: ModelReference(name: destination, checksum: checksums.1)))
  }

  /// Returns the model without what cannot be written in a compiled file.
  private static func compilable(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var model = model
    for entity in model.entities.indices {
      model.entities[entity].relationships.removeAll { $0.inverseName == nil }
      for attribute in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[attribute].allowsExternalBinaryDataStorage = false
        model.entities[entity].attributes[attribute].validation = AttributeValidation()
      }
    }
    return model
  }

  /// Law: whatever the versions, the mapping files, the store's version and the requested one, the plan or the error is that
  /// of a manager that has read everything.
  @Test(arguments: Seeds.some(of: 0..<100))
  func `the plan is the same as with all versions`(seed: UInt64) throws {
    var generated = LightweightMigration(seed: seed)
    var random = SeededGenerator(seed: seed)
    var models = generated.history(3 + Int(seed % 5))
    let isCompiled = seed.isMultiple(of: 3)
    if isCompiled { models = models.map(Self.compilable) }
    // Versions that no store can tell apart, next to each other or not.
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      var twin = models[Int.random(in: models.indices, using: &random)]
      if Bool.random(using: &random) { twin.entities[0].managedObjectClassName = "Other" }
      models.insert(twin, at: Int.random(in: 0...models.count, using: &random))
    }
    let current = Int.random(in: models.indices, using: &random)
    let bundle = try Bundle(models, current: current, isCompiled: isCompiled)
    var mappings: [MappingCandidate] = []
    for number in 0..<Int.random(in: 0...3, using: &random) {
      let (old, new) = (Int.random(in: models.indices, using: &random), Int.random(in: models.indices, using: &random))
      let names = (bundle.names[old], bundle.names[new])
      let file = "\(number).xml"
      switch Int.random(in: 0..<10, using: &random) {
      case 0: mappings.append(Self.mapping(nil, names.1, file: file))
      case 1: mappings.append(Self.mapping(names.0, "Notes 22", file: file))
      case 2: mappings.append(Self.mapping("Songs 1", "Songs 2", file: file))
      case 3: mappings.append(Self.mapping(names.0, names.1, file: file, kind: .xcode))
      case 4:
        mappings.append(
          Self.mapping(
            "Songs", names.1, checksums: (models[old].versionChecksum, models[new].versionChecksum), file: file))
      case 5: mappings.append(Self.mapping(names.0, names.1, checksums: (models[new].versionChecksum, nil), file: file))
      default: mappings.append(Self.mapping(names.0, names.1, file: file))
      }
    }
    let reference = try bundle.reference(mappings)
    let versions = try reference.models
    for (place, model) in models.enumerated() {
      let store = try bundle.store(model, "\(place)")
      let target = Int.random(in: -1..<models.count, using: &random)
      let version = target < 0 ? nil : versions[target]
      let expected = Outcome(reference, store, to: version ?? versions[current])
      #expect(Outcome(try bundle.manager(mappings), store, to: version) == expected, "seed \(seed), store \(place)")
    }
  }
}
