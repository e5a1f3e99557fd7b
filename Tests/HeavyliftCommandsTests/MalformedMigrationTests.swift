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

  /// A store of a mapping's source model, with an object of each entity that needs nothing else.
  private static func makeStore(at url: URL, _ model: ManagedObjectModel) throws {
    let store = try PersistentStore.create(at: url, model: model)
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

  /// Runs a migration and a dry run with one mapping file, and returns their output.
  private static func migrate(
    with mapping: URL, named name: String, from source: URL, to destination: URL
  ) throws -> [ToolFixture.Run] {
    let music = try MusicFixture()
    let manager = FileManager.default
    try manager.createDirectory(at: music.folder.appending("case/\(name)"), withIntermediateDirectories: true)
    try manager.removeItem(at: music.folder.appending("case/\(name)"))
    let isFolder = name.hasSuffix(".xcmappingmodel")
    if isFolder {
      try manager.createDirectory(at: music.folder.appending("case/\(name)"), withIntermediateDirectories: false)
    }
    try manager.copyItem(at: mapping, to: music.folder.appending("case/\(name)\(isFolder ? "/xcmapping.xml" : "")"))
    for (index, model) in [source, destination].enumerated() {
      let folder = music.folder.appending("models/\(model.deletingPathExtension().lastPathComponent).xcdatamodel")
      guard !manager.fileExists(atPath: folder.path) || index == 0 else { continue }
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      try manager.copyItem(at: model, to: folder.appending(path: "contents"))
    }
    let old = try ModelReader.read(contentsOf: source).model
    try makeStore(at: music.folder.appending("Store.sqlite"), old)
    let before = try music.listing()
    let paths = [source, destination].map { "models/\($0.deletingPathExtension().lastPathComponent).xcdatamodel" }
    let arguments = ["migrate", "Store.sqlite", "--mappings", "case", "-m", paths[0], "-m", paths[1], "--quiet"]
    let runs = [music.run(arguments), music.run(arguments + ["--dry-run"])]
    #expect(try music.listing() == before, "\(mapping.lastPathComponent): \(runs)")
    return runs
  }

  @Test func `a store stays unchanged, whatever is wrong with the mapping`() throws {
    let models = Corpus.project.appending(path: "Fixtures/Malformed/mappings/models")
    func model(_ name: String?) -> URL? {
      guard let name else { return nil }
      let url = models.appending(path: "\(name).xml")
      return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
    let (first, second) = (models.appending(path: "Music 1.xml"), models.appending(path: "Music 2.xml"))
    var count = 0
    for file in Self.files("mappings") {
      let reading = try? MappingReader.read(contentsOf: file)
      // Warnings let a migration continue; it then does what the mapping says, which loses nothing.
      let told =
        (try? String(contentsOf: file.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)) ?? ""
      guard told.contains("error[") else { continue }
      let (old, new) = (
        model(reading?.mappingModel.source.name) ?? first, model(reading?.mappingModel.destination.name) ?? second
      )
      // Versions that a store cannot tell apart need no migration, and broken models are refused first.
      guard let before = try? ModelReader.read(contentsOf: old).validModel(),
        let after = try? ModelReader.read(contentsOf: new).validModel(), !before.check().hasErrors,
        !after.check().hasErrors, before.versionHashes != after.versionHashes
      else { continue }
      for run in try Self.migrate(with: file, named: "1-2.xml", from: old, to: new) {
        #expect(run.code == .negative || run.code == .failure, "\(file.lastPathComponent): \(run)")
      }
      count += 1
    }
    #expect(count > 60)
  }

  @Test(arguments: [("mapping-files", "1-2.xml", 100), ("xcode-mappings", "V1toV2.xcmappingmodel", 40)])
  func `a store stays unchanged, whatever is wrong with the file`(folder: String, name: String, least: Int) throws {
    let models = Corpus.project.appending(path: "Fixtures/Malformed/mappings/models")
    var count = 0
    for file in Self.files(folder) {
      let told =
        (try? String(contentsOf: file.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)) ?? ""
      guard told.contains("error[") else { continue }
      let runs = try Self.migrate(
        with: file, named: name, from: models.appending(path: "Music 1.xml"), to: models.appending(path: "Music 2.xml"))
      for run in runs { #expect(run.code == .negative || run.code == .failure, "\(file.lastPathComponent): \(run)") }
      count += 1
    }
    #expect(count >= least, "\(count)")
  }
}
