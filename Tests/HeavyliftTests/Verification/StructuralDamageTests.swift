import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Damage to the structure of the new store, made with SQL.
struct StructuralDamageTests {
  private static let model = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("year", .integer64)],
        relationships: [
          Models.toOne("cover", "Cover", "album"), Models.toOne("owner", "Person"),
          Models.toMany("tags", "Tag", "albums"),
        ]),
      EntityDescription(name: "Cover", relationships: [Models.toOne("album", "Album", "cover")]),
      EntityDescription(name: "Person", attributes: [Models.attribute("age", .integer64)]),
      EntityDescription(name: "Singer", superentityName: "Person"),
      EntityDescription(name: "Tag", relationships: [Models.toMany("albums", "Album", "tags")]),
    ])

  /// Damages the old store, migrates it, damages the new store, and verifies it.
  private func verify(old: String = "SELECT 1", new: String = "SELECT 1") throws -> VerificationReport {
    let test = try MigrationTest(from: Self.model, to: Self.model) { context in
      let tag = try context.insert("Tag")
      for _ in 0..<3 {
        let (album, cover) = (try context.insert("Album"), try context.insert("Cover"))
        album[toOne: "cover"] = cover
        album[toOne: "owner"] = try context.insert("Singer")
        album[toMany: "tags"] = [tag]
      }
    }
    try Database(path: test.source.path, mode: .readWrite).execute(old)
    let mapping = MappingModel(
      entityMappings: Self.model.entities.map {
        EntityMappingDescription(source: $0.name, destination: $0.name)
      })
    try test.migrate(mapping)
    try Database(path: test.destination.path, mode: .readWrite).execute(new)
    let stores = try test.bothStores()
    return try StoreVerifier(source: stores.0, destination: stores.1, mappings: [mapping]).verify()
  }

  @Test func `an intact store has no damage`() throws {
    let report = try verify()
    #expect(report.damage == [] && report.isClean, "\(report.examples)")
  }

  @Test(
    arguments: [
      ("UPDATE ZCOVER SET Z_ENT = 99 WHERE Z_PK = 2", .foreignRow, "ZCOVER", nil, [2]),
      ("UPDATE ZCOVER SET Z_ENT = NULL WHERE Z_PK = 2", .foreignRow, "ZCOVER", nil, [2]),
      ("UPDATE ZTAG SET Z_PK = -1", .invalidKey, "ZTAG", nil, [-1]),
      ("UPDATE ZTAG SET Z_PK = 0", .invalidKey, "ZTAG", nil, [0]),
      ("UPDATE ZALBUM SET Z_OPT = NULL WHERE Z_PK = 1", .invalidSaveCount, "ZALBUM", nil, [1]),
      ("UPDATE ZALBUM SET Z_OPT = 0 WHERE Z_PK = 1", .invalidSaveCount, "ZALBUM", nil, [1]),
      ("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Person'", .lowHighestKey, "ZPERSON", nil, [3]),
      ("UPDATE ZALBUM SET Z3_OWNER = 3 WHERE Z_PK = 2", .wrongEntityNumber, "ZALBUM", "Z3_OWNER", [2]),
      ("UPDATE ZALBUM SET Z3_OWNER = NULL WHERE Z_PK = 2", .wrongEntityNumber, "ZALBUM", "Z3_OWNER", [2]),
      ("UPDATE ZALBUM SET ZOWNER = 9 WHERE Z_PK = 3", .danglingLink, "ZALBUM", "ZOWNER", [3]),
      ("UPDATE Z_1TAGS SET Z_5TAGS = 9 WHERE Z_1ALBUMS = 2", .danglingLink, "Z_1TAGS", "Z_5TAGS", nil),
      ("UPDATE ZCOVER SET ZALBUM = 2 WHERE Z_PK = 1", .contradictoryLink, "ZALBUM", "cover", []),
    ] as [(String, StructuralDamage.Kind, String, String?, [Int64]?)])
  func `damage is found and counts as a difference`(
    sql: String, kind: StructuralDamage.Kind, table: String, property: String?, examples: [Int64]?
  ) throws {
    let report = try verify(new: sql)
    let damage = report.damage.filter { $0.kind == kind }
    #expect(damage.count == 1 && damage.first?.table == table && damage.first?.property == property, "\(report.damage)")
    if let examples { #expect(damage.first?.examples == examples) }
    #expect(report.addedDamage > 0 && !report.isClean)
    #expect(report.hasComparedValues == (kind != .invalidKey))
  }

  @Test func `a migration is not blamed for what the old store has`() throws {
    let sql = "UPDATE ZALBUM SET ZOWNER = 9 WHERE Z_PK = 3; UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
    #expect(try verify(old: sql).addedDamage == 0)
    #expect(try verify(old: sql, new: "UPDATE ZALBUM SET ZOWNER = 9 WHERE Z_PK > 1").addedDamage == 1)
  }

  @Test(arguments: [
    "UPDATE ZCOVER SET ZALBUM = 2 WHERE Z_PK = 1", "UPDATE ZCOVER SET ZALBUM = NULL WHERE Z_PK = 1",
    "UPDATE ZALBUM SET ZCOVER = NULL WHERE Z_PK = 1",
  ]) func `links that contradict each other are compared at each end`(sql: String) throws {
    let report = try verify(old: sql)
    #expect(report.isClean && report.inheritedDamage[.contradictoryLink] != nil, "\(report.examples) \(report.damage)")
  }
}
