import Foundation
import HeavyliftSchema
import HeavyliftTestSupport

/// A class with an attribute of every supported type: required, required with an initial value, optional, and optional
/// with an initial value.
final class EveryType: Entity {
  @Attribute var requiredBool: Bool
  @Attribute var defaultBool: Bool = true
  @Attribute var optionalBool: Bool?
  @Attribute var optionalDefaultBool: Bool? = true
  @Attribute var requiredInt: Int
  @Attribute var defaultInt: Int = -3
  @Attribute var optionalInt: Int?
  @Attribute var optionalDefaultInt: Int? = -3
  @Attribute var requiredInt16: Int16
  @Attribute var defaultInt16: Int16 = 7
  @Attribute var optionalInt16: Int16?
  @Attribute var optionalDefaultInt16: Int16? = 7
  @Attribute var requiredInt32: Int32
  @Attribute var defaultInt32: Int32 = 7
  @Attribute var optionalInt32: Int32?
  @Attribute var optionalDefaultInt32: Int32? = 7
  @Attribute var requiredInt64: Int64
  @Attribute var defaultInt64: Int64 = .max
  @Attribute var optionalInt64: Int64?
  @Attribute var optionalDefaultInt64: Int64? = .max
  @Attribute var requiredDouble: Double
  @Attribute var defaultDouble: Double = 0.1
  @Attribute var optionalDouble: Double?
  @Attribute var optionalDefaultDouble: Double? = 0.1
  @Attribute var requiredFloat: Float
  @Attribute var defaultFloat: Float = 0.1
  @Attribute var optionalFloat: Float?
  @Attribute var optionalDefaultFloat: Float? = 0.1
  @Attribute var requiredDecimal: Decimal
  @Attribute var defaultDecimal: Decimal = 12.5
  @Attribute var optionalDecimal: Decimal?
  @Attribute var optionalDefaultDecimal: Decimal? = 12.5
  @Attribute var requiredString: String
  @Attribute var defaultString: String = "é"
  @Attribute var optionalString: String?
  @Attribute var optionalDefaultString: String? = "é"
  @Attribute var requiredDate: Date
  @Attribute var defaultDate: Date = Date(timeIntervalSinceReferenceDate: 5.5)
  @Attribute var optionalDate: Date?
  @Attribute var optionalDefaultDate: Date? = Date(timeIntervalSinceReferenceDate: 5.5)
  @Attribute var requiredData: Data
  @Attribute var defaultData: Data = Data([1, 2])
  @Attribute var optionalData: Data?
  @Attribute var optionalDefaultData: Data? = Data([1, 2])
  @Attribute var requiredUUID: UUID
  @Attribute var defaultUUID: UUID = UUID()
  @Attribute var optionalUUID: UUID?
  @Attribute var optionalDefaultUUID: UUID? = UUID()
  @Attribute var requiredURL: URL
  @Attribute var defaultURL: URL = URL(filePath: "/a")
  @Attribute var optionalURL: URL?
  @Attribute var optionalDefaultURL: URL? = URL(filePath: "/a")
  @Attribute var requiredText: TextKind
  @Attribute var defaultText: TextKind = .second
  @Attribute var optionalText: TextKind?
  @Attribute var optionalDefaultText: TextKind? = .second
  @Attribute var requiredNumber: NumberKind
  @Attribute var defaultNumber: NumberKind = .two
  @Attribute var optionalNumber: NumberKind?
  @Attribute var optionalDefaultNumber: NumberKind? = .two
  @Attribute var requiredCase: CaseKind
  @Attribute var defaultCase: CaseKind = .south
  @Attribute var optionalCase: CaseKind?
  @Attribute var optionalDefaultCase: CaseKind? = .south
  @Attribute var requiredStruct: Point
  @Attribute var defaultStruct: Point = Point(x: 1, y: nil)
  @Attribute var optionalStruct: Point?
  @Attribute var optionalDefaultStruct: Point? = Point(x: 1, y: nil)
  @Attribute var requiredNested: Segment
  @Attribute var defaultNested: Segment = Segment(start: Point(x: 0, y: 1), kind: .first, marks: [1])
  @Attribute var optionalNested: Segment?
  @Attribute var optionalDefaultNested: Segment? = Segment(start: Point(x: 0, y: 1), kind: .first, marks: [1])
  @Attribute var requiredNumbers: [Int]
  @Attribute var defaultNumbers: [Int] = [1, 2]
  @Attribute var optionalNumbers: [Int]?
  @Attribute var optionalDefaultNumbers: [Int]? = [1, 2]
  @Attribute var requiredTexts: [String]
  @Attribute var defaultTexts: [String] = []
  @Attribute var optionalTexts: [String]?
  @Attribute var optionalDefaultTexts: [String]? = []
  @Attribute var requiredStructs: [Point]
  @Attribute var defaultStructs: [Point] = []
  @Attribute var optionalStructs: [Point]?
  @Attribute var optionalDefaultStructs: [Point]? = []
}

