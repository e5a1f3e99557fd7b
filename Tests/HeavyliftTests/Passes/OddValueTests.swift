import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Values that SQL could read as others, in rows that a statement reads besides the ones it migrates.
struct OddValueTests {
  private static let types: [(name: String, type: AttributeType)] = [
    ("text", .string), ("number", .integer64), ("real", .double), ("flag", .boolean), ("date", .date), ("id", .uuid),
    ("data", .binaryData), ("price", .decimal), ("small", .float),
  ]
  private static let attributes = types.map { Models.attribute($0.name, $0.type) }

  private static let old = ManagedObjectModel(
    name: "1",
    entities: [
      EntityDescription(name: "Row", attributes: attributes, relationships: [Models.toOne("owner", "Owner", "rows")]),
      EntityDescription(name: "Owner", attributes: attributes, relationships: [Models.toMany("rows", "Row", "owner")]),
    ])
  private static let new = ManagedObjectModel(
    name: "2", entities: [EntityDescription(name: "Row", attributes: attributes)])

  /// Twelve rows with an owner each.
  private static func fill(_ context: ManagedObjectContext) throws {
    for number in 1...12 {
      let owner = try context.insert("Owner")
      let row = try context.insert("Row")
      for object in [owner, row] {
        object["text"] = .string("text \(number)")
        object["number"] = .integer(Int64(number))
        object["real"] = .double(Double(number) / 2)
        object["price"] = .decimal(Decimal(number))
        object["flag"] = .bool(true)
      }
      row[toOne: "owner"] = owner
    }
  }

  /// Migrates with statements where possible, and object by object.
  private func outcomes(
    after damage: String, attribute: String? = nil, value: String = "", filter: String? = nil
  ) throws -> (statements: MigrationOutcome, objects: MigrationOutcome) {
    let test = try MigrationTest(from: Self.old, to: Self.new, fill: Self.fill)
    try Database(path: test.source.path, mode: .readWrite).execute(damage)
    let properties: [PropertyMappingDescription] =
      try attribute.map { [.attribute($0, try MappingExpression(parsing: value))] } ?? []
    var mappings = [
      EntityMappingDescription(
        source: "Row", destination: "Row", filter: try filter.map { try MappingPredicate(parsing: $0) },
        properties: properties, drops: [DroppedProperty("owner")]),
      EntityMappingDescription(type: .remove, source: "Owner"),
    ]
    if let filter {
      mappings.append(
        EntityMappingDescription(
          type: .remove, source: "Row", filter: try MappingPredicate(parsing: "NOT (\(filter))")))
    }
    let mapping = MappingModel(entityMappings: mappings)
    var options = MigrationOptions()
    let statements = try MigrationOutcome(of: test, mapping, named: "statements", options: options)
    options.forcesObjects = true
    return (statements, try MigrationOutcome(of: test, mapping, named: "objects", options: options))
  }

  @Test(arguments: [
    ("text", "$source.owner.text", "ZTEXT = x'ff00'"),
    ("number", "$source.owner.number", "ZNUMBER = 2.5"), ("number", "$source.owner.number + 1", "ZNUMBER = 'abc'"),
    ("real", "$source.owner.real * 2", "ZREAL = 'abc'"), ("real", "$source.owner.real", "ZREAL = x'00'"),
    ("flag", "$source.owner.flag", "ZFLAG = 'abc'"), ("date", "$source.owner.date", "ZDATE = '2001-01-01'"),
    ("id", "$source.owner.id", "ZID = x'0102'"), ("price", "$source.owner.price", "ZPRICE = 'abc'"),
    ("price", "$source.owner.price", "ZPRICE = 1e300"), ("number", "$source.owner.rows.@max.number", "ZNUMBER = 'abc'"),
  ])
  func `a value read from another object is checked`(attribute: String, value: String, change: String) throws {
    let table = value.contains("rows") ? "ZROW" : "ZOWNER"
    let (statements, objects) = try outcomes(
      after: "UPDATE \(table) SET \(change) WHERE Z_PK = 2", attribute: attribute, value: value)
    #expect(objects.error?.contains("where") == true || objects.error?.contains("holds") == true, "\(objects)")
    #expect(statements.error == objects.error)
  }

