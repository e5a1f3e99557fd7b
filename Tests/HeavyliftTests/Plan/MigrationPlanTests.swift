import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

@Suite struct MigrationPlanTests {
  private final class LookOn: EntityMigrationPolicy {}

  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          Models.attribute("title", .string), Models.attribute("seconds", .double),
          AttributeDescription(name: "cover", type: .binaryData, allowsExternalBinaryDataStorage: true),
        ],
        relationships: [Models.toOne("artist", "Artist", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
      EntityDescription(
        name: "Artist", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("tracks", "Track", "artist")]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("tracks", "Track", "tags")]),
    ])

  private func test(_ registry: PolicyRegistry = PolicyRegistry()) throws -> MigrationTest {
    var new = Self.model
    for place in new.entities.indices where new.entities[place].name == "Track" {
      new.entities[place].attributes.append(Models.attribute("short", .string))
    }
    return try MigrationTest(from: Self.model, to: new, policies: registry) { context in
      let artist = try context.insert("Artist")
      for title in ["a", "b"] {
        let track = try context.insert("Track")
        track["title"] = .string(title)
        try track.setObject(artist, forKey: "artist")
      }
    }
  }

  private func mapping(policy: String? = nil, cover: Bool = false) throws -> MappingModel {
    var properties: [PropertyMappingDescription] = [
      .attribute("short", try MappingExpression(parsing: "uppercase:($source.title)"))
    ]
    // No statement reads a value that may be in a file: it is copied as it is, or objects read it.
    properties.append(
      cover
        ? .attribute("cover", try MappingExpression(parsing: "TERNARY($source.title == nil, nil, $source.cover)"))
        : PropertyMappingDescription(.attribute, name: "cover", source: .unmapped))
    return MappingModel(entityMappings: [
      EntityMappingDescription(source: "Track", destination: "Track", properties: properties),
      EntityMappingDescription(source: "Artist", destination: "Artist", policy: policy),
      EntityMappingDescription(source: "Tag", destination: "Tag"),
    ])
  }

  private func text(_ plan: MigrationPlan) -> String {
    "\(plan)".split(separator: "\n").dropLast(2).joined(separator: "\n")
  }

  @Test func `a fully declared migration runs in SQL, and the plan says so`() throws {
    let test = try test()
    let plan = try test.manager.plan(from: test.source, with: [mapping()])
    #expect(
      text(plan) == """
        TrackToTrack: Track -> Track, 2 objects
          keys: kept
          rows: sql with functions
          relationships: sql
        ArtistToArtist: Artist -> Artist, 1 object
          keys: kept
          rows: sql
          relationships: sql
        TagToTag: Tag -> Tag, 0 objects
          keys: kept
          rows: sql
          relationships: sql
        """)
    #expect(try test.files().filter { !$0.hasPrefix("old") } == [])
    try test.migrate(mapping())
    #expect(
      try test.lines("Track", "title", "short", "artist")
        == ["Track/p1 title=a short=A artist=Artist/p1", "Track/p2 title=b short=B artist=Artist/p1"])
  }

  @Test func `steps that need objects are listed with their reasons`() throws {
    let test = try test(PolicyRegistry(LookOn.self))
    let name = try #require(PolicyRegistry(LookOn.self).names.first)
    let plan = try test.manager.plan(from: test.source, with: [mapping(policy: name, cover: true)])
    #expect(plan.steps.map(\.rows) == [.objects, .objects, .sql])
    #expect(plan.steps.map(\.relationships) == [.sql, .objects, .sql])
    #expect(plan.steps[0].rowReasons.map(\.description) == ["'cover': attribute 'cover' may be stored in a file"])
    #expect(plan.steps[1].rowReasons.map(\.description) == ["policy '\(name)' works with objects"])
    #expect(plan.steps.map(\.relationshipsBySQL) == [["artist", "tags"], [], ["tracks"]])
    #expect(plan.steps[1].relationshipReasons.map(\.description) == ["policy '\(name)' works with objects"])
    #expect(plan.steps.map(\.recordsAssociations) == [false, true, false])
  }

  @Test func `links to migrated objects need no look-up, unless a policy may see them or one leads nowhere`() throws {
    let test = try test(PolicyRegistry(LookOn.self))
    let name = try #require(PolicyRegistry(LookOn.self).names.first)
    func needsLookUp(policy: String? = nil) throws -> [Bool] {
      let plan = try test.manager.plan(from: test.source, with: [mapping(policy: policy)])
      return plan.steps[0].rowRelationships.map(\.needsLookUp)
    }
    #expect(try needsLookUp() == [false])
    #expect(try needsLookUp(policy: name) == [true])
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.run("UPDATE ZTRACK SET ZARTIST = 9 WHERE Z_PK = 2")
    try database.close()
    #expect(try needsLookUp() == [true])
  }

  @Test func `the plan can be forced to use objects`() throws {
    let test = try test()
    var options = MigrationOptions()
    options.forcesObjects = true
    let plan = try test.manager.plan(from: test.source, with: [mapping()], options: options)
    #expect(plan.steps.map(\.rows) == [.objects, .objects, .objects])
    #expect(plan.steps[0].rowReasons.map(\.description) == ["object-by-object migration was requested"])
  }

  @Test func `a row that does not match its model is left to objects, which report it`() throws {
    let test = try test()
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.run("UPDATE ZTRACK SET ZTITLE = x'00' WHERE Z_PK = 2")
    try database.close()
    let plan = try test.manager.plan(from: test.source, with: [mapping()])
    #expect(
      plan.steps[0].rowReasons.map(\.description) == ["object 2 has a value or a key that SQL cannot copy unchanged"])
    let error = test.failure { try test.migrate(self.mapping()) }
    #expect(error?.problem.contains("ZTITLE") == true, "\(error.map { "\($0)" } ?? "")")
  }

  private static let everyType: [AttributeType] = [
    .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri, .uuid, .binaryData,
    .transformable,
  ]

  /// The values that a survey accepts in a column of an attribute type.
  private static func fitting(_ type: AttributeType) -> [String] {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: ["NULL", "1"]
    case .double, .float, .decimal, .date: ["NULL", "1", "1.5"]
    case .string, .uri: ["NULL", "'x'"]
    case .uuid: ["NULL", "zeroblob(16)"]
    default: ["NULL", "zeroblob(16)", "x'00'"]
    }
  }

  @Test(arguments: everyType)
  func `a survey detects a column with a value of another type`(type: AttributeType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          Models.attribute("first", .string), Models.attribute("odd", type), Models.attribute("z", .integer16),
        ])
    ])
    let test = try MigrationTest(from: model, to: model) { context in
      for _ in 0..<3 { _ = try context.insert("Thing") }
    }
    let database = try Database(path: test.source.path, mode: .readWrite)
    // A column without a type stores every value unconverted.
    try database.execute(
      "ALTER TABLE ZTHING RENAME COLUMN ZODD TO ZEVEN; ALTER TABLE ZTHING ADD COLUMN ZODD; PRAGMA synchronous = OFF")
    let mapping = MappingModel(
      entityMappings: [EntityMappingDescription(source: "Thing", destination: "Thing")])
    for value in ["NULL", "1", "1.5", "'x'", "x'00'", "zeroblob(16)"] {
      try database.execute("UPDATE ZTHING SET ZODD = \(value) WHERE Z_PK = 2")
      let reasons = try test.manager.plan(from: test.source, with: [mapping]).steps[0].rowReasons.map(\.description)
      let isFit = Self.fitting(type).contains(value)
      #expect(reasons == (isFit ? [] : ["object 2 has a value or a key that SQL cannot copy unchanged"]), "\(value)")
    }
    try database.close()
  }

  @Test func `a survey reads every one of many columns`() throws {
    let names = (0..<250).map { "a\($0)" }
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Thing", attributes: names.map { Models.attribute($0, .string) })
    ])
    let test = try MigrationTest(from: model, to: model) { _ = try $0.insert("Thing") }
    let mapping = MappingModel(
      entityMappings: [EntityMappingDescription(source: "Thing", destination: "Thing")])
    func strategy() throws -> MigrationPlan.Strategy {
      try test.manager.plan(from: test.source, with: [mapping]).steps[0].rows
    }
    #expect(try strategy() == .sql)
    for name in [names[0], names[124], names[249]] {
      for (value, expected) in [("x'00'", MigrationPlan.Strategy.objects), ("NULL", .sql)] {
        let database = try Database(path: test.source.path, mode: .readWrite)
        try database.run("UPDATE ZTHING SET Z\(name.uppercased()) = \(value)")
        try database.close()
        #expect(try strategy() == expected, "\(name) \(value)")
      }
    }
  }

  @Test func `rows that are only in the source's write-ahead log are migrated`() throws {
    let test = try test()
    let writer = try Database(path: test.source.path, mode: .readWrite)
    try writer.run("UPDATE ZTRACK SET ZTITLE = 'new' WHERE Z_PK = 2")
    try test.migrate(mapping())
    #expect(try test.lines("Track", "short") == ["Track/p1 short=A", "Track/p2 short=NEW"])
    try writer.close()
  }

  @Test func `each end of a one-to-one keeps its links, even if they contradict each other`() throws {
    let model = ManagedObjectModel(
      name: "Pairs",
      entities: [
        EntityDescription(name: "Left", relationships: [Models.toOne("right", "Right", "left")]),
        EntityDescription(name: "Right", relationships: [Models.toOne("left", "Left", "right")]),
      ])
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Left", destination: "Left"),
      EntityMappingDescription(source: "Right", destination: "Right"),
    ])
    let test = try MigrationTest(from: model, to: model) { context in
      for _ in 0..<2 {
        let left = try context.insert("Left")
        try left.setObject(context.insert("Right"), forKey: "right")
      }
    }
    #expect(try test.manager.plan(from: test.source, with: [mapping]).steps.map(\.relationships) == [.sql, .sql])
    let database = try Database(path: test.source.path, mode: .readWrite)
    try database.run("UPDATE ZLEFT SET ZRIGHT = 1 WHERE Z_PK = 2")
    try database.close()
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.steps.map { $0.rowRelationships.map(\.name) } == [["right"], ["left"]])
    try test.migrate(mapping)
    #expect(try test.lines("Left", "right") == ["Left/p1 right=Right/p1", "Left/p2 right=Right/p1"])
    #expect(try test.lines("Right", "left") == ["Right/p1 left=Left/p1", "Right/p2 left=Left/p2"])
  }

  @Test func `links to objects that are created one by one are written with the rows`() throws {
    let model = ManagedObjectModel(
      name: "OneWay",
      entities: [
        EntityDescription(name: "Page", relationships: [Models.toOne("image", "Image")]),
        EntityDescription(
          name: "Image",
          attributes: [AttributeDescription(name: "data", type: .binaryData, allowsExternalBinaryDataStorage: true)]),
      ])
    let test = try MigrationTest(from: model, to: model) { context in
      try context.insert("Page").setObject(context.insert("Image"), forKey: "image")
    }
    let mapping = MappingModel(entityMappings: [
      EntityMappingDescription(source: "Page", destination: "Page"),
      EntityMappingDescription(
        source: "Image", destination: "Image",
        properties: [.attribute("data", try MappingExpression(parsing: "TERNARY(1 == 1, $source.data, nil)"))]),
    ])
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.steps.map(\.rows) == [.sql, .objects])
    #expect(plan.steps[0].relationships == .sql)
    #expect(plan.steps[0].rowRelationships.map(\.name) == ["image"])
    try test.migrate(mapping)
    #expect(try test.lines("Page", "image") == ["Page/p1 image=Image/p1"])
  }
}
