import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Chains of hops, composed and one after the other.
@Suite struct HopChainTests {
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

  /// The stores of a chain whose hops are separate, and of one whose hops are combined.
  private static func outcomes(
    _ manager: IncrementalMigrationManager, _ folder: TemporaryFolder
  ) throws -> (separate: HopChain.Outcome, combined: HopChain.Outcome) {
    let source = folder.appending("old.sqlite")
    return (
      try HopChain.outcome(source, folder.appending("separate.sqlite"), manager, composes: false).outcome,
      try HopChain.outcome(source, folder.appending("combined.sqlite"), manager, composes: true).outcome
    )
  }

  @Test(arguments: [nil, "title != 'T5'"])
  func `five hops that compute values from their own results`(filter: String?) throws {
    let folder = try TemporaryFolder()
    let models = Self.versions()
    try Self.make(at: folder.appending("old.sqlite"), models[0])
    let manager = try Self.manager(
      models, ["length": "$source.length / -2", "made": "$source.made + 0.5", "title": "uppercase:($source.title)"],
      filter: filter)
    let (separate, combined) = try Self.outcomes(manager, folder)
    #expect(separate.error == nil)
    #expect(separate.hasSameStore(as: combined), "\(separate.difference(combined))")
  }

  @Test func `a rehearsal runs the hops that the migration would run`() throws {
    let folder = try TemporaryFolder()
    let models = Self.versions()
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(models, [:])
    for (options, count) in [
      (IncrementalMigrationOptions(), 1), (IncrementalMigrationOptions(composesHops: false), 5),
    ] {
      let rehearsed = try manager.rehearse(source, options: options) { rehearsal in
        #expect(rehearsal.plan.hops.count == count)
        return rehearsal.report.hops.count
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
    let (separate, combined) = try Self.outcomes(manager, folder)
    for error in [separate.error, combined.error] {
      #expect(error?.contains("→ 'V3'") == true && error?.contains("'\(name)'") == true, "\(error ?? "done")")
    }
  }

  @Test func `an intermediate version's broken rule is reported with its hop`() throws {
    let folder = try TemporaryFolder()
    var models = Self.versions()
    models[3] = Self.versions(isStrictFrom: 3)[3]
    let source = folder.appending("old.sqlite")
    try Self.make(at: source, models[0])
    let manager = try Self.manager(models, [:])
    let (separate, combined) = try Self.outcomes(manager, folder)
    for error in [separate.error, combined.error] {
      #expect(error?.contains("→ 'V3'") == true, "\(error ?? "done")")
      #expect(error?.contains("6 × Track: 'title' is mandatory and has no value") == true, "\(error ?? "done")")
    }
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
    for composesHops in [true, false] {
      let error = failure {
        try manager.migrate(source, options: IncrementalMigrationOptions(composesHops: composesHops))
      }
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
    try manager.migrate(source)
    let new = ManagedObjectContext(store: try PersistentStore(url: source, models: [models[2]]))
    #expect(try new.fetch(FetchRequest(entityName: "Track")).map { $0[toOne: "owner"] == nil } == [false, true])
  }
}