  @Test(arguments: [
    ("number < 20", "UPDATE ZROW SET ZNUMBER = 'zz' WHERE Z_PK = 2"),
    ("number < 5", "UPDATE ZROW SET ZNUMBER = 'zz' WHERE Z_PK = 2"),
    ("owner.text == 'text 2'", "UPDATE ZOWNER SET ZTEXT = x'746578742032' WHERE Z_PK = 2"),
    ("owner.flag == YES", "UPDATE ZOWNER SET ZFLAG = 'abc' WHERE Z_PK = 2"),
  ])
  func `a value that a filter reads is checked`(filter: String, damage: String) throws {
    let (statements, objects) = try outcomes(after: damage, filter: filter)
    #expect(objects.error != nil)
    #expect(statements.error == objects.error)
  }

  @Test(arguments: ["1e300", "9e999", "-9e999", "1e-200"])
  func `a number that no decimal can be is not copied`(number: String) throws {
    let (statements, objects) = try outcomes(after: "UPDATE ZROW SET ZPRICE = \(number) WHERE Z_PK = 2")
    #expect(statements.error?.contains("Row/p2") == true)
    #expect(statements.error == objects.error)
  }

  @Test(arguments: [
    ("real", "floor:($source.price)"), ("number", "floor:($source.price)"), ("price", "abs:($source.price)"),
    ("number", "TERNARY(floor:($source.price) == nil, 1, 0)"), ("text", "CAST(floor:($source.price), 'NSString')"),
    ("price", "CAST(abs:($source.price), 'NSDecimalNumber')"),
    ("number", "TERNARY(floor:($source.price * 0.5) == nil, 1, 0)"),
  ])
  func `a decimal that is not a number is not nil`(attribute: String, value: String) throws {
    let (statements, objects) = try outcomes(
      after: "UPDATE ZROW SET ZPRICE = 'NaN' WHERE Z_PK = 2", attribute: attribute, value: value)
    #expect(statements == objects)
  }

  @Test(arguments: [
    ("number", "$source.owner.number"), ("number", "$source.owner.rows.@count"),
    ("number", "$source.owner.rows.@max.number"), ("number", "TERNARY($source.owner.number == nil, 7, 8)"),
  ])
  func `an object that is missing has no values`(attribute: String, value: String) throws {
    let (statements, objects) = try outcomes(
      after: "DELETE FROM ZOWNER WHERE Z_PK = 2", attribute: attribute, value: value)
    #expect(objects.error == nil)
    #expect(statements == objects)
  }

  @Test(arguments: [
    ("UPDATE ZROW SET ZREAL = 1e300 WHERE Z_PK = 2", "$source.real"),
    ("UPDATE ZROW SET ZNUMBER = 16777217 WHERE Z_PK = 2", "$source.number"),
    ("UPDATE ZOWNER SET ZREAL = -1e300 WHERE Z_PK = 2", "$source.owner.real"),
  ])
  func `a number that single precision cannot hold is refused`(damage: String, value: String) throws {
    let (statements, objects) = try outcomes(after: damage, attribute: "small", value: value)
    #expect(objects.error?.contains("property 'small', object 'Row/p2'") == true, "\(objects)")
    #expect(statements.error == objects.error)
    #expect(try outcomes(after: "SELECT 1", attribute: "small", value: value).statements.error == nil)
  }

  @Test func `a number that would be changed by rounding it is refused`() throws {
    let damage = "UPDATE ZROW SET ZNUMBER = 9007199254740993 WHERE Z_PK = 2"
    let (statements, objects) = try outcomes(after: damage, attribute: "number", value: "abs:($source.number)")
    #expect(objects.error?.contains("'abs:' gives a floating-point number") == true)
    #expect(statements.error == objects.error)
  }

  @Test(arguments: [
    ("real", "NSNumber", "12345678901234567891"), ("price", "NSNumber", "0.12345678901234567891"),
    ("number", "NSNumber", "9007199254740993.0"),
    ("price", "NSDecimalNumber", "99999999999999999999999999999999999999999"),
  ])
  func `a string with more digits than a number is refused`(attribute: String, type: String, text: String) throws {
    let value = "CAST(TERNARY($source.text BEGINSWITH 'text', '1', $source.text), '\(type)')"
    let (statements, objects) = try outcomes(
      after: "UPDATE ZROW SET ZTEXT = '\(text)' WHERE Z_PK = 2", attribute: attribute, value: value)
    #expect(objects.error?.contains("'\(type)' cannot hold the number in this string exactly") == true, "\(objects)")
    #expect(statements.error == objects.error)
  }

  @Test func `a filter that fails names its entity mapping`() throws {
    let (statements, objects) = try outcomes(after: "SELECT 1", filter: "1 / (number - 2) == 1")
    #expect(objects.error?.contains("': its filter fails: '/' divides by zero") == true, "\(objects)")
    #expect(statements.error == objects.error)
  }
}
