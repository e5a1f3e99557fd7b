import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A changed byte in one row is found and reported with entity, object and property, for every kind of value.
@Suite struct ChangedByteTests {
  private static let model = ManagedObjectModel(
    name: "Things",
    entities: [
      EntityDescription(
        name: "Thing",
        attributes: [
          Models.attribute("text", .string), Models.attribute("number", .integer64),
          Models.attribute("ratio", .double), Models.attribute("when", .date), Models.attribute("flag", .boolean),
          Models.attribute("price", .decimal), Models.attribute("ident", .uuid), Models.attribute("place", .uri),
          Models.attribute("bytes", .binaryData), content,
        ],
        relationships: [
          Models.toOne("owner", "Owner", "things"), Models.toOne("origin", "Owner"),
          Models.toMany("tags", "Tag", "things"), Models.toMany("parts", "Part", "thing", isOrdered: true),
          Models.toMany("best", "Tag", "fans", isOrdered: true),
        ]),
      EntityDescription(
        name: "Owner", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("things", "Thing", "owner")]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toMany("things", "Thing", "tags"), Models.toMany("fans", "Thing", "best")]),
      EntityDescription(
        name: "Part", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toOne("thing", "Thing", "parts")]),
    ])

  private static var content: AttributeDescription {
    var content = Models.attribute("content", .binaryData)
    content.allowsExternalBinaryDataStorage = true
    return content
  }

  private static var newModel: ManagedObjectModel {
    var model = model
    for place in model.entities.indices where model.entities[place].name == "Thing" {
      model.entities[place].attributes += [Models.attribute("loud", .string), Models.attribute("double", .integer64)]
    }
    return model
  }

  private static let mapping = try? MappingModel(
    copying: .everything,
    entityMappings: [
      EntityMappingDescription(
        source: "Thing", destination: "Thing",
        properties: [
          .attribute("loud", MappingExpression(parsing: "uppercase:($source.text)")),
          .attribute("double", MappingExpression(parsing: "$source.number * 2")),
        ]),
      EntityMappingDescription(source: "Owner", destination: "Owner"),
      EntityMappingDescription(source: "Tag", destination: "Tag"),
      EntityMappingDescription(source: "Part", destination: "Part"),
    ])

  /// A change to the row of Thing 30 or to its related rows and files, and the expected report.
  struct Change: CustomTestStringConvertible, Sendable {
    var name: String
    /// SQL for a change in the database; `file` changes an external file.
    var sql = ""
    var file: (@Sendable (URL) throws -> Void)?
    /// Entity, key and property.
    var told: [String]
    /// The number of damages to the structure of the store.
    var damages = 0
    var testDescription: String { name }
  }

  static let changes: [Change] = [
    .init(name: "text", sql: "UPDATE ZTHING SET ZTEXT = 'thing number 31' WHERE Z_PK = 30", told: ["Thing/p30 text"]),
    .init(name: "integer", sql: "UPDATE ZTHING SET ZNUMBER = ZNUMBER + 1 WHERE Z_PK = 30", told: ["Thing/p30 number"]),
    // Ten, and the next larger number.
    .init(
      name: "the lowest bit of a double", sql: "UPDATE ZTHING SET ZRATIO = 10.000000000000002 WHERE Z_PK = 30",
      told: ["Thing/p30 ratio"]),
    .init(
      name: "the lowest bit of a date", sql: "UPDATE ZTHING SET ZWHEN = 500000030.12500006 WHERE Z_PK = 30",
      told: ["Thing/p30 when"]),
    .init(name: "Boolean", sql: "UPDATE ZTHING SET ZFLAG = 1 - ZFLAG WHERE Z_PK = 30", told: ["Thing/p30 flag"]),
    .init(
      name: "decimal", sql: "UPDATE ZTHING SET ZPRICE = CAST('12345678901234567890.36' AS BLOB) WHERE Z_PK = 30",
      told: ["Thing/p30 price"]),
    .init(
      name: "UUID", sql: "UPDATE ZTHING SET ZIDENT = x'0102030405060708090a0b0c0d0e0f1f' WHERE Z_PK = 30",
      told: ["Thing/p30 ident"]),
    .init(name: "URI", sql: "UPDATE ZTHING SET ZPLACE = 'x:31' WHERE Z_PK = 30", told: ["Thing/p30 place"]),
    .init(
      name: "a byte in the row", sql: "UPDATE ZTHING SET ZBYTES = x'1e010202' WHERE Z_PK = 30",
      told: ["Thing/p30 bytes"]),
    .init(
      name: "a byte in the row where a file could be",
      sql: "UPDATE ZTHING SET ZCONTENT = CAST(substr(ZCONTENT, 1, 100) || x'06' AS BLOB) WHERE Z_PK = 30",
      told: ["Thing/p30 content"]),
    .init(
      name: "a byte in a file",
      file: { folder in
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1)
        for name in names {
          let file = folder.appending(path: name)
          var data = try Data(contentsOf: file)
          data[150_000] ^= 1
          // Replaces the file under that name, because the old store may share the old one.
          try data.write(to: file, options: .atomic)
        }
      }, told: ["Thing/p40 content"]),
    .init(name: "nil", sql: "UPDATE ZTHING SET ZTEXT = NULL WHERE Z_PK = 30", told: ["Thing/p30 text"]),
    .init(name: "a value that was nil", sql: "UPDATE ZTHING SET ZTEXT = '' WHERE Z_PK = 50", told: ["Thing/p50 text"]),
    .init(
      name: "computed text", sql: "UPDATE ZTHING SET ZLOUD = 'THING NUMBER 3O' WHERE Z_PK = 30",
      told: ["Thing/p30 loud"]),
    .init(
      name: "computed number", sql: "UPDATE ZTHING SET ZDOUBLE = ZDOUBLE + 1 WHERE Z_PK = 30",
      told: ["Thing/p30 double"]),
    .init(
      name: "to-one without inverse", sql: "UPDATE ZTHING SET ZORIGIN = 5 WHERE Z_PK = 30",
      told: ["Thing/p30 origin"]),
    .init(
      name: "to-one", sql: "UPDATE ZTHING SET ZOWNER = 5 WHERE Z_PK = 30",
      told: ["Owner/p4 things", "Owner/p5 things", "Thing/p30 owner"]),
    .init(
      name: "dangling to-one", sql: "UPDATE ZTHING SET ZORIGIN = 999 WHERE Z_PK = 30",
      told: ["Thing/p30 origin"], damages: 1),
    .init(
      name: "a row of a join table", sql: "UPDATE <join> SET <tag> = 9 WHERE <thing> = 30 AND <tag> = 1",
      told: ["Tag/p1 things", "Tag/p9 things", "Thing/p30 tags"]),
    .init(
      name: "a missing row of a join table", sql: "DELETE FROM <join> WHERE <thing> = 30 AND <tag> = 1",
      told: ["Tag/p1 things", "Thing/p30 tags"]),
    .init(
      name: "the order of parts",
      sql: "UPDATE ZPART SET Z_FOK_THING = (SELECT max(Z_FOK_THING) + 1 FROM ZPART WHERE ZTHING = 30) "
        + "WHERE Z_PK = (SELECT max(Z_PK) FROM ZPART WHERE ZTHING = 30)",
      told: ["Thing/p30 parts"]),
    .init(
      name: "the order in a join table",
      sql: "UPDATE <ordered> SET <place> = (SELECT max(<place>) + 1 FROM <ordered> WHERE <thing> = 30) "
        + "WHERE <thing> = 30 AND <tag> = 3",
      told: ["Thing/p30 best"]),
    .init(name: "a missing row", sql: "DELETE FROM ZOWNER WHERE Z_PK = 12", told: ["Owner/p12 -"]),
    .init(
      name: "an extra row",
      sql: "INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 99, Z_ENT, 1, 'x' FROM ZOWNER LIMIT 1",
      told: ["Owner/p99 -"], damages: 1),
  ]

  private let test: MigrationTest
  private let provenance: URL

  init() throws {
    test = try MigrationTest(from: Self.model, to: Self.newModel) { try Self.fill($0) }
    var options = MigrationOptions()
    provenance = test.folder.appending("provenance.sqlite")
    options.provenance = provenance
    try test.migrate(try #require(Self.mapping), options: options)
  }

  private static func fill(_ context: ManagedObjectContext) throws {
    func make(_ entity: String, _ count: Int) throws -> [ManagedObject] {
      let objects = try (1...count).map { number in
        let object = try context.insert(entity)
        if entity != "Thing" { object["name"] = .string("\(entity) \(number)") }
        return object
      }
      // Keys in the order in which the objects were created.
      try context.save()
      return objects
    }
    let (owners, tags) = (try make("Owner", 12), try make("Tag", 9))
    let things = try make("Thing", 60)
    let parts = try make("Part", 120)
    for (place, thing) in things.enumerated() {
      let number = place + 1
      if number != 50 { thing["text"] = .string("thing number \(number)") }
      thing["number"] = .integer(Int64(number) * 2)
      thing["ratio"] = .double(Double(number) / 3)
      thing["when"] = .date(Date(timeIntervalSinceReferenceDate: 500_000_000.125 + Double(number)))
      thing["flag"] = .bool(number.isMultiple(of: 2))
      thing["price"] = .decimal(
        number == 30 ? Decimal(string: "12345678901234567890.35") ?? 0 : Decimal(number) / 8)
      thing["ident"] = .uuid(
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, number == 30 ? 30 : UInt8(number))))
      thing["place"] = .uri("x:\(number)")
      thing["bytes"] = .data(Data([UInt8(number), 1, 2, 3]))
      thing["content"] = .data(Data(repeating: 7, count: number == 40 ? 200_000 : 100))
      thing[toOne: "owner"] = owners[number % 9]
      thing[toOne: "origin"] = owners[number % 7]
      for tag in [0, 3, 6] { try thing.add(tags[(tag + number) % 6], to: "tags") }
      try thing.setObjects([tags[2], tags[0], tags[4]], forKey: "best")
      try thing.setObjects([parts[place * 2 + 1], parts[place * 2]], forKey: "parts")
    }
  }

  private func verify(_ url: URL, withProvenance: Bool) throws -> (report: VerificationReport, askedOfObjects: Int) {
    let source = try PersistentStore(url: test.source, models: [test.old], mode: .readOnly)
    let destination = try PersistentStore(url: url, models: [test.new], mode: .readOnly)
    defer {
      try? source.close()
      try? destination.close()
    }
    return try StoreVerifier(
      source: source, destination: destination, mappings: [try #require(Self.mapping)],
      provenance: withProvenance ? MigrationProvenance(contentsOf: provenance) : nil
    ).counting()
  }

  @Test(arguments: [true, false])
  func `a store as declared is verified from its rows alone`(withProvenance: Bool) throws {
    let (report, asked) = try verify(test.destination, withProvenance: withProvenance)
    #expect(report.examples == [])
    #expect(report.mappings.map(\.values) == [60 * 17, 12 * 2, 9 * 3, 120 * 2])
    #expect(asked == 0)
  }

  @Test(arguments: changes)
  func `one changed byte in a row is found and reported`(change: Change) throws {
    let copy = test.folder.appending("changed.sqlite")
    try FileManager.default.copyItem(at: test.destination, to: copy)
    let folder = ExternalDataFolder(store: copy).url
    try FileManager.default.copyItem(
      at: ExternalDataFolder(store: test.destination).url.deletingLastPathComponent(),
      to: folder.deletingLastPathComponent())
    try change.file?(folder)
    let database = try Database(path: copy.path, mode: .readWrite)
    try database.execute(try inTables(change.sql))
    if !change.sql.isEmpty { #expect(database.totalChanges == 1) }
    try database.close()
    for withProvenance in [true, false] {
      let report = try verify(copy, withProvenance: withProvenance).report
      #expect(report.examples.map(Self.place).sorted() == change.told, "\(report.examples)")
      #expect(report.damage.map(\.count).reduce(0, +) == change.damages)
      #expect(report.differences == change.told.count + change.damages)
    }
  }

  private static func place(_ difference: VerificationDifference) -> String {
    let object = difference.destination ?? difference.source
    return "\(object.map { "\($0.entityName)/p\($0.key)" } ?? "") \(difference.propertyName ?? "-")"
  }

  /// The names of join tables depend on entity numbers.
  private func inTables(_ sql: String) throws -> String {
    let store = try PersistentStore(url: test.destination, models: [test.new], mode: .readOnly)
    defer { try? store.close() }
    let thing = try #require(store.layout.entity(named: "Thing"))
    let (tags, best) = (
      try #require(thing.toManys.first { $0.name == "tags" }), try #require(thing.toManys.first { $0.name == "best" })
    )
    let storage = sql.contains("<ordered>") ? best : tags
    return sql.replacing("<ordered>", with: best.tableName).replacing("<join>", with: tags.tableName)
      .replacing("<place>", with: best.orderColumn ?? "").replacing("<tag>", with: storage.targetColumn)
      .replacing("<thing>", with: storage.ownerColumn)
  }
}
