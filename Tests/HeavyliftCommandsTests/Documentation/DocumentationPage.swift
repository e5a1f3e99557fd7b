import Foundation
import HeavyliftTestSupport

/// A DocC page of the project.
struct DocumentationPage: CustomStringConvertible {
  var url: URL
  var document: MarkdownDocument

  var name: String { url.deletingPathExtension().lastPathComponent }
  var description: String { url.lastPathComponent }

  init(contentsOf url: URL) throws {
    self.url = url
    document = try MarkdownDocument(contentsOf: url)
  }

  /// Every page of every target, sorted by name.
  static func all() throws -> [Self] {
    let files = FileManager.default.enumerator(
      at: Corpus.project.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let pages = files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "md" } ?? []
    return try pages.map(Self.init(contentsOf:)).sorted { $0.name < $1.name }
  }

  /// The pages about uses of the tool, whose commands are run with those of the README.
  static let namesOfUses = ["RehearsingARelease", "BuildingASeedStore", "ReadingAnyStore", "MigratingOnAServer"]

  static func named(_ name: String) throws -> Self {
    guard let page = try all().first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
    return page
  }

  /// The lines of the Swift files whose code the pages show: the examples next to this file and in the tests of
  /// schemas, and the samples' policies.
  static func examples() throws -> [String] {
    let folders = [
      URL(filePath: #filePath).deletingLastPathComponent(),
      Corpus.project.appending(path: "Tests/HeavyliftSchemaTests/Documentation"),
    ]
    let examples = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    .filter { $0.lastPathComponent.hasSuffix("Examples.swift") }
    let policies = [Corpus.project.appending(path: "MappingModels/Music/ArtistsFromJSON.swift")]
    return try (examples + policies).flatMap {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }
    .map(String.init)
  }
}
