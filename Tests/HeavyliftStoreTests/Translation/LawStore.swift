import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport

@testable import HeavyliftStore

/// A store with every type of attribute, every kind of relationship, and awkward values.
struct LawStore {
  let store: TestStore
  let rows: [ManagedObject]

  static let model = ManagedObjectModel(
    name: "Law",
    entities: [
      EntityDescription(
        name: "Row",
        attributes: [
          Models.attribute("i16", .integer16), Models.attribute("i32", .integer32), Models.attribute("i64", .integer64),
          Models.attribute("j64", .integer64), Models.attribute("dec", .decimal), Models.attribute("num", .decimal),
          Models.attribute("dbl", .double), Models.attribute("ebl", .double), Models.attribute("flt", .float),
          Models.attribute("str", .string), Models.attribute("txt", .string), Models.attribute("flag", .boolean),
          Models.attribute("flop", .boolean), Models.attribute("day", .date), Models.attribute("eve", .date),
          Models.attribute("ident", .uuid), Models.attribute("jdent", .uuid), Models.attribute("link", .uri),
          Models.attribute("bytes", .binaryData), Models.attribute("thing", .transformable),
        ],
        relationships: [
          Models.toOne("owner", "Owner", "rows"), Models.toMany("tags", "Tag", "rows"),
          Models.toMany("parts", "Part", "row", isOrdered: true),
        ]),
      EntityDescription(name: "SubRow", superentityName: "Row", attributes: [Models.attribute("extra", .integer16)]),
      EntityDescription(
        name: "Owner",
        attributes: [
          Models.attribute("i64", .integer64), Models.attribute("dbl", .double), Models.attribute("str", .string),
          Models.attribute("day", .date), Models.attribute("flag", .boolean), Models.attribute("dec", .decimal),
        ],
        relationships: [
          Models.toMany("rows", "Row", "owner"), Models.toOne("boss", "Owner", "staff"),
          Models.toMany("staff", "Owner", "boss"),
        ]),
      EntityDescription(
        name: "Tag",
        attributes: [
          Models.attribute("str", .string), Models.attribute("i64", .integer64), Models.attribute("dbl", .double),
        ],
        relationships: [Models.toMany("rows", "Row", "tags")]),
      EntityDescription(
        name: "Part",
        attributes: [
          Models.attribute("str", .string), Models.attribute("i64", .integer64), Models.attribute("day", .date),
        ],
        relationships: [Models.toOne("row", "Row", "parts")]),
    ])

  init(rowCount: Int, using generator: inout SeededGenerator) throws {
    let store = try TestStore(LawStore.model)
    func fill(_ object: ManagedObject) throws {
      for attribute in object.runtime.attributes where Int.random(in: 0..<6, using: &generator) > 0 {
        try object.setValue(
          LawValues.value(attribute.type, using: &generator), forKey: attribute.description.name)
      }
    }
    var (owners, tags): ([ManagedObject], [ManagedObject]) = ([], [])
    for _ in 0..<8 { owners.append(try store.context.insert("Owner")) }
    for _ in 0..<8 { tags.append(try store.context.insert("Tag")) }
    for owner in owners {
      try fill(owner)
      if Bool.random(using: &generator) { owner[toOne: "boss"] = owners.randomElement(using: &generator) }
    }
    for tag in tags { try fill(tag) }
    for index in 0..<rowCount {
      let row = try store.context.insert(index % 7 == 3 ? "SubRow" : "Row")
      try fill(row)
      if Int.random(in: 0..<4, using: &generator) > 0 { row[toOne: "owner"] = owners.randomElement(using: &generator) }
      for tag in tags where Int.random(in: 0..<5, using: &generator) == 0 { try row.add(tag, to: "tags") }
      for _ in 0..<[0, 0, 1, 2, 3][Int.random(in: 0..<5, using: &generator)] {
        let part = try store.context.insert("Part")
        try fill(part)
        try row.add(part, to: "parts")
      }
    }
    try store.context.save()
    try store.reopen()
    self.store = store
    rows = try store.fetch("Row")
    // Faults are read once, and not for every expression.
    for row in rows { for name in ["owner", "tags", "parts"] { _ = try row.value(forKey: name) as ExpressionValue } }
  }
}

