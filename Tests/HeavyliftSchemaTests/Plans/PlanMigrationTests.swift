import Foundation
import HeavyliftConcurrency
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// A plan whose stages have every kind of code.
enum NotesPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { Notes.versions }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Notes.V1.self, toVersion: Notes.V2.self,
        willMigrate: { context in
          for note in try context.fetch(Notes.V1.Note.self, where: "text == ''") { try context.delete(note) }
        },
        migrate: { (old: Notes.V1.Note, new: Notes.V2.Note) in new.legacy = old.json },
        didMigrate: { context in try context.insert(Notes.V2.Sketch.self).text = "new" }),
      .custom(fromVersion: Notes.V2.self, toVersion: Notes.V3.self) { context in
        for note in try context.fetch(Notes.V3.Note.self) { note.addedAt = Date(timeIntervalSince1970: 1) }
      },
      .custom(
        fromVersion: Notes.V3.self, toVersion: Notes.V4.self,
        migrate: { (_: Notes.V3.Note, new: Notes.V4.Note) in
          new.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(new.persistentModelID.key)))
        }),
    ]
  }
}

enum LightweightPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Notes.V3.self, Notes.V4.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: Notes.V3.self, toVersion: Notes.V4.self)] }
}

@Suite struct PlanMigrationTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Notes.sqlite")
  }

  private func create(_ version: any VersionedSchema.Type, _ body: (ModelContext) throws -> Void) throws {
    let context = try ModelContext(ModelContainer(for: version, at: url))
    try body(context)
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private func createFirst() throws {
    try create(Notes.V1.self) { context in
      for (text, json) in [("one", "{}"), ("", nil), ("three", nil)] {
        let note = try context.insert(Notes.V1.Note.self)
        (note.text, note.json) = (text, json)
      }
    }
  }

  @Test func `an old store is migrated once, and then opened`() throws {
    try createFirst()
    let titles = Locked<Set<String>>([])
    let backup = folder.appending("Backup.sqlite")
    let container = try ModelContainer(
      for: Notes.V4.self, migrationPlan: NotesPlan.self, at: url, options: .init(backup: backup),
      monitor: MigrationMonitor { event in _ = titles.withLock { $0.insert(event.title) } })
    #expect(
      container.migrationReport?.hops.map(\.title) == [
        "'Notes.V1 (1.0.0)' → 'Notes.V1 → Notes.V2, intermediate'",
        "'Notes.V1 → Notes.V2, intermediate' → 'Notes.V2 (2.0.0)'",
        "'Notes.V2 (2.0.0)' → 'Notes.V2 → Notes.V3, intermediate'",
        "'Notes.V2 → Notes.V3, intermediate' → 'Notes.V3 (3.0.0)'", "'Notes.V3 (3.0.0)' → 'Notes.V4 (4.0.0)'",
      ])
    #expect(!titles.current.isEmpty)
    #expect(
      try StoreText.dump(container) == """
        {"entity":"Note","key":1,"attributes":{"addedAt":"1970-01-01T00:00:01Z",\
        "id":"00000000-0000-0000-0000-000000000001","legacy":"{}","text":"one"},"relationships":{}}
        {"entity":"Note","key":3,"attributes":{"addedAt":"1970-01-01T00:00:01Z",\
        "id":"00000000-0000-0000-0000-000000000003","legacy":null,"text":"three"},"relationships":{}}
        {"entity":"Sketch","key":1,"attributes":{"text":"new"},"relationships":{}}

        """)
    #expect(try ModelContext(ModelContainer(for: Notes.V1.self, at: backup)).fetch(Notes.V1.Note.self).count == 3)
    #expect(try ModelContainer(for: Notes.V4.self, migrationPlan: NotesPlan.self, at: url).migrationReport == nil)
  }

  @Test func `a store that does not exist is created in the version`() throws {
    let container = try ModelContainer(for: Notes.V3.self, migrationPlan: NotesPlan.self, at: url)
    #expect(container.migrationReport == nil)
    #expect(try StoreFile(url: url).metadata.versionIdentifiers == ["3.0.0"])
  }

  @Test func `a lightweight stage can change the store in place`() throws {
    try create(Notes.V3.self) { context in
      let note = try context.insert(Notes.V3.Note.self)
      (note.text, note.addedAt) = ("one", Date(timeIntervalSince1970: 1))
    }
    let container = try ModelContainer(
      for: Notes.V4.self, migrationPlan: LightweightPlan.self, at: url, options: .init(mode: .inPlace))
    #expect(container.migrationReport?.hops.map { $0.inPlaceSteps != nil } == [true])
    #expect(try ModelContext(container).fetch(Notes.V4.Note.self).map(\.text) == ["one"])
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)".replacing(url.path, with: "STORE")
    }
  }

  @Test func `a version that the plan does not have is an error`() {
    let found = message { _ = try ModelContainer(for: Notes.V5.self, migrationPlan: NotesPlan.self, at: url) }
    #expect(
      found == """
        error[plan.missing-version]: version 'Notes.V5' is not in 'NotesPlan.schemas'
          add 'Notes.V5.self' to 'schemas', or open another version; available: 'Notes.V1', 'Notes.V2', \
        'Notes.V3', 'Notes.V4'
        """)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `a store of a newer version is an error, and stays as it is`() throws {
    try create(Notes.V3.self) { _ in }
    let bytes = try Data(contentsOf: url)
    let found = message { _ = try ModelContainer(for: Notes.V2.self, migrationPlan: NotesPlan.self, at: url) }
    #expect(
      found == """
        error[migration.newer-version]: the store has version 'Notes.V3 (3.0.0)', which is newer than \
        'Notes.V2 (2.0.0)', and no mappings lead back:
          'Notes.V1 (1.0.0)' → 'Notes.V2 (2.0.0)' (custom stage 'Notes.V1 → Notes.V2')
          'Notes.V2 (2.0.0)' → 'Notes.V3 (3.0.0)' (custom stage 'Notes.V2 → Notes.V3')
          'Notes.V3 (3.0.0)' → 'Notes.V4 (4.0.0)' (custom stage 'Notes.V3 → Notes.V4')
          'Notes.V4 (4.0.0)' → nothing
          use the program that wrote the store, or a newer one; nothing was changed
        """)
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test func `a store that no version of the plan fits is an error, and stays as it is`() throws {
    try create(Shapes.V1.self) { _ in }
    let bytes = try Data(contentsOf: url)
    let found = message { _ = try ModelContainer(for: Notes.V4.self, migrationPlan: NotesPlan.self, at: url) }
    #expect(
      found == """
        error[migration.unknown-version]: store 'STORE' fits none of the 4 models; the closest is 'Notes.V1 (1.0.0)':
          - entity 'Draft' is only in the model
          - entity 'Note' is only in the model
          - entity 'Shape' is only in the store
          if an older version of the program wrote the store, add it to 'NotesPlan.schemas'; if a newer one did, use \
        that; nothing was changed
        """)
    #expect(try Data(contentsOf: url) == bytes)
  }

  // MARK: Code that fails

  /// Migrates a note from version 2 to version 3 with code, and returns the error.
  private func failure(_ body: @escaping @Sendable (ModelContext) throws -> Void) throws -> String {
    try create(Notes.V2.self) { try $0.insert(Notes.V2.Note.self).text = "one" }
    let bytes = try Data(contentsOf: url)
    let history = try SchemaHistory(
      schemas: [Notes.V2.self, Notes.V3.self],
      stages: [.custom(fromVersion: Notes.V2.self, toVersion: Notes.V3.self, label: "Dates", didMigrate: body)])
    let found = message { try IncrementalMigrationManager(stages: history.stages).migrate(url) }
    #expect(try Data(contentsOf: url) == bytes)
    return found
  }

  private static func failed(_ problem: String, object: String? = nil) -> String {
    """
    error[migration.hop]: hop 'Notes.V2 (2.0.0)' → 'Notes.V2 → Notes.V3, intermediate' of store 'STORE' failed: \
    error[migration.134110]: custom stage 'Dates', in 'didMigrate'\(object.map { ", object '\($0)'" } ?? ""): \(problem)
      nothing was changed
    """
  }

  @Test func `reading a required attribute that is still empty is an error that names it`() throws {
    let found = try failure { context in
      for note in try context.fetch(Notes.V3.Note.self) { note.addedAt = note.addedAt.addingTimeInterval(1) }
    }
    #expect(
      found
        == Self.failed(
          "attribute 'addedAt' of Note/p1 has no value, but its type is 'Date'\n"
            + "  set it before you read it, or declare it as 'Date?'", object: "Note/p1"))
  }

  @Test func `code that forgets an object is an error that names the stage`() throws {
    #expect(
      try failure { _ in } == """
        error[migration.hop]: hop 'Notes.V2 → Notes.V3, intermediate' → 'Notes.V3 (3.0.0)' of store 'STORE' failed: \
        error[migration.1570]: custom stage 'Dates': the migrated store breaks a rule of its model in 1 place:
        error[1570]: 1 × Note: 'addedAt' is mandatory and has no value (Note/p1)
          give it a value, or make it optional or give it a default in the model
          nothing was changed
        """)
  }

  @Test func `classes of the other version are refused`() throws {
    let found = try failure { _ = try $0.fetch(Notes.V2.Note.self) }
    #expect(
      found
        == Self.failed(
          "class 'Notes.V2.Note' is not in the container's schema\n  did you mean 'Notes.V3.Note'?"))
  }

  @Test func `a context on the working copy is refused`() throws {
    let found = try failure { _ = try ModelContext($0.container) }
    #expect(
      found
        == Self.failed(
          "a stage's handler cannot create a context from 'container', because the store is its working copy\n"
            + "  use the context that the handler gets"))
  }

  @Test func `an error of the code is named with its stage, and undoes its saves`() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "no" } }
    let found = try failure { context in
      for note in try context.fetch(Notes.V3.Note.self) { note.addedAt = Date() }
      try context.save()
      throw Refusal()
    }
    #expect(found == Self.failed("no"))
  }
}
