import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Each mapping under `Fixtures/Malformed/mappings` has all messages of its check next to it, in a file of the same
/// name with `.txt`. The models are in the folder `models` and found by name.
struct MappingCheckFixtureTests {
  static let folder = Corpus.project.appending(path: "Fixtures/Malformed/mappings")
  static let names = files(in: folder)
  static let cleanFolder = folder.appending(path: "clean")
  static let cleanNames = files(in: cleanFolder)

  private static func files(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".xml") }.sorted()
  }

  @Test func `there are malformed mappings and clean ones`() {
    #expect(Self.names.count == 124)
    #expect(Self.cleanNames.count == 13)
  }

  @Test(arguments: names) func `a malformed mapping gets exactly its messages`(name: String) throws {
    let expected = Self.folder.appending(path: (name as NSString).deletingPathExtension + ".txt")
    let message = try Self.message(checking: Self.folder.appending(path: name), file: name)
    #expect(message == (try? String(contentsOf: expected, encoding: .utf8)) ?? "")
  }

  @Test(arguments: cleanNames) func `a realistic mapping gets no message`(name: String) throws {
    #expect(try Self.message(checking: Self.cleanFolder.appending(path: name), file: name) == "")
  }

  static func message(checking url: URL, file: String) throws -> String {
    let mapping = try MappingReader.read(contentsOf: url, file: file).validMappingModel()
    let complete = mapping.complete(from: try model(mapping.source), to: try model(mapping.destination))
    return complete.check(environment).map { "\($0)\n" }.joined()
  }

  /// The policies and functions that the programs of these mappings provide.
  private static let environment = MappingCheckEnvironment(
    policies: [
      "CoverPolicy": [:], "Shop.OrderPolicy": ["dateForNumber:": .unknown, "title": .unknown],
      "TrackPolicy": ["rankForTitle:": .unknown],
    ], managerFunctions: ["localeName": .unknown])

  /// A name followed by a remark means the model without the remark: a mapping for another model is a case of its
  /// own.
  private static func model(_ reference: ModelReference) throws -> ManagedObjectModel {
    let name = (reference.name ?? "").split(separator: "!").first.map(String.init) ?? ""
    let url = folder.appending(path: "models/\(name).xml")
    var model = try ModelReader.read(contentsOf: url, file: "\(name).xml").validModel()
    model.name = name
    return model
  }
}
