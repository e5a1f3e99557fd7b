import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Differences that the verifier must not overlook, and one that it must not report.
struct OverlookedDifferenceTests {
  private static let old = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer64)],
        relationships: [Models.toMany("tracks", "Track", "albums")]),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toMany("albums", "Album", "tracks")]),
    ])

  /// A track has one album, and a new relationship that no mapping sets.
  private static let new = ManagedObjectModel(
    name: "2",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer64)],
        relationships: [Models.toMany("tracks", "Track", "album"), Models.toMany("favorites", "Track", "fan")]),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toOne("album", "Album", "tracks"), Models.toOne("fan", "Album", "favorites")]),
    ])

  private static let mapping = MappingModel(entityMappings: [
    EntityMappingDescription(
      source: "Album", destination: "Album",
      properties: [
        PropertyMappingDescription(
          .relationship, name: "tracks", source: .related(from: .source(key: "tracks"), through: "TrackToTrack"),
          leavesSharedToLast: true)
      ]),
    EntityMappingDescription(
      source: "Track", destination: "Track",
      properties: [
        PropertyMappingDescription(.relationship, name: "album", source: .unmapped),
        PropertyMappingDescription(.relationship, name: "fan", source: .unmapped),
      ]),
  ])

  /// A track does not know its album.
  private static let newWithoutInverse = ManagedObjectModel(
    name: "3",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer64)],
        relationships: [Models.toMany("tracks", "Track")]),
      EntityDescription(name: "Track", attributes: [Models.attribute("title", .string)]),
    ])

  private static let mappingWithoutInverse = MappingModel(entityMappings: [
    mapping.entityMappings[0], EntityMappingDescription(source: "Track", destination: "Track"),
  ])

  /// Migrates two albums that share a track, and changes the new store.
  private func verify(
    after change: String = "SELECT 1", stride: Int = 1, to new: ManagedObjectModel = new,
    mapping: MappingModel = mapping
  ) throws -> VerificationReport {
    let test = try MigrationTest(from: Self.old, to: new) { context in
      let tracks = try ["a", "b", "c"].map { title in
        let track = try context.insert("Track")
        track["title"] = .string(title)
        return track
      }
      for (year, own) in [(1, [0, 1]), (2, [1, 2])] {
        let album = try context.insert("Album")
        album["year"] = .integer(Int64(year))
        album[toMany: "tracks"] = own.map { tracks[$0] }
      }
    }
    try test.migrate(mapping)
    try Database(path: test.destination.path, mode: .readWrite).execute(change)
    let (old, new) = try test.bothStores()
    var verifier = StoreVerifier(source: old, destination: new, mappings: [mapping])
    verifier.stride = stride
    return try verifier.verify()
  }

  @Test func `a target that the last of several objects has taken is as declared`() throws {
    let report = try verify()
    #expect(report.differences == 0, "\(report.examples)")
    // The first album has it instead, which the mapping does not say.
    #expect(try verify(after: "UPDATE ZTRACK SET ZALBUM = 1 WHERE ZTITLE = 'b'").differences > 0)
    #expect(try verify(after: "UPDATE ZTRACK SET ZALBUM = NULL WHERE ZTITLE = 'b'").differences > 0)
  }

  @Test func `without an inverse, a target that the last of several objects has taken is as declared, too`() throws {
    func verify(after change: String = "SELECT 1") throws -> VerificationReport {
      try self.verify(after: change, to: Self.newWithoutInverse, mapping: Self.mappingWithoutInverse)
    }
    let report = try verify()
    #expect(report.differences == 0, "\(report.examples)")
    #expect(try verify(after: "UPDATE ZTRACK SET Z1TRACKS = 1 WHERE ZTITLE = 'b'").differences > 0)
    #expect(try verify(after: "UPDATE ZTRACK SET Z1TRACKS = NULL WHERE ZTITLE = 'b'").differences > 0)
  }

  @Test func `a link of a relationship that no mapping sets is a difference`() throws {
    let report = try verify(after: "UPDATE ZTRACK SET ZFAN = 2 WHERE ZTITLE = 'c'")
    #expect(report.differences > 0)
    #expect(report.examples.contains { $0.propertyName == "fan" || $0.propertyName == "favorites" })
  }

  @Test(arguments: [(AttributeType.double, "$source.a / $source.a"), (.date, "CAST($source.a / $source.a, 'NSDate')")])
  func `a value that is not a number is null, as declared`(type: AttributeType, expression: String) throws {
    let number = Models.attribute("a", .double)
    let test = try MigrationTest(
      from: ManagedObjectModel(name: "1", entities: [EntityDescription(name: "Row", attributes: [number])]),
      to: ManagedObjectModel(
        name: "2", entities: [EntityDescription(name: "Row", attributes: [number, Models.attribute("b", type)])])
    ) { try $0.insert("Row")["a"] = .double(0) }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Row", destination: "Row", properties: [.attribute("b", try MappingExpression(parsing: expression))])
    ])
    try test.migrate(mapping)
    #expect(try test.lines("Row", "b") == ["Row/p1 b=nil"])
    let (old, new) = try test.bothStores()
    let report = try StoreVerifier(source: old, destination: new, mappings: [mapping]).verify()
    #expect(report.differences == 0, "\(report.examples)")
  }

  @Test func `of each entity, a sample has at least one object`() throws {
    #expect(try verify(after: "UPDATE ZALBUM SET ZYEAR = 7 WHERE Z_PK = 1", stride: 50).differences > 0)
    #expect(try verify(after: "UPDATE ZALBUM SET ZYEAR = 7 WHERE Z_PK = 2", stride: 50).differences == 0)
  }

  @Test(arguments: ["SELECT 1", "UPDATE ZTRACK SET ZCITY = 'Oslo'"])
  func `a composite with a new element is as declared if the element is nil`(change: String) throws {
    func model(_ elements: String...) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Track",
            attributes: [AttributeDescription(name: "place", type: .composite, compositeName: "Place")])
        ],
        composites: [CompositeDescription(name: "Place", elements: elements.map { Models.attribute($0, .string) })])
    }
    let test = try MigrationTest(from: model("zip"), to: model("city", "zip")) { context in
      try context.insert("Track")["place"] = .composite(["zip": "5"])
    }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(
        source: "Track", destination: "Track",
        properties: [.attribute("place", try MappingExpression(parsing: "$source.place"))])
    ])
    try test.migrate(mapping)
    try Database(path: test.destination.path, mode: .readWrite).execute(change)
    let (old, new) = try test.bothStores()
    let report = try StoreVerifier(source: old, destination: new, mappings: [mapping]).verify()
    #expect(report.differences == (change == "SELECT 1" ? 0 : 1), "\(report.examples)")
  }
}
