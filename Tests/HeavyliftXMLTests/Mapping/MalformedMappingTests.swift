import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Each file under `Fixtures/Malformed/mapping-files` has its whole message next to it, in a file of the same name
/// with `.txt`. After a change of the wording, `HEAVYLIFT_UPDATE=1 swift test --filter MalformedMappingTests`
/// rewrites them: read them one by one before you commit them.
struct MalformedMappingTests {
  static let folder = Corpus.project.appending(path: "Fixtures/Malformed/mapping-files")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()

  @Test func `there are malformed mapping files`() {
    #expect(Self.names.count == 132)
    #expect(Self.names.filter { $0.hasPrefix("five-") }.count == 6)
  }

  @Test(arguments: names) func `a malformed mapping file gets exactly its message`(name: String) throws {
    let expected = Self.folder.appending(path: "\(name).txt")
    let diagnostics = Self.diagnostics(of: name)
    let message = diagnostics.map { "\($0)\n" }.joined()
    if ProcessInfo.processInfo.environment["HEAVYLIFT_UPDATE"] != nil {
      try message.write(to: expected, atomically: true, encoding: .utf8)
    }
    #expect(message == (try String(contentsOf: expected, encoding: .utf8)))
    #expect(diagnostics.hasErrors)
    if name.hasPrefix("five-") { #expect(diagnostics.count >= 5) }
  }

  static func diagnostics(of name: String) -> [Diagnostic] {
    do {
      let url = folder.appending(path: "\(name).xml")
      return try MappingReader.read(contentsOf: url, file: "\(name).xml").diagnostics
    } catch {
      return error.diagnostics
    }
  }
}
