import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: fused hops give the same result as separate hops, byte for byte.
@Suite struct FusedHopsTests {
  private static let hopCount = 4

  /// Returns the fused share of all hops that could be fused, over the chains that succeed.
  private func share(
    _ seeds: [UInt64], isTame: Bool
  ) throws -> (done: Int, readThrough: Double, files: Int, offsets: Int)? {
    var (readThrough, done, files, offsets) = (0, 0, 0, 0)
    for seed in seeds {
      let (models, mappings, first) = try GeneratedMigration.chain(seed: seed, hops: Self.hopCount, isTame: isTame)
      let chain = MigrationCase(models, mappings) { context in
        var copy = first
        try copy.fill(context, isTame: isTame)
      }
      let both = try FusedChain(chain)
      if both.written.error == nil { (done, readThrough) = (done + 1, readThrough + both.readThrough) }
      (files, offsets) = (files + both.fused.files.count, offsets + both.offset)
      guard both.disagreement != nil else { continue }
      let least = try chain.shrunk { try FusedChain($0).disagreement != nil }
      Issue.record(
        "seed \(seed), \(isTame ? "tame" : "wild")\n\(try FusedChain(least).disagreement ?? "")\n\(least)")
      return nil
    }
    return (done, Double(readThrough) / Double(max(1, done * (Self.hopCount - 1))), files, offsets)
  }

  @Test func `fused hops give the same result as separate hops`() throws {
    let seeds = Seeds.some(of: 0..<20)
    guard let (done, _, _, _) = try share(seeds, isTame: false) else { return }
    #expect(done * 5 > seeds.count, "\(done) of \(seeds.count) chains succeeded")
  }

