import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

struct XMLLocationTests {
  @Test func `elements and attributes know their line and column`() throws {
    let text = """
      <?xml version="1.0"?>
      <!-- Bücher
        <x y="1"/> -->
      <m a="1"
         é='2'>ö<x  b = "3"/>
      \t<y/></m>
      """
    let root = try XMLDocument(parsing: text, file: "m.xml").root
    #expect(root.location == DiagnosticLocation(file: "m.xml", line: 4, column: 1))
    #expect(root.attributes.map(\.nameLocation?.description) == ["m.xml:4:4", "m.xml:5:4"])
    #expect(root.attributes.map(\.valueLocation?.description) == ["m.xml:4:7", "m.xml:5:7"])
    #expect(root.elements.map(\.location?.description) == ["m.xml:5:11", "m.xml:6:2"])
    #expect(root.elements[0].attributes[0].nameLocation?.description == "m.xml:5:15")
    #expect(root.elements[0].attributes[0].valueLocation?.description == "m.xml:5:20")
  }

  @Test(arguments: ["\n", "\r\n", "\r"]) func `every kind of line end ends a line`(newline: String) throws {
    let root = try XMLDocument(parsing: "<m>\(newline)\(newline)  <x/></m>").root
    #expect(root.elements[0].location == DiagnosticLocation(line: 3, column: 3))
  }

  @Test func `a byte-order mark takes no column`() throws {
    let root = try XMLDocument(parsing: "\u{FEFF}<m a='1'/>").root
    #expect(root.location == DiagnosticLocation(line: 1, column: 1))
    #expect(root.attributes[0].valueLocation == DiagnosticLocation(line: 1, column: 7))
  }

  @Test func `a place inside a value is found behind references and line ends`() throws {
    let text = "<m>\n  <e v = 'a&quot;b&#10;c&#x1F600;d\né\r\nf' w=\"&quot;x\"/></m>"
    let element = try XMLDocument(parsing: text, file: "m.xml").root.elements[0]
    let value = element.attributes[0]
    #expect(value.value == "a\"b\nc😀d é f")
    let places = (0...11).map { value.location(ofScalarAt: $0).map { "\($0.line):\($0.column)" } }
    #expect(
      places == [
        "2:11", "2:12", "2:18", "2:19", "2:24", "2:25", "2:34", "2:35", "3:1", "3:2", "4:1", "4:2",
      ])
    // After the end there is only the closing quote.
    #expect(value.location(ofScalarAt: 99) == value.location(ofScalarAt: 11))
    let index = try #require(value.value.firstIndex(of: "é"))
    #expect(value.location(of: index)?.description == "m.xml:3:1")
    // Written in the usual form, so only the value is remembered; a quote still takes six columns.
    #expect(element.attributes[1].written == nil)
    #expect(element.attributes[1].location(ofScalarAt: 1)?.description == "m.xml:4:13")
  }

  @Test func `an attribute made in code has no location`() {
    #expect(XMLAttribute(name: "a", value: "b").location(ofScalarAt: 0) == nil)
  }

  @Test func `a location is the same in another encoding`() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<m é=\"ü\" a=\"1\"/>"
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let root = try XMLDocument(parsing: Data(bytes)).root
    #expect(root.attributes[1].valueLocation == DiagnosticLocation(line: 2, column: 13))
  }
}
