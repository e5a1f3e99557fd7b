import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Each file under `Fixtures/Malformed/models` has its whole message next to it, in a file of the same name with
/// `.txt`.
struct MalformedModelTests {
  static let folder = Corpus.project.appending(path: "Fixtures/Malformed/models")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { !$0.hasSuffix(".txt") }.sorted()

  @Test func `there are malformed models`() {
    #expect(Self.names.count == 43)
  }

  @Test(arguments: names) func `a malformed model gets exactly its message`(name: String) throws {
    let expected = Self.folder.appending(path: (name as NSString).deletingPathExtension + ".txt")
    let message = Self.message(reading: name)
    #expect(message == (try String(contentsOf: expected, encoding: .utf8)))
  }

  static func message(reading name: String) -> String {
    do {
      let reading = try ModelReader.read(contentsOf: folder.appending(path: name), file: name)
      return reading.diagnostics.map { "\($0)\n" }.joined()
    } catch {
      return error.diagnostics.map { "\($0)\n" }.joined()
    }
  }
}
