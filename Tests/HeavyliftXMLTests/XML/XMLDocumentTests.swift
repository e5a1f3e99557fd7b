import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

struct XMLDocumentTests {
  /// Texts that are well-formed but unlike anything that Xcode writes.
  static let unusual: [String] = [
    "<a/>", "<a />", "<a></a>", "<a></a >", "<a\n/>", "<a x='1'/>", "<a x=\"1\"   y = '2'\n\tz\n=\n\"3\"/>",
    "\u{FEFF}<a/>", "<?xml version='1.0'?><a/>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<a>\r\n</a>\r\n",
    "<!-- before --><a/><!-- after -->\n", "<?before it?><a/><?after it?>",
    "<a><!-- <b> & - --></a>",
    "<a><![CDATA[<b> & ]]></a>", "<a>]]&gt;</a>", "<a>x &lt; y &amp; z &#65; &#x1F600; &quot;</a>",
    "<a>\r\n\t<b/>\r\n</a>", "<a>\r<b/>\r</a>", "<a x=\"l1&#10;l2&#13;&#9;'&quot;\"/>",
    "<a x=\"l1\nl2\r\nl3\tl4\rl5\"/>",
    "<a x='\"' y=\"'\"/>", "<a x=\"&lt;&gt;&amp;&apos;&quot;\"/>", "<a x=\">\"/>",
    "<é ü=\"漢字 👩‍👩‍👧\">ö</é>", "<a xmlns=\"urn:u\" xmlns:p=\"urn:v\" p:x=\"1\"><p:b/></a>", "<p:a p:x=\"1\"/>",
    "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\"><a/>",
    "<!DOCTYPE a PUBLIC \"-//X//Y//EN\" '>[x]'>\n<a/>", "<a><b>1</b>2<b/>3<?p?><!----></a>",
    "<a x=\"\u{301}\"/>", "<a x=\"\"/>", "<a>\u{85}\u{2028}</a>",
  ]

  @Test(arguments: unusual) func `reading and writing changes no byte`(text: String) throws {
    let document = try XMLDocument(parsing: text)
    #expect(Array(document.text.utf8) == Array(text.utf8))
  }

  @Test(arguments: unusual) func `values are those that libxml2 reads`(text: String) throws {
    guard !text.contains("<p:a") else { return }  // canonical form requires declared prefixes
    let document = try XMLDocument(parsing: text)
    var plain = document
    plain.root = document.root.forgettingForm
    let expected = try #require(XMLCanonicalForm.of(Data(text.utf8)))
    #expect(XMLCanonicalForm.of(Data(plain.text.utf8)) == expected)
  }

  @Test func `an element lists its attributes and children in order`() throws {
    let root = try XMLDocument(parsing: "<m b='2' a='1'>t<x/>u<!--c--><y n='&lt;'>v</y></m>", file: "m.xml").root
    #expect(root.name == "m")
    #expect(root.attributes.map(\.name) == ["b", "a"])
    #expect(root["a"] == "1")
    #expect(root["c"] == nil)
    #expect(root.elements.map(\.name) == ["x", "y"])
    #expect(root.elements(named: "y").map { $0["n"] } == ["<"])
    #expect(root.textContent == "tu")
    #expect(root.elements[1].textContent == "v")
  }

  @Test func `a change is written and leaves everything else as it was`() throws {
    var document = try XMLDocument(parsing: "<m  b = '2'  a='1'><x   y='1'/></m>")
    document.root["a"] = "<\"new\">"
    document.root["c"] = "3"
    #expect(document.text == "<m  b = '2' a=\"&lt;&quot;new&quot;&gt;\" c=\"3\"><x   y='1'/></m>")
    document.root["a"] = nil
    document.root.children.removeAll()
    #expect(document.text == "<m  b = '2' c=\"3\"/>")
    document.root.attributes[0].value = "two"
    document.root.children = [.text(XMLText("a & b")), .element(XMLElement("e"))]
    #expect(document.text == "<m b=\"two\" c=\"3\">a &amp; b<e/></m>")
  }

  @Test(arguments: [
    ("UTF-8", [0xEF, 0xBB, 0xBF] + Array("<?xml version=\"1.0\"?><a x=\"é\"/>".utf8)),
    ("UTF-16LE", [0xFF, 0xFE] + utf16("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a x=\"é\"/>", isBigEndian: false)),
    ("UTF-16BE", [0xFE, 0xFF] + utf16("<?xml version=\"1.0\" encoding=\"utf-16\"?><a x=\"é\"/>", isBigEndian: true)),
    ("UTF-16LE without a mark", utf16("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a x=\"é\"/>", isBigEndian: false)),
    ("UTF-16BE without a mark", utf16("<a x=\"é\"/>", isBigEndian: true)),
    ("Latin-1", latin1("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a x=\"é\"/>")),
  ])
  func `other encodings are read`(name: String, bytes: [UInt8]) throws {
    let document = try XMLDocument(parsing: Data(bytes))
    #expect(document.root["x"] == "é")
    #expect(try XMLDocument(parsing: document.text).root["x"] == "é")
    #expect(!document.prologue.uppercased().contains("UTF-16"))
    #expect(!document.prologue.contains("8859"))
  }

  @Test func `a file is replaced whole and nothing is left beside it`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("m.xml")
    try XMLDocument(root: XMLElement("a")).write(to: file)
    try XMLDocument(root: XMLElement("b")).write(to: file)
    #expect(try String(contentsOf: file, encoding: .utf8) == XMLDocument.declaration + "<b/>")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["m.xml"])
  }

  @Test func `a file that cannot be written is an error and the old one stays`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: DiagnosticList.self) {
      try XMLDocument(root: XMLElement("a")).write(to: folder.appending("missing/m.xml"))
    }
    let path = folder.appending("missing/m.xml").relativePath
    #expect(
      error?.description == """
        error[file.unwritable]: the file '\(path)' cannot be written
          check that its folder exists and is writable, and that the disk has space
        """)
    let blocked = folder.appending("blocked")
    try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: true)
    #expect(throws: DiagnosticList.self) { try XMLDocument(root: XMLElement("a")).write(to: blocked) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["blocked"])
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
}

extension XMLElement {
  /// The same element as a writer that has never seen the file would write it.
  var forgettingForm: XMLElement {
    XMLElement(
      name, attributes: attributes.map { XMLAttribute(name: $0.name, value: $0.value) },
      children: children.map { node in
        switch node {
        case .element(let element): .element(element.forgettingForm)
        case .text(let text): .text(XMLText(text.value))
        case .comment(let text): .comment(XMLText(text.value))
        case .processingInstruction(let text): .processingInstruction(XMLText(text.value))
        }
      })
  }
}
