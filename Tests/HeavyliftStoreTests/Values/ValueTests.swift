import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct ValueTests {
  static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri,
    .transformable,
  ]

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "All",
      attributes: types.map { type in
        AttributeDescription(
          name: "\(type)", type: type, valueTransformerName: type == .transformable ? "T" : nil)
      } + [
        AttributeDescription(name: "external", type: .binaryData, allowsExternalBinaryDataStorage: true),
        AttributeDescription(
          name: "externalTransformable", type: .transformable, allowsExternalBinaryDataStorage: true,
          valueTransformerName: "T"),
      ])
  ])

  static func decimal(_ text: String) -> Value { .decimal(Decimal(string: text) ?? .nan) }
  static func date(_ interval: Double) -> Value { .date(Date(timeIntervalSinceReferenceDate: interval)) }

  // Computed, because a leak checker does not find objects that only an enum in a global holds.
  static var values: [(String, [Value])] {
    [
      ("integer16", [0, 1, -1, .integer(Int64(Int16.max)), .integer(Int64(Int16.min))]),
      ("integer32", [.integer(Int64(Int32.max)), .integer(Int64(Int32.min))]),
      ("integer64", [.integer(.max), .integer(.min), 9_007_199_254_740_993]),
      (
        "double",
        [
          0.1, 1.0, -1.0, .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .double(.infinity),
          .double(-.infinity), .double(9_007_199_254_740_992), .double(1e18), .double(1e19), .double(.pi),
        ]
      ),
      ("float", [0.5, .double(Double(Float.pi)), .double(Double(Float.greatestFiniteMagnitude))]),
      (
        "decimal",
        [
          "0", "1", "-1", "0.1", "9.99", "-0.01", "12345678901234567890", "9223372036854775807", "-9223372036854775808",
          "9223372036854775808", "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678",
          "1234567890123456789.0123456789012345678", "1e127", "1e-127", "12345678901234567890123456789012345678e80",
          "99999999999999999999999999999999999999", "0.30000000000000004", "0.1234567890123456", "1e19", "123456789.5",
        ].map(decimal)
      ),
      (
        "string",
        [
          "", " ", "a", "größe", "日本語", "🏳️‍🌈", "e\u{301}", "é", "a\u{0}b", "\u{0}", "line\nline\r\n", "'\"\\%_",
          "123", "1.0", .string(String(repeating: "x", count: 100_000)), "\u{FEFF}bom", "\u{FFFF}",
        ]
      ),
      ("boolean", [true, false]),
      (
        "date",
        [0, -1, 0.1, -63_113_904_000, 1e12, -1e12, 252_423_993_599, 726_000_000.123_456, 1e300, 0.5, 1_234_567].map(
          date)
      ),
      ("binaryData", [.data(Data()), .data(Data([0])), .data(Data([1, 2, 3])), .data(Data(count: 200_000))]),
      ("uuid", [.uuid(UUID()), .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))]),
      ("uri", [.uri("https://example.org/a?b=c#d"), .uri(""), .uri("not a URL at all"), .uri("x-coredata://A/B/p1")]),
      ("transformable", [.data(Data("bplist00".utf8)), .data(Data())]),
      ("external", [.data(Data()), .data(Data([1])), .data(Data([2])), .data(Data(repeating: 7, count: 300_000))]),
      ("externalTransformable", [.data(Data()), .data(Data([2, 65])), .data(Data(repeating: 9, count: 300_000))]),
    ]
  }

  @Test(arguments: values) func `a value reads back as it was written`(name: String, values: [Value]) throws {
    let test = try TestStore(Self.model)
    for value in values { try test.insert("All").setValue(value, forKey: name) }
    _ = try test.insert("All")
    try test.context.save()
    try test.reopen()
    let read = try test.fetch("All").map { try $0.value(forKey: name) }
    for (value, read) in zip(values + [.null], read) { #expect(read.isIdentical(to: value), "\(value.kind)") }
    #expect(read.count == values.count + 1)
    // Repeats the test with an update, from one value to the next.
    let object = try #require(try test.fetch("All").first)
    for value in values.reversed() + [.null] {
      try object.setValue(value, forKey: name)
      try test.context.save()
      #expect(try object.value(forKey: name).isIdentical(to: value))
      test.context.refresh(object)
      #expect(try object.value(forKey: name).isIdentical(to: value))
    }
  }

  @Test func `values are stored as Core Data stores them`() throws {
    let test = try TestStore(Self.model)
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let values: [String: Value] = [
      "integer16": 7, "boolean": true, "double": 1.5, "float": 2, "decimal": Self.decimal("2.5"), "string": "x",
      "uri": .uri("a:b"), "date": Self.date(3.25), "uuid": .uuid(uuid), "binaryData": .data(Data([1, 2])),
      "transformable": .data(Data([3])), "external": .data(Data([4])),
    ]
    let object = try test.insert("All", values)
    try test.context.save()
    for (name, column) in [
      ("integer16", "7 integer"), ("boolean", "1 integer"), ("double", "1.5 real"), ("float", "2.0 real"),
      ("decimal", "2.5 real"), ("string", "x text"), ("uri", "a:b text"), ("date", "3.25 real"),
      ("uuid", "00112233445566778899AABBCCDDEEFF blob"), ("binaryData", "0102 blob"), ("transformable", "03 blob"),
      ("external", "0104 blob"), ("integer64", "- null"),
    ] {
      let column_ = "Z\(name.uppercased())"
      let sql =
        "SELECT CASE typeof(\(column_)) WHEN 'blob' THEN hex(\(column_)) ELSE \(column_) END, typeof(\(column_)) FROM ZALL"
      #expect(try test.rows(sql).map { $0.replacing("r ", with: " ") } == [column], "\(name)")
    }
    #expect(object.objectID.key == 1)
  }

  struct Refusal: Sendable {
    var name: String
    var value: Value
    var expected: String
    var kind: String
  }

  @Test(arguments: [
    Refusal(name: "integer16", value: "7", expected: "Integer 16", kind: "a string"),
    Refusal(name: "integer64", value: 1.5, expected: "Integer 64", kind: "a floating-point number"),
    Refusal(name: "integer64", value: .double(1e19), expected: "Integer 64", kind: "a floating-point number"),
    Refusal(name: "integer64", value: .double(.nan), expected: "Integer 64", kind: "a floating-point number"),
    Refusal(name: "integer64", value: .decimal(0.5), expected: "Integer 64", kind: "a decimal"),
    Refusal(name: "boolean", value: 2, expected: "Boolean", kind: "an integer"),
    Refusal(name: "boolean", value: "true", expected: "Boolean", kind: "a string"),
    Refusal(name: "double", value: 9_007_199_254_740_993, expected: "Double", kind: "an integer"),
    Refusal(name: "double", value: "1", expected: "Double", kind: "a string"),
    Refusal(name: "decimal", value: .double(.infinity), expected: "Decimal", kind: "a floating-point number"),
    Refusal(name: "string", value: 1, expected: "String", kind: "an integer"),
    Refusal(name: "string", value: .uri("a:b"), expected: "String", kind: "a URI"),
    Refusal(name: "date", value: 1, expected: "Date", kind: "an integer"),
    Refusal(name: "uuid", value: "00112233-4455-6677-8899-AABBCCDDEEFF", expected: "UUID", kind: "a string"),
    Refusal(name: "uri", value: "https://example.org", expected: "URI", kind: "a string"),
    Refusal(name: "binaryData", value: "x", expected: "Binary", kind: "a string"),
    Refusal(name: "transformable", value: 1, expected: "Transformable", kind: "an integer"),
    Refusal(name: "string", value: .composite([:]), expected: "String", kind: "a composite"),
  ]) func `a value of another type is refused`(refusal: Refusal) throws {
    let test = try TestStore(Self.model)
    let object = try test.insert("All")
    let expected = """
      error[object.wrong-type]: attribute '\(refusal.name)' of entity 'All' has type \(refusal.expected) and cannot hold \
      \(refusal.kind)
        convert the value to \(refusal.expected) without loss, then set it
      """
    #expect(message { try object.setValue(refusal.value, forKey: refusal.name) } == expected)
    #expect(try object.value(forKey: refusal.name) == .null)
    object[refusal.name] = refusal.value
    #expect(message { try test.context.save() } == expected)
    #expect(try test.rows("SELECT count(*) FROM ZALL") == ["0"])
  }

  @Test(
    arguments: [
      ("integer16", .double(3), 3), ("integer64", true, 1), ("integer32", .decimal(7), 7), ("boolean", 1, true),
      ("boolean", .double(0), false), ("double", 7, 7.0), ("double", .decimal(0.5), 0.5), ("float", true, 1.0),
      ("decimal", 7, .decimal(7)), ("decimal", 0.1, ValueTests.decimal("0.1")),
    ] as [(String, Value, Value)]) func `numeric types convert to each other`(name: String, value: Value, taken: Value)
    throws
  {
    let test = try TestStore(Self.model)
    let object = try test.insert("All")
    try object.setValue(value, forKey: name)
    #expect(try object.value(forKey: name).isIdentical(to: taken))
  }

  static let notNumbers: [String: Value] = [
    "double": .double(.nan), "float": .double(.nan),
    "date": .date(Date(timeIntervalSinceReferenceDate: .nan)),
  ]

  // Uses the name alone: Foundation crashes when it describes such a date.
  @Test(arguments: notNumbers.keys.sorted()) func `NaN is not saved`(name: String) throws {
    let test = try TestStore(Self.model)
    let object = try test.insert("All", [name: try #require(Self.notNumbers[name])])
    let type = try #require(object.entity.attribute(named: name)?.type.modelName)
    #expect(
      message { try test.context.save() } == """
        All/t1: error[1550]: '\(name)' is not a number (NaN), which no \(type) column can hold
          give it a number, or nil
        """)
    #expect(try test.rows("SELECT count(*) FROM ZALL") == ["0"])
  }

  @Test func `a decimal that is not a number is stored as text, as Core Data does it`() throws {
    let test = try TestStore(Self.model)
    for value in [Self.decimal("1"), .decimal(.nan), Self.decimal("-2"), .null] {
      _ = try test.insert("All", ["decimal": value])
    }
    try test.context.save()
    #expect(
      try test.rows("SELECT typeof(ZDECIMAL) || ifnull(ZDECIMAL, '') FROM ZALL ORDER BY Z_PK")
        == ["integer1", "textNaN", "integer-2", "null"])
    try test.reopen()
    var request = FetchRequest(entityName: "All")
    request.sortKeys = [.init(keyPath: "decimal")]
    let sorted = try test.context.fetch(request)
    #expect(sorted.map { $0["decimal"] } == [.null, .decimal(.nan), Self.decimal("-2"), Self.decimal("1")])
    for (predicate, count) in [
      ("decimal == nil", 1), ("decimal != nil", 3), ("decimal > 0", 1), ("decimal < 0", 1), ("decimal + 1 == 2", 1),
      ("decimal + 1 == decimal", 2),
    ] {
      var request = FetchRequest(entityName: "All")
      request.predicate = try MappingPredicate(parsing: predicate)
      #expect(try test.context.fetch(request).count == count, "\(predicate)")
    }
  }

  @Test func `a text that looks the same but has different code points is another value`() throws {
    let test = try TestStore(Self.model)
    let object = try test.insert("All", ["string": "\u{E9}"])
    try test.context.save()
    object["string"] = "e\u{301}"
    #expect(object.hasChanges)
    #expect(object.changedAttributeNames == ["string"])
    try test.context.save()
    #expect(try test.rows("SELECT hex(ZSTRING) FROM ZALL") == ["65CC81"])
  }

  @Test func `setting the same value is not a change`() throws {
    let test = try TestStore(Self.model)
    let object = try test.insert("All", ["string": "a", "double": 1, "decimal": Self.decimal("1.50")])
    try test.context.save()
    object["string"] = "a"
    object["double"] = 1
    object["decimal"] = Self.decimal("1.5")
    #expect(!object.hasChanges)
    #expect(!test.context.hasChanges)
  }
}
