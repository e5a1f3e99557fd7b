import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftEngine

/// Links between objects made from one source object, if the plan may know in advance that both exist.
@Suite struct SplitLinkTests {
  private static let old = ManagedObjectModel(entities: [
    EntityDescription(name: "Song", attributes: [Models.attribute("number", .integer64)])
  ])

  private static let new = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Song", attributes: [Models.attribute("number", .integer64)],
      relationships: [Models.toOne("cover", "Cover", "song")]),
    EntityDescription(
      name: "Cover", attributes: [Models.attribute("number", .integer64)],
      relationships: [Models.toOne("song", "Song", "cover")]),
  ])

  private static func filter(_ text: String?) throws -> MappingPredicate? {
    try text.map { try MappingPredicate(parsing: $0) }
  }

  @Test(
    arguments: [
      (nil, nil, ["p1", "p2", "p3"]), ("number > 1", "number > 1", ["nil", "p2", "p3"]),
      (nil, "number > 1", ["nil", "p2", "p3"]), ("number > 1", "number > 2", ["nil", "nil", "p3"]),
      ("number > 1", "number < 2", ["nil", "nil", "nil"]),
    ] as [(String?, String?, [String])])
  func `no link leads to a half that a filter skips`(
    songs: String?, covers: String?, targets: [String]
  ) throws {
    let test = try MigrationTest(from: Self.old, to: Self.new) { context in
      for number in 1...3 { try context.insert("Song")["number"] = .integer(Int64(number)) }
    }
    let mapping = MappingModel(
      copying: .everything,
      entityMappings: [
        EntityMappingDescription(
          source: "Song", destination: "Song", filter: try Self.filter(songs),
          properties: [
            .relationship("cover", from: try MappingExpression(parsing: "$source"), through: "SongToCover")
          ]),
        EntityMappingDescription(
          source: "Song", destination: "Cover", filter: try Self.filter(covers),
          properties: [.relationship("song", from: try MappingExpression(parsing: "$source"), through: "SongToSong")]),
      ])
    let steps = try test.manager.plan(from: test.source, with: [mapping]).steps
    #expect(steps.map(\.rows) == [.sql, .sql])
    #expect(steps.map { $0.rowRelationships.map(\.name) } == [["cover"], ["song"]])
    try test.migrate(mapping)
    let found = try test.lines("Song", "cover")
    let expected = targets.enumerated().filter { songs == nil || $0.offset > 0 }.map { place, target in
      "Song/p\(place + 1) cover=\(target == "nil" ? target : "Cover/\(target)")"
    }
    #expect(found == expected)
  }

  @Test func `a link leads to a half with shifted keys`() throws {
    var old = Self.old
    old.entities.append(EntityDescription(name: "Picture", attributes: [Models.attribute("number", .integer64)]))
    let test = try MigrationTest(from: old, to: Self.new) { context in
      for number in 1...3 { try context.insert("Song")["number"] = .integer(Int64(number)) }
      for number in 7...8 { try context.insert("Picture")["number"] = .integer(Int64(number)) }
    }
    let mapping = MappingModel(
      copying: .everything,
      entityMappings: [
        EntityMappingDescription(
          source: "Picture", destination: "Cover",
          properties: [PropertyMappingDescription(.relationship, name: "song", source: .unmapped)]),
        EntityMappingDescription(
          source: "Song", destination: "Song",
          properties: [
            .relationship("cover", from: try MappingExpression(parsing: "$source"), through: "SongToCover")
          ]),
        EntityMappingDescription(
          source: "Song", destination: "Cover",
          properties: [.relationship("song", from: try MappingExpression(parsing: "$source"), through: "SongToSong")]),
      ])
    let steps = try test.manager.plan(from: test.source, with: [mapping]).steps
    #expect(steps.map(\.rows) == [.sql, .sql, .sql])
    #expect(steps.map(\.keyOffset) == [0, 0, 2])
    #expect(steps.map { $0.rowRelationships.map(\.name) } == [[], ["cover"], ["song"]])
    try test.migrate(mapping)
    #expect(
      try test.lines("Song", "cover") == ["Song/p1 cover=Cover/p3", "Song/p2 cover=Cover/p4", "Song/p3 cover=Cover/p5"])
    #expect(
      try test.lines("Cover", "number", "song") == [
        "Cover/p1 number=7 song=nil", "Cover/p2 number=8 song=nil", "Cover/p3 number=1 song=Song/p1",
        "Cover/p4 number=2 song=Song/p2", "Cover/p5 number=3 song=Song/p3",
      ])
  }
}
