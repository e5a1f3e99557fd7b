import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct ValidationTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Thing",
      attributes: [
        AttributeDescription(
          name: "count", type: .integer16, validation: AttributeValidation(minimum: 1, maximum: 10)),
        AttributeDescription(name: "size", type: .integer32),
        AttributeDescription(
          name: "ratio", type: .double, validation: AttributeValidation(minimum: 0.5, maximum: 1.5)),
        AttributeDescription(
          name: "share", type: .float,
          validation: AttributeValidation(
            minimum: .double(Double(0.1 as Float)), maximum: .double(Double(0.7 as Float)))),
        AttributeDescription(
          name: "price", type: .decimal,
          validation: AttributeValidation(minimum: .decimal(0), maximum: .decimal(Decimal(string: "9.99") ?? 0))),
        AttributeDescription(
          name: "day", type: .date,
          validation: AttributeValidation(
            minimum: .date(Date(timeIntervalSinceReferenceDate: 0)),
            maximum: .date(Date(timeIntervalSinceReferenceDate: 86_400)))),
        AttributeDescription(
          name: "code", type: .string,
          validation: AttributeValidation(minimumLength: 2, maximumLength: 4, regularExpression: "[a-z]|[a-z]+")),
        AttributeDescription(
          name: "word", type: .string, validation: AttributeValidation(regularExpression: "(a|aa)+")),
        AttributeDescription(name: "name", type: .string, isOptional: false, defaultValue: "unnamed"),
      ],
      relationships: [
        Models.toOne("box", "Box", "things", isOptional: false),
        Models.toMany("few", "Box", "fewOf", isOptional: true, minCount: 2, maxCount: 3),
        Models.toMany("some", "Box", "someOf", isOptional: false, minCount: 1),
        // Mandatory without a minimum, as Core Data saves it empty.
        Models.toMany("any", "Box", "anyOf", isOptional: false),
      ]),
    EntityDescription(
      name: "Box",
      relationships: [
        Models.toMany("things", "Thing", "box"), Models.toMany("fewOf", "Thing", "few"),
        Models.toMany("someOf", "Thing", "some"), Models.toMany("anyOf", "Thing", "any"),
      ]),
  ])

  struct Case: Sendable {
    var name: String
    var value: Value
    var code: Int
    var problem: String
    var remedy: String
  }

  static let cases: [Case] = [
    Case(
      name: "word", value: .string(String(repeating: "a", count: 60) + "!"), code: 1680,
      problem: "cannot be matched against the pattern (a|aa)+: that takes too long",
      remedy: "change the pattern in the model: avoid nested repetitions such as '(a+)+'"),
    Case(
      name: "count", value: 0, code: 1620, problem: "is smaller than the minimum of 1",
      remedy: "choose a larger number, or change the model"),
    Case(
      name: "count", value: 11, code: 1610, problem: "is larger than the maximum of 10",
      remedy: "choose a smaller number, or change the model"),
    Case(
      name: "size", value: 2_147_483_648, code: 1610, problem: "is larger than 2147483647, the maximum of Integer 32",
      remedy: "choose a smaller number, or change the model"),
    Case(
      name: "size", value: -2_147_483_649, code: 1620,
      problem: "is smaller than -2147483648, the minimum of Integer 32",
      remedy: "choose a larger number, or change the model"),
    Case(
      name: "ratio", value: 0.4999, code: 1620, problem: "is smaller than the minimum of 0.5",
      remedy: "choose a larger number, or change the model"),
    Case(
      name: "ratio", value: .double(.infinity), code: 1610, problem: "is larger than the maximum of 1.5",
      remedy: "choose a smaller number, or change the model"),
    Case(
      name: "share", value: 0.09999999, code: 1620, problem: "is smaller than the minimum of 0.1",
      remedy: "choose a larger number, or change the model"),
    Case(
      name: "share", value: 0.7000001, code: 1610, problem: "is larger than the maximum of 0.7",
      remedy: "choose a smaller number, or change the model"),
    Case(
      name: "price", value: .decimal(Decimal(string: "9.9900000000000000000000001") ?? 0), code: 1610,
      problem: "is larger than the maximum of 9.99", remedy: "choose a smaller number, or change the model"),
    Case(
      name: "day", value: .date(Date(timeIntervalSinceReferenceDate: -0.001)), code: 1640,
      problem: "is earlier than the model allows", remedy: "choose 2001-01-01 00:00:00 +0000 or a later date"),
    Case(
      name: "day", value: .date(Date(timeIntervalSinceReferenceDate: 86_400.001)), code: 1630,
      problem: "is later than the model allows", remedy: "choose 2001-01-02 00:00:00 +0000 or an earlier date"),
    Case(
      name: "code", value: "a", code: 1670, problem: "is shorter than 2 characters",
      remedy: "lengthen the text, or change the model"),
    Case(
      name: "code", value: "abcde", code: 1660, problem: "is longer than 4 characters",
      remedy: "shorten the text, or change the model"),
    Case(
      name: "code", value: "ab1", code: 1680, problem: "does not match the pattern [a-z]|[a-z]+",
      remedy: "change the text, or the pattern in the model"),
    Case(
      name: "code", value: "ab\n", code: 1680, problem: "does not match the pattern [a-z]|[a-z]+",
      remedy: "change the text, or the pattern in the model"),
    Case(
      name: "name", value: nil, code: 1570, problem: "is mandatory and has no value",
      remedy: "give it a value, or make it optional in the model: only new objects get the default"),
  ]

  func thing(_ test: TestStore) throws -> ManagedObject {
    let (thing, box) = (try test.insert("Thing"), try test.insert("Box"))
    thing[toOne: "box"] = box
    thing[toMany: "some"] = [box]
    return thing
  }

  @Test(arguments: cases) func `a rule of an attribute`(rule: Case) throws {
    let test = try TestStore(Self.model)
    let thing = try thing(test)
    try test.context.save()
    thing[rule.name] = rule.value
    do {
      try test.context.save()
      Issue.record("saved")
    } catch let errors as ValidationErrors {
      #expect(errors.code == rule.code)
      #expect(
        "\(errors)" == """
          Thing/p1: error[\(rule.code)]: '\(rule.name)' \(rule.problem)
            \(rule.remedy)
          """)
    }
    #expect(try test.rows("SELECT Z_OPT FROM ZTHING") == ["1"])
  }

  @Test(
    arguments: [
      ("count", 1), ("count", 10), ("ratio", 0.5), ("ratio", 1.5),
      // A Float column compares with single precision.
      ("share", 0.1), ("share", .double(Double(0.1 as Float))), ("share", 0.7), ("price", .decimal(0)), ("code", "ab"),
      ("code", "abcd"), ("day", .date(Date(timeIntervalSinceReferenceDate: 0))), ("count", nil), ("code", nil),
      ("size", 2_147_483_647), ("name", ""),
    ] as [(String, Value)]) func `a value at the limit is valid`(name: String, value: Value) throws
  {
    let test = try TestStore(Self.model)
    try thing(test)[name] = value
    try test.context.save()
  }

  @Test func `lengths are counted as Core Data counts them`() throws {
    let test = try TestStore(Self.model)
    let thing = try thing(test)
    thing["code"] = "👍👍👍"
    #expect(try test.context.validate().map(\.code) == [.stringTooLong, .stringPatternMismatch])
  }

  @Test func `all errors are reported together, with the code for several`() throws {
    let test = try TestStore(Self.model)
    let (one, two) = (try test.insert("Thing"), try test.insert("Thing"))
    one["name"] = nil
    one["count"] = 99
    let boxes = try (0..<4).map { _ in try test.insert("Box") }
    two[toOne: "box"] = boxes[0]
    two[toMany: "few"] = boxes
    two[toMany: "some"] = boxes
    do {
      try test.context.save()
      Issue.record("saved")
    } catch let errors as ValidationErrors {
      #expect(errors.code == 1560)
      #expect(
        "\(errors)" == """
          Thing/t1: error[1610]: 'count' is larger than the maximum of 10
            choose a smaller number, or change the model
          Thing/t1: error[1570]: 'name' is mandatory and has no value
            give it a value, or make it optional in the model: only new objects get the default
          Thing/t1: error[1570]: 'box' is mandatory but has no target
            set it to an object, or make it optional in the model
          Thing/t1: error[1580]: 'some' leads to fewer than 1 object
            set it to an object, or make it optional in the model
          Thing/t2: error[1590]: 'few' leads to more than 3 objects
            set it to fewer objects, or raise the maximum in the model
          """)
    }
    two[toMany: "few"] = [boxes[0]]
    #expect(try test.context.validate().filter { $0.objectID == two.objectID }.map(\.code.rawValue) == [1580])
    two[toMany: "few"] = []
    #expect(try test.context.validate().filter { $0.objectID == two.objectID } == [])
  }

  @Test func `many errors are counted by kind`() throws {
    let test = try TestStore(Self.model)
    for _ in 0..<25 {
      let thing = try thing(test)
      thing["code"] = "toolong"
    }
    try thing(test)["count"] = 0
    let lines = (message { try test.context.save() } ?? "").split(separator: "\n").map(String.init)
    #expect(lines.count == 43)
    #expect(
      lines.suffix(3) == ["26 errors in total:", "  25 × Thing.code [1660]", "  1 × Thing.count [1620]"])
    #expect(!lines.joined().contains("toolong"))
  }

  @Test func `an abstract entity and an unknown one have no objects`() throws {
    let test = try TestStore(
      ManagedObjectModel(entities: [
        EntityDescription(name: "Base", isAbstract: true), EntityDescription(name: "Real", superentityName: "Base"),
      ]))
    #expect(
      message { _ = try test.context.insert("Base") } == """
        error[object.abstract-entity]: entity 'Base' is abstract
          insert an object of one of its sub-entities
        """)
    #expect(
      message { _ = try test.context.insert("Reel") } == """
        error[object.unknown-entity]: there is no entity 'Reel' in the store
          did you mean 'Real'?
        """)
  }
}
