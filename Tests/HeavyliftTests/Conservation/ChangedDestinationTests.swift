import Foundation
import HeavyliftMapping
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Relationships that lead to another entity than before, in inferred hops: links whose objects fit are kept, and others
/// are refused with their number.
@Suite struct ChangedDestinationTests {
  /// An album with works of art. The new version narrows what its relationships lead to, or leads to something else.
  struct Shape: Sendable, CustomStringConvertible {
    var description: String
    var old: RelationshipDescription
    var new: RelationshipDescription
    /// The inverse in both versions, if any, and the entities that have it.
    var inverse: RelationshipDescription?
    var holders: (old: String, new: String) = ("Art", "Painting")
    /// The name of the relationship at whose end links are counted.
    var counted = "Album.works"
    var permission: String?
  }

  static let shapes = [
    Shape(
      description: "to-one, narrowed", old: Models.toOne("works", "Art"), new: Models.toOne("works", "Painting"),
      permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#),
    Shape(
      description: "to-one, narrowed, with an inverse", old: Models.toOne("works", "Art", "albums"),
      new: Models.toOne("works", "Painting", "albums"), inverse: Models.toMany("albums", "Album", "works"),
      permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#),
    Shape(
      description: "one-to-one, narrowed", old: Models.toOne("works", "Art", "albums"),
      new: Models.toOne("works", "Painting", "albums"), inverse: Models.toOne("albums", "Album", "works"),
      permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#),
    Shape(
      description: "to-many, narrowed, with a to-one inverse", old: Models.toMany("works", "Art", "albums"),
      new: Models.toMany("works", "Painting", "albums"), inverse: Models.toOne("albums", "Album", "works"),
      permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#),
    Shape(
      description: "to-many, narrowed, with a to-many inverse", old: Models.toMany("works", "Art", "albums"),
      new: Models.toMany("works", "Painting", "albums"), inverse: Models.toMany("albums", "Album", "works"),
      permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#),
    Shape(
      description: "to-many, narrowed, without an inverse", old: Models.toMany("works", "Art"),
      new: Models.toMany("works", "Painting"), permission: #"<relationship name="works" mapping="PaintingToPainting"/>"#
    ),
    Shape(
      description: "to-one, to an unrelated entity", old: Models.toOne("works", "Photo"),
      new: Models.toOne("works", "Frame"), permission: #"<relationship name="works" copy="no"/>"#),
    Shape(
      description: "to-many, to an unrelated entity", old: Models.toMany("works", "Photo"),
      new: Models.toMany("works", "Frame"), permission: #"<relationship name="works" copy="no"/>"#),
    Shape(
      description: "to-many, to an unrelated entity, with an inverse", old: Models.toMany("works", "Photo", "albums"),
      new: Models.toMany("works", "Frame", "albums"), inverse: Models.toMany("albums", "Album", "works"),
      holders: ("Photo", "Frame"), permission: #"<relationship name="works" copy="no"/>"#),
  ]

  private static func model(
    _ name: String, _ works: RelationshipDescription, _ inverse: RelationshipDescription?, of holder: String
  ) -> ManagedObjectModel {
    var model = ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(name: "Album", relationships: [works]), EntityDescription(name: "Art"),
        EntityDescription(name: "Painting", superentityName: "Art"),
        EntityDescription(name: "Photo", superentityName: "Art"), EntityDescription(name: "Frame"),
      ])
    for place in model.entities.indices where model.entities[place].name == holder {
      model.entities[place].relationships += [inverse].compactMap(\.self)
    }
    return model
  }

  private static func models(_ shape: Shape) -> [ManagedObjectModel] {
    [
      model("1", shape.old, shape.inverse, of: shape.holders.old),
      model("2", shape.new, shape.inverse, of: shape.holders.new),
    ]
  }

  private static func fill(_ context: ManagedObjectContext, _ shape: Shape, with entities: [String]) throws {
    for entity in ["Painting", "Photo", "Frame"] { _ = try context.insert(entity) }
    for entity in entities {
      let (album, work) = (try context.insert("Album"), try context.insert(entity))
      if shape.old.isToMany { album[toMany: "works"] = [work] } else { album[toOne: "works"] = work }
    }
    _ = try context.insert("Album")
  }

  enum Mode: CaseIterable, Sendable {
    case sql, objects, kept, composed, inPlace
  }

  /// Migrates a store by inference, or with a mapping. Returns all links of the result, or the error.
  private static func outcome(
    _ shape: Shape, _ mode: Mode, with entities: [String], mapping: MappingModel? = nil, damage: String = ""
  ) throws -> String {
    let folder = try TemporaryFolder()
    let url = folder.appending("Albums.sqlite")
    var models = models(shape)
    if mode == .composed {
      // The same version again: the changed relationship is in a hop that becomes one with the next.
      var third = models[1]
      third.name = "3"
      for place in third.entities.indices { third.entities[place].versionHashModifier = "3" }
      models.append(third)
    }
    let store = try PersistentStore.create(at: url, model: models[0])
    let context = ManagedObjectContext(store: store)
    try fill(context, shape, with: entities)
    try context.save()
    try store.database.execute(damage)
    try store.close()
    let before = try Data(contentsOf: url)
    var options = MigrationOptions()
    options.forcesObjects = mode == .objects
    options.keeping = mode == .kept ? .always : .never
    let files = mapping.map { [MappingCandidate(file: "1-2.xml", mappingModel: $0)] } ?? []
    let manager = IncrementalMigrationManager(
      models: models,
      mappings: MappingSearch(files),
      infersMissingMappings: true,
      execution: MappingHopExecution(options: options))
    let how = IncrementalMigrationOptions(mode: mode == .inPlace ? .inPlace : .copy)
    do {
      let report = try manager.migrate(url, options: how)
      if mode == .composed, mapping == nil { #expect(report.hops.count == 1) }
    } catch {
      #expect(try Data(contentsOf: url) == before)
      return (error.underlying as? HopError)?.description ?? "\(error)"
    }
    let last = models[models.count - 1]
    let new = try PersistentStore(url: url, models: [last], mode: .readOnly)
    defer { try? new.close() }
    let result = ManagedObjectContext(store: new)
    return try result.fetch(FetchRequest(entityName: "Album")).map { album in
      let works = shape.new.isToMany ? Array(album[toMany: "works"]) : [album[toOne: "works"]].compactMap(\.self)
      return try works.map { work in
        if shape.inverse?.isToMany == true { try #require(work[toMany: "albums"].contains(album)) }
        return "\(work)"
      }.joined(separator: ",")
    }.joined(separator: " ")
  }

  @Test(arguments: shapes.filter { $0.new.destinationEntityName == "Painting" }, Mode.allCases)
  func `links are kept if all of them fit`(shape: Shape, mode: Mode) throws {
    let links = try Self.outcome(shape, mode, with: ["Painting", "Painting"])
    #expect(links == "Painting/p3 Painting/p4 ")
  }

  @Test(arguments: shapes, Mode.allCases)
  func `without links, a relationship can lead anywhere`(shape: Shape, mode: Mode) throws {
    let links = try Self.outcome(shape, mode, with: [])
    #expect(links == "")
  }

  @Test(arguments: shapes, Mode.allCases)
  func `links that do not fit are refused with their number, in all modes`(shape: Shape, mode: Mode) throws {
    let isNarrowed = shape.new.destinationEntityName == "Painting"
    let message = try Self.outcome(
      shape, mode, with: isNarrowed ? ["Painting", "Photo", "Photo"] : ["Photo", "Photo"])
    let wanted = shape.new.destinationEntityName ?? ""
    #expect(message.hasPrefix("error[migration.134110]: 2 links of relationship '"), "\(message)")
    #expect(
      message.contains(
        "' would be lost: 'Album.works' of the new version leads to '\(wanted)' objects, which the linked objects do not "
          + "become"), "\(message)")
    #expect(
      message.contains(
        "to drop them, write '\(shape.permission ?? "")' in the entity mapping from 'Album' to 'Album' of a mapping file; to "
          + "keep them, write a mapping file that creates '\(wanted)' objects from these objects, or link the right objects "
          + "in a handler of a custom stage"), "\(message)")
  }

  @Test(arguments: shapes, [Mode.sql, .objects, .kept, .composed])
  func `the remedy drops the links that do not fit, and no others`(shape: Shape, mode: Mode) throws {
    let isNarrowed = shape.new.destinationEntityName == "Painting"
    let works = PropertyMappingDescription(
      .relationship, name: "works", source: isNarrowed ? .related(from: nil, through: "PaintingToPainting") : .unmapped)
    let mapping = MappingModel(
      source: ModelReference(name: "1"), destination: ModelReference(name: "2"),
      entityMappings: [EntityMappingDescription(source: "Album", destination: "Album", properties: [works])])
    let entities = isNarrowed ? ["Painting", "Photo"] : ["Photo", "Photo"]
    let links = try Self.outcome(shape, mode, with: entities, mapping: mapping)
    #expect(links == (isNarrowed ? "Painting/p3  " : "  "))
  }

  @Test func `a plan refuses such links, too`() throws {
    let shape = Self.shapes[0]
    let models = Self.models(shape)
    let test = try MigrationTest(from: models[0], to: models[1]) { try Self.fill($0, shape, with: ["Photo"]) }
    let mapping = try MappingModel.inferred(from: models[0], to: models[1])
    #expect(
      test.failure { _ = try test.manager.plan(from: test.source, with: [mapping]) }?.description == """
        error[migration.134110]: 1 link of relationship 'Album.works' would be lost: 'Album.works' of the new version \
        leads to 'Painting' objects, which the linked object does not become
          to drop them, write '<relationship name="works" mapping="PaintingToPainting"/>' in the entity mapping from \
        'Album' to 'Album' of a mapping file; to keep them, write a mapping file that creates 'Painting' objects from \
        these objects, or link the right objects in a handler of a custom stage
        """)
  }

  @Test func `all relationships with such links are reported together`() throws {
    func model(_ first: String, _ second: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Album", relationships: [Models.toOne("cover", first), Models.toOne("extra", second)]),
        EntityDescription(name: "Frame"), EntityDescription(name: "Photo"),
      ])
    }
    let (old, new) = (model("Photo", "Frame"), model("Frame", "Photo"))
    let test = try MigrationTest(from: old, to: new) { context in
      for _ in 0..<2 { try context.insert("Album")[toOne: "cover"] = context.insert("Photo") }
      try context.insert("Album")[toOne: "extra"] = context.insert("Frame")
    }
    #expect(
      test.failure { try test.migrate(.inferred(from: old, to: new)) }?.description == """
        error[migration.134110]: 2 links of relationship 'Album.cover' would be lost: 'Album.cover' of the new version \
        leads to 'Frame' objects, which the linked objects do not become; 1 link of relationship 'Album.extra' would be \
        lost: 'Album.extra' of the new version leads to 'Photo' objects, which the linked object does not become
          to drop them, write '<relationship name="cover" copy="no"/>' in the entity mapping from 'Album' to 'Album' of a \
        mapping file, and '<relationship name="extra" copy="no"/>' in the entity mapping from 'Album' to 'Album' of a \
        mapping file; to keep them, write a mapping file that creates 'Frame' and 'Photo' objects from these objects, or \
        link the right objects in a handler of a custom stage
        """)
  }

  /// The key of a missing object of the old entity must not become a link to an object of the new one.
  @Test(arguments: Mode.allCases) func `a link to a missing object does not become one to another object`(mode: Mode)
    throws
  {
    let damage = "UPDATE ZALBUM SET ZWORKS = 1; DELETE FROM ZART WHERE Z_PK = 1"
    let links = try Self.outcome(Self.shapes[6], mode, with: [], damage: damage)
    #expect(links == "")
  }

  @Test(arguments: [Mode.sql, .objects]) func `an entity mapping can permit losses where several others fit`(mode: Mode)
    throws
  {
    let shape = Shape(
      description: "several", old: Models.toOne("works", "Art"), new: Models.toOne("works", "Picture"))
    func model(_ name: String, _ works: RelationshipDescription) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name,
        entities: [
          EntityDescription(name: "Album", relationships: [works]), EntityDescription(name: "Art", isAbstract: true),
          EntityDescription(name: "Bust", superentityName: "Art"),
          EntityDescription(name: "Painting", superentityName: "Picture"),
          EntityDescription(name: "Photo", superentityName: "Picture"),
          EntityDescription(name: "Picture", isAbstract: true, superentityName: "Art"),
        ])
    }
    let (old, new) = (model("1", shape.old), model("2", shape.new))
    func test() throws -> MigrationTest {
      try MigrationTest(from: old, to: new) { context in
        for entity in ["Bust", "Painting", "Photo"] {
          try context.insert("Album")[toOne: "works"] = context.insert(entity)
        }
      }
    }
    var options = MigrationOptions()
    options.forcesObjects = mode == .objects
    let inferred = try test()
    let message = inferred.failure { try inferred.migrate(.inferred(from: old, to: new), options: options) }?
      .description
    #expect(
      message?.contains("'losses=\"intended\"' in the entity mapping from 'Album' to 'Album'") == true,
      "\(message ?? "")")
    let written = try test()
    let mapping = EntityMappingDescription(source: "Album", destination: "Album", intendsLosses: true)
    let report = try written.migrate(MappingModel(entityMappings: [mapping]), options: options)
    #expect(LinkReconciliationTests.text(report.links) == ["Album.works 3: 2 carried, 1 dropped"])
    let lines = try written.lines("Album", "works")
    #expect(
      lines == ["Album/p1 works=nil", "Album/p2 works=Painting/p2", "Album/p3 works=Photo/p3"])
  }

  /// A removed object takes its links along.
  @Test(arguments: Mode.allCases) func `links to objects of a removed entity go with them`(mode: Mode) throws {
    var shape = Self.shapes[6]
    shape.old.destinationEntityName = "Painting"
    let folder = try TemporaryFolder()
    var (old, new) = (Self.models(shape)[0], Self.models(shape)[1])
    new.entities.removeAll { $0.name == "Painting" }
    (old.name, new.name) = ("1", "2")
    let url = folder.appending("Albums.sqlite")
    let store = try PersistentStore.create(at: url, model: old)
    let context = ManagedObjectContext(store: store)
    try Self.fill(context, shape, with: ["Painting", "Painting"])
    try context.save()
    try store.close()
    var options = MigrationOptions()
    options.forcesObjects = mode == .objects
    let manager = IncrementalMigrationManager(
      models: [old, new], infersMissingMappings: true, execution: MappingHopExecution(options: options))
    let report = try manager.migrate(url, options: .init(mode: mode == .inPlace ? .inPlace : .copy))
    #expect(
      LinkReconciliationTests.text(report.hops[0].report?.links ?? []) == ["Album.works 2: 2 dropped"])
  }
}
