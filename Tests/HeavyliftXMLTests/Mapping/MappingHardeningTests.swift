import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Files that are truncated, damaged or hostile: each yields a clear error, or is read correctly.
struct MappingHardeningTests {
  @Test func `the sample is valid and canonical`() throws {
    let reading = try MappingReader.read(text: MappingSample.text)
    #expect(reading.diagnostics.isEmpty)
    #expect(try MappingWriter.text(of: reading.mappingModel) == MappingSample.text)
  }

  @Test func `a file that is truncated anywhere is an error`() {
    let whole = Data(MappingSample.text.utf8)
    // After the last bracket there is only a line feed.
    for length in 0..<(whole.count - 1) {
      #expect(!Self.diagnostics(of: whole.prefix(length)).isEmpty, "cut behind \(length) bytes")
    }
    #expect(Self.diagnostics(of: whole.prefix(whole.count - 1)).isEmpty)
  }

  @Test func `a file in UTF-16 that is truncated anywhere is an error`() throws {
    let whole = try #require(MappingSample.text.data(using: .utf16LittleEndian))
    for length in 0..<(whole.count - 2) {
      #expect(!Self.diagnostics(of: Data([0xFF, 0xFE]) + whole.prefix(length)).isEmpty, "cut behind \(length) bytes")
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func `a file in UTF-16 is the same mapping with the same places`(encoding: String.Encoding) throws {
    let mark = Data(encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF])
    let data = mark + (try #require(MappingSample.text.data(using: encoding)))
    let (plain, wide) = (try MappingReader.read(text: MappingSample.text), try MappingReader.read(data: data))
    #expect(wide.mappingModel == plain.mappingModel)
    #expect(try MappingWriter.text(of: wide.mappingModel) == MappingSample.text)
    let damaged = MappingSample.text.replacing("seconds &lt; 600", with: "sekünde &lt;&lt;")
    let wideDamaged = mark + (try #require(damaged.data(using: encoding)))
    #expect(Self.diagnostics(of: wideDamaged) == Self.diagnostics(of: Data(damaged.utf8)))
    #expect(!Self.diagnostics(of: wideDamaged).isEmpty)
  }

  @Test func `a byte-order mark is not part of the text`() throws {
    let reading = try MappingReader.read(text: "\u{FEFF}" + MappingSample.text)
    #expect(reading.diagnostics.isEmpty)
    #expect(try MappingWriter.text(of: reading.mappingModel) == MappingSample.text)
  }

  @Test func `a million attributes are refused`() {
    let attributes = (0..<1_000_000).map { "a\($0)=''" }.joined(separator: " ")
    expect(
      "<mapping-model>\n <entity-mapping \(attributes)/></mapping-model>",
      """
      a.xml:2:2: error[xml.too-many-attributes]: an element has more than 1000 attributes
        no model or mapping has that many: check that this is the right file
      """)
  }

  @Test func `mistakes are reported up to a limit`() throws {
    let text = "<mapping-model>\n" + String(repeating: "<x/>\n", count: 20_000) + "</mapping-model>"
    let diagnostics = try MappingReader.read(text: text, file: "a.xml").diagnostics
    #expect(diagnostics.count == 1001)
    #expect(
      diagnostics.last?.description == """
        a.xml:1002:1: error[mapping-file.too-many-mistakes]: the file has more mistakes than are listed
          check that this is the right file
        """)
  }

  @Test func `very many elements are refused`() {
    expect(
      "<mapping-model>\n" + String(repeating: "<a/>", count: 250_000) + "</mapping-model>",
      """
      a.xml:2:799999: error[xml.too-many-elements]: the file has more than 200000 elements
        no model or mapping has that many: check that this is the right file
      """)
  }

  @Test func `a file that is too large is refused`() {
    expect(
      "<mapping-model source=\"" + String(repeating: "a", count: 17 << 20) + "\"/>",
      """
      a.xml:1:1: error[xml.too-large]: the file has more than 16777216 bytes
        no model or mapping is that large: check that this is the right file
      """)
  }

  @Test func `a value that is too large is refused`() {
    expect(
      "<mapping-model source=\"" + String(repeating: "a", count: 12_000_000) + "\"/>",
      """
      a.xml:1:23: error[xml.too-large]: some text or an attribute value is too large
        check that this is the right file
      """)
  }

  @Test func `an expression that is too long is refused`() {
    expect(
      "<mapping-model><entity-mapping source='A' where='\(String(repeating: " ", count: 1_000_000))a'/></mapping-model>",
      """
      a.xml:1:50: error[expression.too-long]: the text has more than 1000000 characters
        shorten it, or move part of it into a function
      """)
  }

  @Test func `an expression that is nested too deep is refused`() {
    let brackets = String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
    let diagnostics = Self.diagnostics(
      of: Data(
        """
        <mapping-model><entity-mapping source="A" destination="A"><attribute name="a" value="\(brackets)"/>\
        </entity-mapping></mapping-model>
        """.utf8))
    #expect(diagnostics.map(\.code) == ["expression.too-deep"])
  }

  @Test func `a long value is shortened in messages`() {
    let name = String(repeating: "a", count: 1_000_000)
    expect(
      "<mapping-model copy='\(name)'/>",
      """
      a.xml:1:22: error[mapping-file.unknown-copy]: the mapping model has invalid copy="\(String(repeating: "a", count: 60))…"
        available: 'everything', 'listed', 'same-name'
      """)
  }

  private func expect(_ text: String, _ message: String, at location: SourceLocation = #_sourceLocation) {
    let diagnostics = Self.diagnostics(of: Data(text.utf8), file: "a.xml")
    #expect(diagnostics.map(\.description).joined(separator: "\n") == message, sourceLocation: location)
  }

  static func diagnostics(of data: Data, file: String? = nil) -> [Diagnostic] {
    do {
      return try MappingReader.read(data: data, file: file).diagnostics
    } catch {
      return error.diagnostics
    }
  }
}
