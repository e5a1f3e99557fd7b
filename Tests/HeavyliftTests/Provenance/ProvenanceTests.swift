import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// The provenance that a migration writes: the origin of every object.
@Suite struct ProvenanceTests {
  private let test: MigrationTest
  private let provenance: URL

  init() throws {
    let model = ManagedObjectModel(
      name: "Notes", entities: [EntityDescription(name: "Note", attributes: [.init(name: "text", type: .string)])])
    test = try MigrationTest(from: model, to: model) { context in
      for text in ["a", "b"] { try context.insert("Note")["text"] = .string(text) }
    }
    provenance = test.folder.appending("provenance.sqlite")
  }

  private func migrate() throws {
    var options = MigrationOptions()
    options.provenance = provenance
    try test.migrate(
      MappingModel(
        copying: .everything,
        entityMappings: [
          EntityMappingDescription(name: "First", source: "Note", destination: "Note"),
          EntityMappingDescription(
            name: "Second", source: "Note", destination: "Note", intendsDuplicates: true),
        ]), options: options)
  }

  @Test func `every object's origin is recorded, in both directions and as URIs`() throws {
    try migrate()
    let read = try MigrationProvenance(contentsOf: provenance)
    var lines: [String] = []
    try read.forEach { lines.append("\($0.entityMappingName): \($0.source.key) → \($0.destination.key)") }
    #expect(lines == ["First: 1 → 1", "First: 2 → 2", "Second: 1 → 3", "Second: 2 → 4"])
    let store = try PersistentStore(url: test.source, models: [test.old], mode: .readOnly)
    let second = ManagedObjectID(storeIdentifier: store.metadata.identifier, entityName: "Note", key: 2)
    #expect(try read.destinations(of: second).map(\.destination.key) == [2, 4])
    let fourth = ManagedObjectID(storeIdentifier: store.metadata.identifier, entityName: "Note", key: 4)
    #expect(try read.sources(of: fourth).map { "\($0.entityMappingName) \($0.source.key)" } == ["Second 2"])
    let database = try Database(path: provenance.path, mode: .readOnly)
    #expect(
      try database.firstValue(
        "SELECT destination FROM provenance WHERE mapping = 'Second' AND source = '\(second.uriRepresentation)'")
        == .text(fourth.uriRepresentation))
  }

  @Test func `an existing file is not overwritten, and nothing is migrated`() throws {
    try Data("mine".utf8).write(to: provenance)
    let failure = test.failure { try migrate() }
    #expect(failure?.problem == "'\(provenance.path)' already exists")
    #expect(try Data(contentsOf: provenance) == Data("mine".utf8))
    #expect(!FileManager.default.fileExists(atPath: test.destination.path))
  }

  @Test func `a file of another kind is refused as a provenance`() {
    let error = #expect(throws: Diagnostic.self) { try MigrationProvenance(contentsOf: test.source) }
    #expect(error?.code == "provenance.unreadable")
  }
}
