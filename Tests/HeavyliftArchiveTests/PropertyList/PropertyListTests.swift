import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct PropertyListTests {
  /// One value of each kind, at the limits of its encodings.
  static let samples: [PropertyList] =
    [
      .boolean(true), .boolean(false), .real(0), .real(-1.5), .real(.infinity), .real(.greatestFiniteMagnitude),
      .date(Date(timeIntervalSinceReferenceDate: -0.25)), .unsigned(.max), .unsigned(1 << 63),
      .data(Data()), .data(Data([0])), .data(Data(repeating: 7, count: 14)), .data(Data(repeating: 7, count: 15)),
      .data(Data(repeating: 7, count: 70_000)), .string(""), .string("a"), .string(String(repeating: "x", count: 14)),
      .string(String(repeating: "x", count: 15)), .string(String(repeating: "ü", count: 300)), .string("𝄞 e\u{301}"),
      .uid(0), .uid(255), .uid(256), .uid(70_000), .uid(1 << 40), .array([]), .dictionary([:]),
      .array([.array([.array([])])]), .dictionary(["": .dictionary(["ключ": .array([.boolean(true)])])]),
    ]
    + [0, 1, -1, 127, 128, 255, 256, 65535, 65536, 1 << 32 - 1, 1 << 32, .max, .min].map { .integer($0) }

  @Test func `what was written reads back`() throws {
    for sample in Self.samples + [.array(Self.samples)] {
      #expect(try PropertyList(data: sample.binaryData) == sample)
    }
  }

  @Test func `scalars that are equal but not the same keep their bytes`() throws {
    let list = PropertyList.array([
      .string("\u{E9}"), .string("e\u{301}"), .real(0), .real(-0.0), .dictionary(["e\u{301}": .string("\u{E9}")]),
    ])
    let read = try #require(try PropertyList(data: list.binaryData).array)
    #expect(read.prefix(2).map { $0.string.map { Array($0.utf8) } } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    #expect(read[2] == .real(0) && read[3] == .real(-0.0))
    guard case (.real(let plus), .real(let minus)) = (read[2], read[3]) else { return }
    #expect([plus.sign, minus.sign] == [.plus, .minus])
    #expect(read[4].dictionary?.first.map { Array($0.key.utf8) } == [0x65, 0xCC, 0x81])
    #expect(read[4].dictionary?.first?.value.string.map { Array($0.utf8) } == [0xC3, 0xA9])
  }

  @Test func `keys that are equal but not the same keep their bytes`() throws {
    let keys = ["\u{E9}", "e\u{301}", "\u{E9}", "e\u{301}"]
    let list = PropertyList.array(keys.map { .dictionary([$0: .boolean(true)]) })
    let read = try #require(try PropertyList(data: list.binaryData).array)
    #expect(read.compactMap { $0.dictionary?.keys.first.map { Array($0.utf8) } } == keys.map { Array($0.utf8) })
  }

  @Test func `Foundation reads what was written`() throws {
    let list = PropertyList.dictionary([
      "flag": .boolean(true), "number": .integer(-5), "real": .real(2.5), "text": .string("Grüße"),
      "data": .data(Data([1, 2])), "list": .array([.integer(1), .integer(300)]),
      "date": .date(Date(timeIntervalSinceReferenceDate: 1)),
    ])
    let read = try #require(
      try PropertyListSerialization.propertyList(from: list.binaryData, format: nil) as? [String: Any])
    #expect(read["flag"] as? Bool == true)
    #expect(read["number"] as? Int == -5)
    #expect(read["real"] as? Double == 2.5)
    #expect(read["text"] as? String == "Grüße")
    #expect(read["data"] as? Data == Data([1, 2]))
    #expect(read["list"] as? [Int] == [1, 300])
    #expect(read["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `what Foundation wrote is read`(format: PropertyListSerialization.PropertyListFormat) throws {
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    let plist: [String: Any] = [
      "flag": true, "number": -5, "real": 2.5, "text": "<Grüße & \"Küsse\">", "data": Data([1, 2]), "date": date,
      "list": [1, 300], "empty": [String: Any](),
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0)
    #expect(
      try PropertyList(data: data)
        == .dictionary([
          "flag": .boolean(true), "number": .integer(-5), "real": .real(2.5), "text": .string("<Grüße & \"Küsse\">"),
          "data": .data(Data([1, 2])), "date": .date(date), "list": .array([.integer(1), .integer(300)]),
          "empty": .dictionary([:]),
        ]))
  }

  @Test(arguments: Seeds.some(of: 1..<201))
  func `any list reads back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let list = Self.list(depth: 4, using: &random)
    #expect(try PropertyList(data: list.binaryData) == list, "seed \(seed)")
  }

  static func list(depth: Int, using random: inout SeededGenerator) -> PropertyList {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
    case 0: .boolean(.random(using: &random))
    case 1: .integer(.random(in: .min ... .max, using: &random))
    case 2: .integer(.random(in: -300...300, using: &random))
    case 3: .real(.random(in: -1e9...1e9, using: &random))
    case 4: .uid(.random(in: 0...1000, using: &random))
    case 5:
      .data(Data((0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }))
    case 6: .date(Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random)))
    case 7: .string(text(using: &random))
    case 8: .array((0..<Int.random(in: 0...20, using: &random)).map { _ in list(depth: depth - 1, using: &random) })
    default:
      .dictionary(
        Dictionary(
          (0..<Int.random(in: 0...20, using: &random)).map { _ in
            (text(using: &random), list(depth: depth - 1, using: &random))
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private static func text(using random: inout SeededGenerator) -> String {
    let letters = Array("abcXYZ 019.$é漢𝄞")
    return String(
      (0..<Int.random(in: 0...20, using: &random)).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)]
      })
  }

  /// The XML form, as written by people and old tools.
  static let xml: [(String, PropertyList)] = [
    ("<plist version=\"1.0\"><string/></plist>", .string("")),
    ("\u{FEFF}<?xml version=\"1.0\"?>\n<plist><true/></plist>", .boolean(true)),
    (
      "<!DOCTYPE plist PUBLIC \"-//A\" \"http://x/PropertyList-1.0.dtd\" [<!ENTITY a \"b>\">]><plist><false/></plist>",
      .boolean(false)
    ),
    (
      "<plist><!-- <dict> --><array ><integer> 12 </integer><integer>0x1F</integer></array></plist>",
      .array([.integer(12), .integer(31)])
    ),
    (
      "<plist><string>a &lt;&amp;&gt; &#65;&#x42; <![CDATA[<&>]]> <!-- c -->z</string></plist>",
      .string("a <&> AB <&> z")
    ),
    ("<plist><dict><key>CF$UID</key><integer>7</integer></dict></plist>", .uid(7)),
    (
      "<plist><dict><key>k</key><dict/><key>l</key><array/></dict></plist>",
      .dictionary(["k": .dictionary([:]), "l": .array([])])
    ),
    ("<plist><integer>18446744073709551615</integer></plist>", .unsigned(.max)),
    ("<plist><date>2001-01-02T00:00:00Z</date></plist>", .date(Date(timeIntervalSinceReferenceDate: 86_400))),
    ("<plist><data>\n\tAQI=\n\t</data></plist>", .data(Data([1, 2]))),
    ("<plist><real>1e3</real></plist>", .real(1000)),
  ]

  @Test(arguments: xml.indices)
  func `the XML form is read`(index: Int) throws {
    #expect(try PropertyList(data: Data(Self.xml[index].0.utf8)) == Self.xml[index].1)
  }
}