enum TextKind: String, Codable, CaseIterable { case first, second }
enum NumberKind: Int32, Codable, CaseIterable { case one = 1, two }
enum CaseKind: Codable, CaseIterable { case north, south }

struct Point: Codable, Hashable {
  var x: Double
  var y: Double?
}

struct Segment: Codable, Hashable {
  var start: Point
  var end: Point?
  var kind: TextKind
  var other: CaseKind?
  var marks: [Int]
  var link: URL?

  // SwiftData names the elements after the properties, not after the keys.
  enum CodingKeys: String, CodingKey {
    case start = "s"
    case end, kind, other, marks, link
  }

  init(start: Point, kind: TextKind, marks: [Int]) { (self.start, self.kind, self.marks) = (start, kind, marks) }
}

/// Random values of types that Swift has none for.
enum RandomValues {
  static func text(_ random: inout SeededGenerator) -> String {
    String(
      (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in "aé\u{1F600}'\"".randomElement(using: &random) })
  }

  static func data(_ random: inout SeededGenerator) -> Data {
    Data((0..<Int.random(in: 0..<9, using: &random)).map { UInt8($0) })
  }

  static func date(_ random: inout SeededGenerator) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: random.next())) / 8)
  }

  static func point(_ random: inout SeededGenerator) -> Point {
    Point(x: Double(Int8(truncatingIfNeeded: random.next())), y: Bool.random(using: &random) ? 0.5 : nil)
  }

  static func segment(_ random: inout SeededGenerator) -> Segment {
    var segment = Segment(start: point(&random), kind: .second, marks: [Int(random.next() % 5)])
    if Bool.random(using: &random) { segment.end = point(&random) }
    if Bool.random(using: &random) { segment.other = .south }
    if Bool.random(using: &random) { segment.link = URL(string: "https://example.org") }
    return segment
  }
}

/// One attribute of `EveryType`.
struct EveryAttribute: Sendable {
  /// Sets a random value, and returns a check that an object has this value.
  let change: @Sendable (EveryType, inout SeededGenerator) -> @Sendable (EveryType) -> Bool
  let copy: @Sendable (_ from: EveryType, _ to: EveryType) -> Void