  @Test func `hops that need no objects are fused, with the same result`() throws {
    let seeds = Seeds.some(of: 0..<40)
    guard let (done, readThrough, files, offsets) = try share(seeds, isTame: true) else { return }
    #expect(
      done * 2 > seeds.count && readThrough > 0.6 && files > 0 && offsets > 0,
      "\(done) of \(seeds.count) chains succeeded; fused: \(readThrough); \(files) files; \(offsets) with shifted keys"
    )
  }

  /// Tracks on albums, with tags, in six versions.
  private static func versions(isStrictFrom strict: Int = 9) -> [ManagedObjectModel] {
    (0...5).map { version in
      ManagedObjectModel(
        name: "V\(version)",
        entities: [
          EntityDescription(
            name: "Track",
            attributes: [
              Models.attribute("title", .string, isOptional: version < strict),
              Models.attribute("length", .double), Models.attribute("made", .date),
            ] + (0..<version).map { Models.attribute("added\($0)", .integer64, default: .integer(Int64($0))) },
            relationships: [Models.toOne("album", "Album", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
          EntityDescription(
            name: "Album", attributes: [Models.attribute("name", .string)],
            relationships: [Models.toMany("tracks", "Track", "album")]),
          EntityDescription(
            name: "Tag", attributes: [Models.attribute("name", .string)],
            relationships: [Models.toMany("tracks", "Track", "tags")]),
        ])
    }
  }

  private static func manager(
    _ models: [ManagedObjectModel], _ values: [String: String], filter: String? = nil
  ) throws -> IncrementalMigrationManager {
    let properties = try values.sorted { $0.key < $1.key }.map {
      PropertyMappingDescription.attribute($0.key, try MappingExpression(parsing: $0.value))
    }
    let mappings = try (1...5).map { hop in
      MappingModel(
        source: ModelReference(name: "V\(hop - 1)"), destination: ModelReference(name: "V\(hop)"),
        copying: .everything,
        entityMappings: [
          EntityMappingDescription(
            source: "Track", destination: "Track", filter: try filter.map { try MappingPredicate(parsing: $0) },
            properties: properties),
          EntityMappingDescription(source: "Album", destination: "Album"),
          EntityMappingDescription(source: "Tag", destination: "Tag"),
        ])
    }
    return IncrementalMigrationManager(
      models: models,
      mappings: MappingSearch(
        mappings.enumerated().map { MappingCandidate(file: "\($0.offset).xml", mappingModel: $0.element) }))
  }

  private static func make(at url: URL, _ model: ManagedObjectModel) throws {
    let store = try PersistentStore.create(at: url, model: model)
    let context = ManagedObjectContext(store: store)
    let album = try context.insert("Album")
    album["name"] = .string("it's ?")
    let tag = try context.insert("Tag")
    for index in 0..<40 {
      let track = try context.insert("Track")
      if index % 7 > 0 { track["title"] = .string("t\(index)") }
      track["length"] = .double(index % 5 == 0 ? -0.0 : Double(index) / 3)
      track["made"] = .date(Date(timeIntervalSinceReferenceDate: Double(index)))
      if index % 2 == 0 { try track.setObject(album, forKey: "album") }
      if index % 3 == 0 { try track.add(tag, to: "tags") }
    }
    try context.save()
    try store.close()
  }

  @Test func `five hops that need no objects write one store`() throws {
    let folder = try TemporaryFolder()
    let models = Self.versions()
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(
      models, ["length": "$source.length / -2", "made": "$source.made + 0.5", "title": "uppercase:($source.title)"],
      filter: "title != 'T5'")
    let written = try FusedChain.outcome(source, folder.appending("written.sqlite"), manager, fuses: false)
    let fused = try FusedChain.outcome(source, folder.appending("fused.sqlite"), manager, fuses: true)
    #expect(written.0.error == nil)
    #expect(written.0 == fused.0)
    #expect((written.readThrough, fused.readThrough) == (0, 4))
    let plan = try manager.plan(for: source)
    #expect(plan.reasonsToWrite == [nil, nil, nil, nil, "it is the last hop"])
    let unfused = try manager.plan(for: source, options: IncrementalMigrationOptions(fusesHops: false))
    #expect(unfused.reasonsToWrite == Array(repeating: "fusing is turned off", count: 4) + ["it is the last hop"])
  }

  @Test func `a rehearsal writes the stores that the migration would write`() throws {
    let folder = try TemporaryFolder()
    let models = Self.versions()
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(models, [:])
    for (options, count) in [
      (IncrementalMigrationOptions.fusing, 4), (IncrementalMigrationOptions(fusesHops: false), 0),
      (IncrementalMigrationOptions(provenance: folder.appending("origins.sqlite")), 0),
    ] {
      let rehearsed = try manager.rehearse(source, options: options) { rehearsal in
        #expect(rehearsal.plan.reasonsToWrite.filter { $0 == nil }.count == count)
        return rehearsal.report.hops.filter(\.wasReadThrough).count
      }
      #expect(rehearsed == count)
    }
  }

  @Test(arguments: [
    ("title", AttributeValidation(maximumLength: 2)), ("length", AttributeValidation(maximum: .double(5))),
    ("added1", AttributeValidation(maximum: .integer(0))),
  ])
  func `an intermediate version's bounds are checked`(name: String, validation: AttributeValidation) throws {
    let folder = try TemporaryFolder()
    var models = Self.versions()
    let track = try #require(models[3].entities.firstIndex { $0.name == "Track" })
    let place = try #require(models[3].entities[track].attributes.firstIndex { $0.name == name })
    models[3].entities[track].attributes[place].validation = validation
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(models, [:])
    let written = try FusedChain.outcome(source, folder.appending("written.sqlite"), manager, fuses: false).0
    let fused = try FusedChain.outcome(source, folder.appending("fused.sqlite"), manager, fuses: true).0
    #expect(written == fused)
    #expect(fused.error?.contains("hop 'V2' → 'V3'") == true, "\(fused.error ?? "done")")
    #expect(fused.error?.contains("'\(name)'") == true, "\(fused.error ?? "done")")
  }

  @Test func `an intermediate version's broken rule is reported with its hop`() throws {
    let folder = try TemporaryFolder()
    var models = Self.versions()
    models[3] = Self.versions(isStrictFrom: 3)[3]
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(models, [:])
    let written = try FusedChain.outcome(source, folder.appending("written.sqlite"), manager, fuses: false).0
    let fused = try FusedChain.outcome(source, folder.appending("fused.sqlite"), manager, fuses: true).0
    #expect(written == fused)
    #expect(fused.error?.contains("hop 'V2' → 'V3'") == true)
    #expect(fused.error?.contains("6 × Track: 'title' is mandatory and has no value") == true)
  }

  @Test func `values must be unique in a version that is not written, even if the next one only indexes them`() throws {
    let folder = try TemporaryFolder()
    let source = folder.appending("old.sqlite")
    func model(_ version: Int) -> ManagedObjectModel {
      var item = EntityDescription(name: "Item", attributes: [Models.attribute("code", .string)])
      item.attributes += (0..<version).map { Models.attribute("added\($0)", .integer64) }
      if version == 1 { item.uniquenessConstraints = [.init(["code"])] }
      if version == 2 { item.fetchIndexes = [.init(name: "byCode", elements: [.init(propertyName: "code")])] }
      return ManagedObjectModel(name: "V\(version)", entities: [item])
    }
    let models = (0...2).map(model)
    let store = try PersistentStore.create(at: source, model: models[0])
    let context = ManagedObjectContext(store: store)
    for code in ["a", "b", "a"] { try context.insert("Item")["code"] = .string(code) }
    try context.save()
    try store.close()
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    for fusesHops in [true, false] {
      let error = failure { try manager.migrate(source, options: IncrementalMigrationOptions(fusesHops: fusesHops)) }
      #expect(error?.contains("'code'") == true && error?.contains("'V0' → 'V1'") == true, "\(error ?? "no error")")
    }
  }

  @Test func `a hop that reads a derived attribute of the version before gets its values`() throws {
    let folder = try TemporaryFolder()
    let source = folder.appending("old.sqlite")
    func model(_ version: Int) -> ManagedObjectModel {
      var item = EntityDescription(name: "Item", attributes: [Models.attribute("number", .integer32)])
      var derived = Models.attribute("derived", .integer32)
      derived.derivationExpression = "number"
      if version == 1 { item.attributes.append(derived) }
      if version == 2 { item.attributes.append(Models.attribute("copy", .integer32)) }
      return ManagedObjectModel(name: "V\(version)", entities: [item])
    }
    let models = (0...2).map(model)
    let store = try PersistentStore.create(at: source, model: models[0])
    let context = ManagedObjectContext(store: store)
    for number in 1...3 { try context.insert("Item")["number"] = .integer(Int64(number)) }
    try context.save()
    try store.close()
    let mapping = MappingModel(
      source: ModelReference(name: "V1"), destination: ModelReference(name: "V2"), copying: .everything,
      entityMappings: [
        EntityMappingDescription(
          source: "Item", destination: "Item",
          properties: [.attribute("copy", try MappingExpression(parsing: "$source.derived"))])
      ])
    let manager = IncrementalMigrationManager(
      models: models, mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]),
      infersMissingMappings: true)
    try manager.migrate(source)
    let new = ManagedObjectContext(store: try PersistentStore(url: source, models: [models[2]]))
    #expect(try new.fetch(FetchRequest(entityName: "Item")).map { $0["copy"].integer } == [1, 2, 3])
  }

  @Test func `links to objects that the next hop removes are removed`() throws {
    let folder = try TemporaryFolder()
    let source = folder.appending("old.sqlite")
    func model(_ version: Int) -> ManagedObjectModel {
      let person = EntityDescription(name: "Person", attributes: [Models.attribute("name", .string)])
      let track = EntityDescription(
        name: "Track", attributes: (0..<version).map { Models.attribute("added\($0)", .integer64) },
        relationships: [Models.toOne("owner", "Person")])
      let singer = version < 2 ? [EntityDescription(name: "Singer", superentityName: "Person")] : []
      return ManagedObjectModel(name: "V\(version)", entities: [person, track] + singer)
    }
    let models = (0...2).map(model)
    let store = try PersistentStore.create(at: source, model: models[0])
    let context = ManagedObjectContext(store: store)
    for owner in ["Person", "Singer"] { try context.insert("Track")[toOne: "owner"] = try context.insert(owner) }
    try context.save()
    try store.close()
    let mapping = MappingModel(
      source: ModelReference(name: "V1"), destination: ModelReference(name: "V2"), copying: .everything,
      entityMappings: [
        EntityMappingDescription(source: "Person", destination: "Person"),
        EntityMappingDescription(type: .remove, source: "Singer"),
        EntityMappingDescription(source: "Track", destination: "Track"),
      ])
    let manager = IncrementalMigrationManager(
      models: models, mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]),
      infersMissingMappings: true)
    let report = try manager.migrate(source, options: .fusing)
    #expect(report.hops.map(\.wasReadThrough) == [true, false])
    let new = ManagedObjectContext(store: try PersistentStore(url: source, models: [models[2]]))
    #expect(try new.fetch(FetchRequest(entityName: "Track")).map { $0[toOne: "owner"] == nil } == [false, true])
  }
}
