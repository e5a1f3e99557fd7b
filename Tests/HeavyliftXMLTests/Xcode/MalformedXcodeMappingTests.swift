import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Each file under `Fixtures/Malformed/xcode-mappings` has its whole message next to it, in a file of the same name
/// with `.txt`.
struct MalformedXcodeMappingTests {
  static let folder = Corpus.project.appending(path: "Fixtures/Malformed/xcode-mappings")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { !$0.hasSuffix(".txt") }.sorted()

  @Test func `there are malformed mapping models`() {
    #expect(Self.names.count == 51)
  }

  @Test(arguments: names) func `a malformed mapping model gets exactly its message`(name: String) throws {
    let expected = Self.folder.appending(path: (name as NSString).deletingPathExtension + ".txt")
    let message = Self.message(reading: name)
    #expect(message == (try String(contentsOf: expected, encoding: .utf8)))
  }

  static func message(reading name: String) -> String {
    do {
      let reading = try XcodeMappingReader.read(contentsOf: folder.appending(path: name), file: name)
      return reading.diagnostics.map { "\($0)\n" }.joined()
    } catch {
      return error.diagnostics.map { "\($0)\n" }.joined()
    }
  }

  @Test func `a folder without its file says what is missing`() throws {
    let folder = try TemporaryFolder()
    let mapping = folder.appending("V1toV2.xcmappingmodel")
    try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
    #expect(
      throws: DiagnosticList([
        Diagnostic(
          .error, code: "mapping-file.no-contents",
          problem: "the folder 'V1toV2.xcmappingmodel' has no file 'xcmapping.xml'",
          remedy: "pass an .xcmappingmodel folder")
      ])
    ) { try XcodeMappingReader.read(contentsOf: mapping, file: "V1toV2.xcmappingmodel") }
  }

  @Test func `a file that is cut short anywhere is an error`() throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "left-overs.xml"))
    let end = try #require(data.lastRange(of: Data("</database>".utf8))?.upperBound)
    for length in 0..<end {
      #expect(throws: DiagnosticList.self, "\(length) bytes") { try XcodeMappingReader.read(data: data.prefix(length)) }
    }
  }
}
