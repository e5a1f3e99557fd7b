import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct MalformedPropertyListTests {
  private static let damaged = "compile the model again, or restore the file from a backup"
  private static let otherKind = "it may be a different kind of file, or damaged"

  /// Builds a binary list from its objects and its trailer.
  private static func binary(
    _ objects: [[UInt8]], offsets: [UInt8]? = nil, referenceSize: UInt8 = 1, count: UInt64? = nil, root: UInt64 = 0
  ) -> Data {
    var data = Data("bplist00".utf8)
    var starts: [UInt8] = []
    for object in objects {
      starts.append(UInt8(data.count))
      data.append(contentsOf: object)
    }
    let table = UInt64(data.count)
    data.append(contentsOf: offsets ?? starts)
    data.append(contentsOf: [0, 0, 0, 0, 0, 0, 1, referenceSize])
    for number in [count ?? UInt64(objects.count), root, table] {
      data.append(contentsOf: withUnsafeBytes(of: number.bigEndian, Array.init))
    }
    return data
  }

  static let binaries: [(Data, String, String)] = [
    (Data(), "is not a property list", otherKind),
    (Data("Not a plist\n".utf8), "is not a property list", otherKind),
    (Data("{ a = b; }".utf8), "is not a property list", otherKind),
    (Data("bplist".utf8), "is not a property list", otherKind),
    (Data("bplist15".utf8), "is not a property list", otherKind),
    (Data("bplist00".utf8), "is truncated: it is shorter than its own structure requires", damaged),
    (binary([[0x09]]).dropLast(), "is truncated: it is shorter than its own structure requires", damaged),
    (binary([[0x09]], count: 2), "is truncated: it is shorter than its own structure requires", damaged),
    (binary([[0x09]], count: .max), "is truncated: it is shorter than its own structure requires", damaged),
    (binary([[0x09]], root: 1), "is damaged: its root is object 1, but its object count is 1", damaged),
    (binary([[0x09]], offsets: [200]), "is damaged: object 0 is outside the file", damaged),
    (binary([[0x09]], offsets: [0]), "is damaged: object 0 is outside the file", damaged),
    (binary([[0xA1, 0]]), "is damaged: object 0 contains itself", damaged),
    (binary([[0xA1, 1], [0xA1, 0]]), "is damaged: object 0 contains itself", damaged),
    (binary([[0xA1, 9]]), "is damaged: it refers to object 9, but its object count is 1", damaged),
    (binary([[0x55, 0x61]]), "is damaged: object 0 is outside the file", damaged),
    (
      binary([[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
      "is damaged: object 0 is outside the file", damaged
    ),
    (
      binary([[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], referenceSize: 8),
      "is damaged: object 0 is outside the file", damaged
    ),
    (binary([[0x5F, 0x09]]), "is damaged: object 0 has no count", damaged),
    (binary([[0x51, 0xFF]]), "is damaged: object 0 is not valid text", damaged),
    (binary([[0xF0]]), "is damaged: object 0 is of unknown kind 240", damaged),
    (binary([[0x00]]), "is damaged: object 0 is of unknown kind 0", damaged),
    (binary([[0xD1, 1, 1], [0x09]]), "is damaged: dictionary 0 has a key that is not text", damaged),
    (
      binary([[0x87] + [UInt8](repeating: 0xFF, count: 8)]), "is damaged: object 0 is a reference past the last object",
      damaged
    ),
    (
      binary([[0x14] + [UInt8](repeating: 0x11, count: 16)]), "is damaged: object 0 is a number beyond 64 bits", damaged
    ),
    // Two objects that claim the same bytes: no writer does this, and thousands of them would fill the memory.
    (
      binary([[0xA3, 1, 1, 1] + [UInt8](repeating: 0x51, count: 2)], offsets: [8, 8], count: 2),
      "is damaged: object 1 contains itself", damaged
    ),
  ]

  @Test(arguments: binaries.indices)
  func `a malformed binary list yields a precise error`(index: Int) {
    let (data, problem, remedy) = Self.binaries[index]
    #expect(message(data) == "'a.plist' \(problem)\n  \(remedy)")
  }

  static let texts: [(String, String)] = [
    ("<html><p>Hello</p></html>", "is not a property list"),
    ("<plist>", "is truncated: it is shorter than its own structure requires"),
    ("<plist></plist>", "is damaged: it has no value"),
    ("<plist><string>a", "is truncated: it is shorter than its own structure requires"),
    ("<plist><dict><string/></dict></plist>", "is damaged: a value of a dictionary has no key"),
    ("<plist><dict><key>a</key></dict></plist>", "is damaged: </dict> closes an element that is not open"),
    ("<plist><dict></array></plist>", "is damaged: </array> closes an element that is not open"),
    ("<plist><array><key>a</key></array></plist>", "is damaged: there is a <key> where no key belongs"),
    ("<plist><string>a</integer></plist>", "is damaged: <string> is closed by </integer>"),
    ("<plist><string><b/></string></plist>", "is damaged: there is an element within <string>"),
    ("<plist><string>&lol;</string></plist>", "is damaged: the entity 'lol' is not known"),
    ("<plist><string>&</string></plist>", "is damaged: '&' does not begin an entity"),
    ("<plist><integer>one</integer></plist>", "is damaged: the contents of an element <integer> do not match its type"),
    ("<plist><date>yesterday</date></plist>", "is damaged: the contents of an element <date> do not match its type"),
    ("<plist><money/></plist>", "is damaged: <money> is not an element of a property list"),
    ("<plist>text</plist>", "is damaged: there is text where an element belongs"),
    (
      "<plist><dict><key>CF$UID</key><integer>-1</integer></dict></plist>",
      "is damaged: it has a reference past the last object"
    ),
    (
      String(repeating: "<plist>", count: 1) + String(repeating: "<array>", count: 100_000),
      "is damaged: it nests containers more than 128 levels deep"
    ),
  ]

  @Test(arguments: texts.indices)
  func `a malformed XML list yields a precise error`(index: Int) {
    let (text, problem) = Self.texts[index]
    let first = message(Data(text.utf8)).split(separator: "\n").first ?? ""
    #expect(first == "'a.plist' \(problem)")
  }

  @Test func `the last of two values of a key counts`() throws {
    let list = Self.binary([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08]])
    #expect(try PropertyList(data: list) == .dictionary(["a": .boolean(false)]))
  }

  @Test func `containers that are nested without end are refused`() {
    let deep = (0..<200).reduce(PropertyList.boolean(true)) { list, _ in .array([list]) }
    #expect(
      message(deep.binaryData)
        == "'a.plist' is damaged: it nests containers more than 128 levels deep\n  \(Self.damaged)")
  }

  @Test func `a list that doubles with every level is refused`() {
    // Object n is an array of object n + 1, twice: a hundred levels would be 2^100 values.
    let objects = (0..<100).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    let offsets = (0...100).map { UInt8(truncatingIfNeeded: 8 + $0 * 3) }
    // One byte of offset reaches far enough for 80 of them.
    let data = Self.binary(Array(objects[..<80]) + [[0x09]], offsets: Array(offsets[...80]))
    #expect(
      message(data) == "'a.plist' is damaged: its parts refer to each other so often that they would exhaust memory"
        + "\n  \(Self.damaged)")
  }

  @Test func `objects that claim the same bytes over and over are refused`() {
    // A thousand arrays over the same bytes, each claiming most of the file.
    let count = 200
    var data = Data("bplist00".utf8)
    data.append(contentsOf: [0xAF, 0x11, 0, UInt8(count - 1)] + (1..<count).map { UInt8($0) })
    let second = data.count
    data.append(contentsOf: [0x4F, 0x11, 0x01, 0x00] + [UInt8](repeating: 0, count: 256))
    let table = data.count
    for index in 0..<count {
      data.append(contentsOf: withUnsafeBytes(of: UInt16(index == 0 ? 8 : second).bigEndian, Array.init))
    }
    data.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
    for number in [count, 0, table] { data.append(contentsOf: withUnsafeBytes(of: number.bigEndian, Array.init)) }
    #expect(
      message(data) == "'a.plist' is damaged: its parts refer to each other so often that they would exhaust memory"
        + "\n  \(Self.damaged)")
  }

  @Test(arguments: Seeds.some(of: 1..<301))
  func `a list with changed bytes is read or refused, and nothing else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = [UInt8](PropertyListTests.list(depth: 3, using: &random).binaryData)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    if let list = try? PropertyList(data: Data(bytes)) {
      // An accepted list can be written, with the same meaning; a NaN is not equal to itself.
      #expect(list.binaryData == (try? PropertyList(data: list.binaryData))?.binaryData, "seed \(seed)")
    }
  }

  private func message(_ data: Data) -> String {
    do {
      _ = try PropertyList(data: data, subject: "'a.plist'")
      return "no error"
    } catch {
      return error.problem + (error.remedy.map { "\n  \($0)" } ?? "")
    }
  }
}
