import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// A wrong mapping loses nothing: each malformed file leaves the store and its folder unchanged.
struct MalformedMigrationTests {
  private static func files(_ folder: String) -> [URL] {
    let url = Corpus.project.appending(path: "Fixtures/Malformed/\(folder)")
    let found = (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
    return found.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
  }

  /// A folder with two models, a store of the first, and one mapping file at a time.
  private final class Versions {
    let folder: TemporaryFolder
    let models: [String]

    init(from source: URL, to destination: URL) throws {
      let manager = FileManager.default
      folder = try TemporaryFolder()
      models = [source, destination].map { "models/\($0.deletingPathExtension().lastPathComponent).xcdatamodel" }
      for (url, name) in zip([source, destination], models).prefix(source == destination ? 1 : 2) {
        try manager.createDirectory(at: folder.appending(name), withIntermediateDirectories: true)
        try manager.copyItem(at: url, to: folder.appending("\(name)/contents"))
      }
      try makeStore(ModelReader.read(contentsOf: source).model)
    }

    /// Creates a store with three objects of each entity that needs nothing but strings.
    private func makeStore(_ model: ManagedObjectModel) throws {
      let store = try PersistentStore.create(at: folder.appending("Store.sqlite"), model: model)
      for entity in model.entities where !entity.isAbstract {
        let context = ManagedObjectContext(store: store)
        for _ in 0..<3 {
          let object = try context.insert(entity.name)
          for attribute in model.allAttributes(of: entity) where attribute.type == .string {
            try object.setValue(.string("a value"), forKey: attribute.name)
          }
        }
        // Skips entities that need more than strings.
        try? context.save()
      }
      try store.close()
    }

    /// Runs a migration and a dry run with one mapping file, and expects both to fail and to change nothing.
    func expectRefusal(of mapping: URL, named name: String) throws {
      let manager = FileManager.default
      if manager.fileExists(atPath: folder.appending("case").path) {
        try manager.removeItem(at: folder.appending("case"))
      }
      let copy = folder.appending(name.hasSuffix(".xcmappingmodel") ? "case/\(name)/xcmapping.xml" : "case/\(name)")
      try manager.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try manager.copyItem(at: mapping, to: copy)
      let before = try folder.contents()
      var tool = CommandLineTool.heavylift
      tool.code = MusicFixture.code
      let arguments = ["migrate", "Store.sqlite", "--mappings", "case", "-m", models[0], "-m", models[1], "--quiet"]
      for arguments in [arguments, arguments + ["--dry-run"]] {
        let errors = MemorySink()
        let code = tool.run(
          arguments, CommandIO(output: MemorySink(), errors: errors, workingDirectory: folder.url))
        #expect(code == .negative || code == .failure, "\(mapping.lastPathComponent): \(code) \(errors.text)")
        #expect(try folder.contents() == before, "\(mapping.lastPathComponent): \(errors.text)")
      }
    }
  }

  private static let models = Corpus.project.appending(path: "Fixtures/Malformed/mappings/models")

  /// True if the expected diagnostics of a file contain an error. Warnings let a migration continue, and it then does
  /// what the mapping says, which loses nothing.
  private static func isRefused(_ file: URL) -> Bool {
    let diagnostics = try? String(
      contentsOf: file.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)
    return diagnostics?.contains("error[") == true
  }

  private static func model(_ name: String, or other: String) -> URL {
    let url = models.appending(path: "\(name).xml")
    return FileManager.default.fileExists(atPath: url.path) ? url : models.appending(path: "\(other).xml")
  }

  @Test func `a store stays unchanged, whatever is wrong with the mapping`() throws {
    var versions: [[URL]: Versions] = [:]
    var count = 0
    for file in Self.files("mappings") where Self.isRefused(file) {
      let mapping = (try? MappingReader.read(contentsOf: file))?.mappingModel
      let pair = [
        Self.model(mapping?.source.name ?? "", or: "Music 1"),
        Self.model(mapping?.destination.name ?? "", or: "Music 2"),
      ]
      if versions[pair] == nil {
        // Versions that a store cannot tell apart need no migration, and broken models are refused first.
        guard let before = try? ModelReader.read(contentsOf: pair[0]).validModel(),
          let after = try? ModelReader.read(contentsOf: pair[1]).validModel(), !before.check().hasErrors,
          !after.check().hasErrors, before.versionHashes != after.versionHashes
        else { continue }
        versions[pair] = try Versions(from: pair[0], to: pair[1])
      }
      try versions[pair]?.expectRefusal(of: file, named: "1-2.xml")
      count += 1
    }
    #expect(count > 60)
  }

  @Test(arguments: [("mapping-files", "1-2.xml", 100), ("xcode-mappings", "V1toV2.xcmappingmodel", 40)])
  func `a store stays unchanged, whatever is wrong with the file`(folder: String, name: String, least: Int) throws {
    let versions = try Versions(
      from: Self.models.appending(path: "Music 1.xml"), to: Self.models.appending(path: "Music 2.xml"))
    let files = Self.files(folder).filter(Self.isRefused)
    for file in files { try versions.expectRefusal(of: file, named: name) }
    #expect(files.count >= least, "\(files.count)")
  }
}