  init<Value: Equatable & Sendable>(
    _ path: ReferenceWritableKeyPath<EveryType, Value> & Sendable,
    _ make: @escaping @Sendable (inout SeededGenerator) -> Value
  ) {
    change = { object, random in
      let value = make(&random)
      object[keyPath: path] = value
      return { $0[keyPath: path] == value }
    }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  init<Value: Equatable & Sendable>(
    optional path: ReferenceWritableKeyPath<EveryType, Value?> & Sendable,
    _ make: @escaping @Sendable (inout SeededGenerator) -> Value
  ) {
    self.init(path) { Bool.random(using: &$0) ? make(&$0) : nil }
  }

  static let all: [EveryAttribute] = [
    .init(\.requiredBool) { random in Bool.random(using: &random) },
    .init(\.defaultBool) { random in Bool.random(using: &random) },
    .init(optional: \.optionalBool) { random in Bool.random(using: &random) },
    .init(optional: \.optionalDefaultBool) { random in Bool.random(using: &random) },
    .init(\.requiredInt) { random in Int(truncatingIfNeeded: random.next()) },
    .init(\.defaultInt) { random in Int(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalInt) { random in Int(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalDefaultInt) { random in Int(truncatingIfNeeded: random.next()) },
    .init(\.requiredInt16) { random in Int16(truncatingIfNeeded: random.next()) },
    .init(\.defaultInt16) { random in Int16(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalInt16) { random in Int16(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalDefaultInt16) { random in Int16(truncatingIfNeeded: random.next()) },
    .init(\.requiredInt32) { random in Int32(truncatingIfNeeded: random.next()) },
    .init(\.defaultInt32) { random in Int32(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalInt32) { random in Int32(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalDefaultInt32) { random in Int32(truncatingIfNeeded: random.next()) },
    .init(\.requiredInt64) { random in Int64(truncatingIfNeeded: random.next()) },
    .init(\.defaultInt64) { random in Int64(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalInt64) { random in Int64(truncatingIfNeeded: random.next()) },
    .init(optional: \.optionalDefaultInt64) { random in Int64(truncatingIfNeeded: random.next()) },
    .init(\.requiredDouble) { random in Double(Int32(truncatingIfNeeded: random.next())) / 3 },
    .init(\.defaultDouble) { random in Double(Int32(truncatingIfNeeded: random.next())) / 3 },
    .init(optional: \.optionalDouble) { random in Double(Int32(truncatingIfNeeded: random.next())) / 3 },
    .init(optional: \.optionalDefaultDouble) { random in Double(Int32(truncatingIfNeeded: random.next())) / 3 },
    .init(\.requiredFloat) { random in Float(Int16(truncatingIfNeeded: random.next())) / 3 },
    .init(\.defaultFloat) { random in Float(Int16(truncatingIfNeeded: random.next())) / 3 },
    .init(optional: \.optionalFloat) { random in Float(Int16(truncatingIfNeeded: random.next())) / 3 },
    .init(optional: \.optionalDefaultFloat) { random in Float(Int16(truncatingIfNeeded: random.next())) / 3 },
    .init(\.requiredDecimal) { random in Decimal(Int32(truncatingIfNeeded: random.next())) / 1000 },
    .init(\.defaultDecimal) { random in Decimal(Int32(truncatingIfNeeded: random.next())) / 1000 },
    .init(optional: \.optionalDecimal) { random in Decimal(Int32(truncatingIfNeeded: random.next())) / 1000 },
    .init(optional: \.optionalDefaultDecimal) { random in Decimal(Int32(truncatingIfNeeded: random.next())) / 1000 },
    .init(\.requiredString) { random in RandomValues.text(&random) },
    .init(\.defaultString) { random in RandomValues.text(&random) },
    .init(optional: \.optionalString) { random in RandomValues.text(&random) },
    .init(optional: \.optionalDefaultString) { random in RandomValues.text(&random) },
    .init(\.requiredDate) { random in RandomValues.date(&random) },
    .init(\.defaultDate) { random in RandomValues.date(&random) },
    .init(optional: \.optionalDate) { random in RandomValues.date(&random) },
    .init(optional: \.optionalDefaultDate) { random in RandomValues.date(&random) },
    .init(\.requiredData) { random in RandomValues.data(&random) },
    .init(\.defaultData) { random in RandomValues.data(&random) },
    .init(optional: \.optionalData) { random in RandomValues.data(&random) },
    .init(optional: \.optionalDefaultData) { random in RandomValues.data(&random) },
    .init(\.requiredUUID) { _ in UUID() },
    .init(\.defaultUUID) { _ in UUID() },
    .init(optional: \.optionalUUID) { _ in UUID() },
    .init(optional: \.optionalDefaultUUID) { _ in UUID() },
    .init(\.requiredURL) { random in URL(filePath: "/\(random.next())") },
    .init(\.defaultURL) { random in URL(filePath: "/\(random.next())") },
    .init(optional: \.optionalURL) { random in URL(filePath: "/\(random.next())") },
    .init(optional: \.optionalDefaultURL) { random in URL(filePath: "/\(random.next())") },
    .init(\.requiredText) { random in TextKind.allCases.randomElement(using: &random) ?? .first },
    .init(\.defaultText) { random in TextKind.allCases.randomElement(using: &random) ?? .first },
    .init(optional: \.optionalText) { random in TextKind.allCases.randomElement(using: &random) ?? .first },
    .init(optional: \.optionalDefaultText) { random in TextKind.allCases.randomElement(using: &random) ?? .first },
    .init(\.requiredNumber) { random in NumberKind.allCases.randomElement(using: &random) ?? .one },
    .init(\.defaultNumber) { random in NumberKind.allCases.randomElement(using: &random) ?? .one },
    .init(optional: \.optionalNumber) { random in NumberKind.allCases.randomElement(using: &random) ?? .one },
    .init(optional: \.optionalDefaultNumber) { random in NumberKind.allCases.randomElement(using: &random) ?? .one },
    .init(\.requiredCase) { random in CaseKind.allCases.randomElement(using: &random) ?? .north },
    .init(\.defaultCase) { random in CaseKind.allCases.randomElement(using: &random) ?? .north },
    .init(optional: \.optionalCase) { random in CaseKind.allCases.randomElement(using: &random) ?? .north },
    .init(optional: \.optionalDefaultCase) { random in CaseKind.allCases.randomElement(using: &random) ?? .north },
    .init(\.requiredStruct) { random in RandomValues.point(&random) },
    .init(\.defaultStruct) { random in RandomValues.point(&random) },
    .init(optional: \.optionalStruct) { random in RandomValues.point(&random) },
    .init(optional: \.optionalDefaultStruct) { random in RandomValues.point(&random) },
    .init(\.requiredNested) { random in RandomValues.segment(&random) },
    .init(\.defaultNested) { random in RandomValues.segment(&random) },
    .init(optional: \.optionalNested) { random in RandomValues.segment(&random) },
    .init(optional: \.optionalDefaultNested) { random in RandomValues.segment(&random) },
    .init(\.requiredNumbers) { random in Array(0..<Int.random(in: 0..<4, using: &random)) },
    .init(\.defaultNumbers) { random in Array(0..<Int.random(in: 0..<4, using: &random)) },
    .init(optional: \.optionalNumbers) { random in Array(0..<Int.random(in: 0..<4, using: &random)) },
    .init(optional: \.optionalDefaultNumbers) { random in Array(0..<Int.random(in: 0..<4, using: &random)) },
    .init(\.requiredTexts) { random in [RandomValues.text(&random), RandomValues.text(&random)] },
    .init(\.defaultTexts) { random in [RandomValues.text(&random), RandomValues.text(&random)] },
    .init(optional: \.optionalTexts) { random in [RandomValues.text(&random), RandomValues.text(&random)] },
    .init(optional: \.optionalDefaultTexts) { random in [RandomValues.text(&random), RandomValues.text(&random)] },
    .init(\.requiredStructs) { random in [RandomValues.point(&random)] },
    .init(\.defaultStructs) { random in [RandomValues.point(&random)] },
    .init(optional: \.optionalStructs) { random in [RandomValues.point(&random)] },
    .init(optional: \.optionalDefaultStructs) { random in [RandomValues.point(&random)] },
  ]
}