/// Awkward values: ends of ranges, null, texts that look alike.
enum LawValues {
  static let integers: [Int64] = [
    0, 1, -1, 2, 3, 7, -7, 10, 100, 63, 64, .max, .min, .max - 1, .min + 1, 1 << 53, 1 << 53 + 1, -1 << 53 - 1, 1 << 62,
    3_037_000_500, 4_294_967_296,
  ]
  static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 2.5, -2.5, 0.1, 3, 1e-300, 1e300, -1e300, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 0x1p53, 0x1p63, -0x1p63, 9.007199254740993e15, 1.0 / 3,
  ]
  static let decimals: [Decimal] = [
    0, 1, -1, Decimal(string: "0.1") ?? 0, Decimal(string: "2.5") ?? 0,
    Decimal(string: "12345678901234567890.123") ?? 0,
    Decimal(string: "1e100") ?? 0, Decimal(string: "-1e-100") ?? 0, Decimal(Int64.max),
    Decimal(string: "9223372036854775808") ?? 0,
    Decimal.greatestFiniteMagnitude, 3,
  ]
  static let texts: [String] = [
    "", "a", "A", "b", "ab", "Ab", "abc", "ABC", "é", "e\u{301}", "É", "e", "ß", "ss", "SS", "ẞ", "İ", "i", "I", "ı",
    "i\u{307}",
    "ﬁ", "fi", "Σ", "ς", "σ", "ａ", "ｂ", "👍", "👍🏽", "👨‍👩‍👧", "u\u{308}x", "üx", "u", "x", "1", "10", "1.5", " ", "\n", "a\nb",
    "\r\n",
    "a\u{0}b", "*", "?", "a*", "?b", "\\*", "a?c", "[a-c]", ".*", "a.c", "(", "\\d+", "12abc", "nan", "inf", "1e3", "%",
    "_",
    "o\u{338}", "ø", "Æ", "ae", "が", "か\u{3099}", "か", "カ", "\u{301}", "5CA7D2C4-0B0E-4F0B-9F1B-0123456789AB",
    "2024-01-31", "2024-02-30",
    "31.03.2024 02:30", "27.10.2024 02:30", "Jan 31, 2024", "2024-01-31 10:00:00 +0000", "2024-01-31T10:00:00.5Z",
    "0001-01-01",
  ]
  static let dates: [Double] = [0, 1, -1, 0.5, 86_400, 1e9, -1e9, 1.5e300, 517_708_800, 0.1, 12_345.678]
  static let identifiers: [UUID] = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    UUID(uuid: (127, 2, 3, 4, 5, 6, 7, 200, 9, 10, 11, 12, 13, 14, 15, 16)),
  ]
  static let blobs: [Data] = [Data(), Data([0]), Data([1]), Data("NaN".utf8), Data([255, 0, 1])]

  static func value(_ type: AttributeType, using generator: inout SeededGenerator) -> Value {
    func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &generator) }
    switch type {
    case .integer16: return .integer(Int64(Int16(truncatingIfNeeded: pick(integers) ?? 0)))
    case .integer32: return .integer(Int64(Int32(truncatingIfNeeded: pick(integers) ?? 0)))
    case .integer64: return .integer(pick(integers) ?? 0)
    case .double: return .double(pick(doubles) ?? 0)
    case .float: return .double(Double(Float(pick(doubles) ?? 0)))
    case .decimal: return .decimal(pick(decimals) ?? 0)
    case .string: return .string(pick(texts) ?? "")
    case .boolean: return .bool(Bool.random(using: &generator))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: pick(dates) ?? 0))
    case .uuid: return .uuid(pick(identifiers) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: return .uri(pick(["x:a", "x:A", "http://example.org/é", ""]) ?? "")
    case .binaryData, .transformable: return .data(pick(blobs) ?? Data())
    case .undefined, .objectID, .composite: return .null
    }
  }
}
