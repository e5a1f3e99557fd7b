import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Links of a damaged store with keys that are not integers.
extension LinkReconciliationTests {
  @Test(arguments: [
    ("UPDATE ZTRACK SET ZALBUM = x'31' WHERE Z_PK = 5", "a blob", "column ZALBUM of table ZTRACK", "Z_PK = 5"),
    (
      "UPDATE ZTRACK SET ZALBUM = 1.5 WHERE Z_PK = 5", "a floating-point number", "column ZALBUM of table ZTRACK",
      "Z_PK = 5"
    ),
    ("UPDATE ZTRACK SET ZALBUM = '1x' WHERE Z_PK = 5", "text", "column ZALBUM of table ZTRACK", "Z_PK = 5"),
    (
      "UPDATE Z_2TRACKS SET Z_3TRACKS = x'31' WHERE Z_3TRACKS = 5", "a blob", "column Z_3TRACKS of table Z_2TRACKS",
      "Z_2TAGS = 1"
    ),
    // As many links as before would be migrated, but another one.
    (
      """
      DELETE FROM Z_2TRACKS WHERE Z_2TAGS = 2 AND Z_3TRACKS = 6;
      UPDATE Z_2TRACKS SET Z_3TRACKS = x'36' WHERE Z_2TAGS = 2 AND Z_3TRACKS = 5
      """, "a blob", "column Z_3TRACKS of table Z_2TRACKS", "Z_2TAGS = 2"
    ),
    (
      """
      DELETE FROM Z_2TRACKS WHERE Z_2TAGS = 2 AND Z_3TRACKS = 6;
      UPDATE Z_2TRACKS SET Z_3TRACKS = 6.5 WHERE Z_2TAGS = 2 AND Z_3TRACKS = 5
      """, "a floating-point number", "column Z_3TRACKS of table Z_2TRACKS", "Z_2TAGS = 2"
    ),
  ])
  func `a link's key that is not an integer is not read as another object's`(
    damage: String, found: String, place: String, row: String
  ) throws {
    let test = try MigrationTest(from: Self.model, to: Self.model, fill: Self.fill)
    try Database(path: test.source.path, mode: .readWrite).execute(damage)
    let error = #expect(throws: (any Error).self) { try test.migrate(MappingModel(entityMappings: [])) }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("holds \(found) where the key of an object is expected: \(place)"))
    #expect(message.contains("WHERE \(row)"))
  }

  @Test(arguments: ["1.5", "'1x'", "x'31'"])
  func `a statement that sets an ordered relationship reads no other value as a key`(value: String) throws {
    var model = Self.model
    model.edit("Album") { $0.relationships[0].isOrdered = true }
    let test = try MigrationTest(from: model, to: model, fill: Self.fill)
    try Database(path: test.source.path, mode: .readWrite).execute("UPDATE ZTRACK SET ZALBUM = \(value) WHERE Z_PK = 5")
    let error = #expect(throws: (any Error).self) { try test.migrate(MappingModel(entityMappings: [])) }
    #expect(error.map { "\($0)" }?.contains("column ZALBUM of table ZTRACK") == true)
  }

  @Test
  func `a key that is not an integer is no mistake if its relationship is dropped, unless an expression reads it`()
    throws
  {
    let damage = "UPDATE Z_2TRACKS SET Z_3TRACKS = x'31' WHERE Z_3TRACKS = 5"
    var new = Self.model
    for (entity, name) in [("Track", "tags"), ("Tag", "tracks")] {
      new.edit(entity) { $0.relationships.removeAll { $0.name == name } }
    }
    let dropping = [("Track", "tags"), ("Tag", "tracks")].map { entity, name in
      EntityMappingDescription(source: entity, destination: entity, drops: [DroppedProperty(name)])
    }
    let test = try MigrationTest(from: Self.model, to: new, fill: Self.fill)
    try Database(path: test.source.path, mode: .readWrite).execute(damage)
    let links = try test.migrate(MappingModel(entityMappings: dropping)).links
    #expect(Self.text(links).contains("Tag.tracks 12: 10 dropped, 2 dangling"), "\(Self.text(links))")
    let error = #expect(throws: (any Error).self) { try Self.links(Self.replacing(), changingBy: damage) }
    #expect(error.map { "\($0)" }?.contains("holds a blob where the key of an object is expected") == true)
  }
}
