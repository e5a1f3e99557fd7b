import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Copies of stores in WAL mode without the `-wal` that has their latest changes.
@Suite struct MissingLogTests {
  private static let model = ManagedObjectModel(
    name: "1", entities: [EntityDescription(name: "Note", attributes: [Models.attribute("text", .string)])])
  private static let remedy = "if the store was copied while its app was open, copy 'Copy.sqlite-wal', too"

  private let folder: TemporaryFolder
  private var original: URL { folder.appending("Notes.sqlite") }
  private var copy: URL { folder.appending("Copy.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `a copy without objects is noted, unless it has its log`() throws {
    let store = try PersistentStore.create(at: original, model: Self.model)
    let context = ManagedObjectContext(store: store)
    _ = try context.insert("Note")
    try context.save()
    try FileManager.default.copyItem(at: original, to: copy)
    func notes() throws -> [String] {
      let file = try StoreFile(url: copy)
      defer { try? file.close() }
      return try StoreInspection(file, layout: file.layout(of: Self.model, configuration: nil)).notes.map(\.description)
    }
    #expect(
      try notes() == [
        """
        note[store.missing-log]: the store has no objects; it uses a write-ahead log, and there is no 'Copy.sqlite-wal' \
        next to it
          \(Self.remedy)
        """
      ])
    try FileManager.default.copyItem(
      at: URL(filePath: original.path + "-wal"), to: URL(filePath: copy.path + "-wal"))
    #expect(try notes() == [])
    try store.close()
  }

  @Test(arguments: [Database.Mode.readOnly, .readWrite])
  func `a copy without tables is not a store, and the remedy names the log`(mode: Database.Mode) throws {
    let database = try Database(path: original.path, mode: .create)
    try database.execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE Z_METADATA (Z_VERSION INTEGER); CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER)"
    )
    try FileManager.default.copyItem(at: original, to: copy)
    let error = #expect(throws: Diagnostic.self) { try StoreFile(url: copy, mode: mode) }
    #expect(error?.code == "store.not-a-store")
    #expect(error?.remedy == "check the path; only stores in Core Data's layout can be opened; \(Self.remedy)")
    try database.close()
  }

  @Test func `a copy of an unknown version is refused, and the remedy names the log`() throws {
    try PersistentStore.create(at: copy, model: Self.model).close()
    var other = Self.model
    other.entities[0].versionHashModifier = "2"
    func remedy() throws -> String? {
      let file = try StoreFile(url: copy)
      defer { try? file.close() }
      return file.refusal(of: try file.misfits(among: [other])).remedy
    }
    #expect(try remedy() == "specify the model that the store was written with; \(Self.remedy)")
    let database = try Database(path: copy.path, mode: .readWrite)
    try database.execute("PRAGMA journal_mode = DELETE")
    try database.close()
    #expect(try remedy() == "specify the model that the store was written with")
  }
}
