import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

struct XMLHardeningTests {
  private func message(_ text: String, limits: XMLLimits = XMLLimits()) -> String? {
    do {
      _ = try XMLDocument(parsing: text, file: "x.xml", limits: limits)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `an XML entity that would expand exponentially is refused`() {
    let entities = (1...30).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
    #expect(
      message("<!DOCTYPE a [<!ENTITY e0 \"ha\">\(entities)]><a>&e30;</a>") == """
        x.xml:1:13: error[xml.document-type]: the document type declares its own entities or attributes
          write their text where they are used, and remove the part in brackets
        """)
  }

  @Test func `a parameter entity, a default attribute, and an empty subset are refused alike`() {
    for subset in ["<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;", "<!ATTLIST a x CDATA 'y'>", ""] {
      #expect(message("<!DOCTYPE a [\(subset)]><a/>")?.contains("error[xml.document-type]") == true)
    }
  }

  @Test func `a document type hidden behind comments is found`() {
    #expect(
      message("<?xml version='1.0'?>\n<!-- <a> --><?p <a> ?>\n<!DOCTYPE a PUBLIC '[' \"[\" [<!ENTITY e 'x'>]><a/>")
        == """
        x.xml:3:28: error[xml.document-type]: the document type declares its own entities or attributes
          write their text where they are used, and remove the part in brackets
        """)
  }

  @Test func `a file named in a document type declaration is not read`() throws {
    let folder = try TemporaryFolder()
    let type = folder.appending("a.dtd")
    try "<!ENTITY secret 'told'>".write(to: type, atomically: true, encoding: .utf8)
    #expect(
      message("<!DOCTYPE a SYSTEM \"\(type.absoluteString)\">\n<a>&secret;</a>") == """
        x.xml:2:12: error[xml.unknown-entity]: entity '&secret;' is not declared
          write the text itself, or '&amp;' for '&'
        """)
  }

  @Test func `nesting is bounded`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(message(nested(128)) == nil)
    #expect(
      message(nested(129)) == """
        x.xml:1:387: error[xml.too-deep]: elements are nested more than 128 levels deep
          no model or mapping is that deep: check that this is the right file
        """)
    #expect(message(nested(1_000_000))?.contains("error[xml.too-deep]") == true)
    #expect(message(String(repeating: "<a>", count: 1_000_000))?.contains("error[xml.too-deep]") == true)
    #expect(message(nested(3), limits: XMLLimits(maximumDepth: 2))?.contains("more than 2 levels deep") == true)
  }

  @Test func `size is bounded`() {
    #expect(
      message("<a>12345</a>", limits: XMLLimits(maximumBytes: 11)) == """
        x.xml:1:1: error[xml.too-large]: the file has more than 11 bytes
          no model or mapping is that large: check that this is the right file
        """)
    #expect(message("<a>12345</a>", limits: XMLLimits(maximumBytes: 12)) == nil)
  }

  @Test func `a file is measured before it is read`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("large.xml")
    try "<a>12345</a>".write(to: file, atomically: true, encoding: .utf8)
    let error = #expect(throws: DiagnosticList.self) {
      try XMLDocument(contentsOf: file, file: "large.xml", limits: XMLLimits(maximumBytes: 4))
    }
    #expect(error?.diagnostics.map(\.code) == ["xml.too-large"])
    // An endless device must not be read to its end.
    let endless = #expect(throws: DiagnosticList.self) {
      try XMLDocument(contentsOf: URL(filePath: "/dev/zero"), limits: XMLLimits(maximumBytes: 4))
    }
    #expect(endless?.diagnostics.map(\.code) == ["xml.too-large"])
  }

  @Test func `a huge attribute and many small ones end in time`() throws {
    let huge = String(repeating: "x", count: 4_000_000)
    #expect(try XMLDocument(parsing: "<a b=\"\(huge)\"/>").root["b"] == huge)
    #expect(
      message("<a b=\"\(huge)\(huge)\(huge)\"/>") == """
        x.xml:1:6: error[xml.too-large]: some text or an attribute value is too large
          check that this is the right file
        """)
    let many = (0..<20_000).map { "<b c=\"\($0)\" d='&amp;'/>" }.joined()
    #expect(try XMLDocument(parsing: "<a>\(many)</a>").root.children.count == 20_000)
  }

  @Test func `missing files, folders and unreadable text are different errors`() throws {
    let folder = try TemporaryFolder()
    func message(_ url: URL) -> String {
      do {
        _ = try XMLDocument(contentsOf: url, file: "given")
        return "read"
      } catch {
        return error.description
      }
    }
    #expect(message(folder.appending("none.xml")) == "error[file.missing]: there is no file 'given'\n  check the path")
    #expect(message(folder.url) == "error[file.is-folder]: 'given' is a folder\n  name the file inside it")
  }

  @Test(.timeLimit(.minutes(15)))
  func `a pipe in a folder does not block, and one that the user names is read`() throws {
    let folder = try TemporaryFolder()
    let bundle = folder.appending("Library.xcdatamodeld")
    let model = bundle.appending(path: "Library.xcdatamodel")
    let mappings = folder.appending("Mappings")
    for url in [model, mappings] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    let pipes = [
      model.appending(path: "contents"), bundle.appending(path: "Library 2.xcdatamodel"),
      mappings.appending(path: "1-2.xml"), mappings.appending(path: "2-3.cdm"),
      mappings.appending(path: "3-4.xcmappingmodel"),
    ]
    for pipe in pipes { try #require(mkfifo(pipe.path, 0o600) == 0) }
    let problems = try MappingFolder(contentsOf: mappings, file: "Mappings").diagnostics.map(\.description)
    let error = #expect(throws: DiagnosticList.self) {
      try ModelBundle(contentsOf: bundle, file: "Library.xcdatamodeld")
    }
    func expected(_ file: String) -> String {
      """
      error[file.not-regular]: \(file) cannot be read: it is not a regular file but a pipe
        put a regular file there, or remove it
      """
    }
    #expect(
      problems.sorted()
        == [
          expected("'2-3.cdm'"), expected("the file 'Mappings/1-2.xml'"),
          expected("the file 'Mappings/3-4.xcmappingmodel'"),
        ])
    #expect(
      error?.diagnostics.map(\.description).sorted()
        == [
          expected("the file 'Library.xcdatamodeld/Library 2.xcdatamodel'"),
          expected("the file 'Library.xcdatamodeld/Library.xcdatamodel/contents'"),
        ])
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("<mapping-model/>".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try XMLDocument(contentsOf: URL(filePath: path)).root.name == "mapping-model")
  }

  @Test func `many threads read at once and hear only their own mistakes`() async {
    await withTaskGroup(of: (Int, String?).self) { group in
      for index in 0..<200 {
        group.addTask {
          let text = index.isMultiple(of: 2) ? "<a>\n<b\(index)/></a>" : "<a>\n</b\(index)>"
          return (index, message(text))
        }
      }
      for await (index, message) in group {
        let problem = "element 'a' on line 1 is closed by '</b\(index)>'"
        #expect(message == nil || message?.contains(problem) == true)
        #expect((message == nil) == index.isMultiple(of: 2))
      }
    }
  }
}
