import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

private final class Task_v1: Entity {
  @Attribute var title: String
  @Attribute var minutes: String?
}

private final class Task_v2: Entity {
  @Attribute var title: String
  @Attribute var minutes: Int
}

private final class Task_v3: Entity {
  @Attribute(originalName: "title") var name: String
  @Attribute var minutes: Int
  @Attribute var point: Shapes.Flat = Shapes.Flat(x: 1)
}

private final class Note_v1: Entity {
  @Attribute var title: String
}

private final class Note_v2: Entity {
  @Attribute var title: String
  @Attribute var pages: Int?
}

private final class Note_v3: Entity {
  @Attribute var title: String
  @Attribute var pages: Int?
  @Attribute var color: String?
}

private final class Page_v1: Entity {
  @Attribute var title: String
}

private final class Page_v2: Entity {
  @Attribute(originalName: "title") var name: String
}

private final class Page_v3: Entity {
  @Attribute(originalName: "name") var title: String
  @Attribute var color: String?
}

private final class Task_v4: Entity {
  @Attribute var name: String
  @Attribute var minutes: Int
  @Attribute var point: Shapes.Deep
}

/// Migrations between schemas that are values.
@Suite struct SchemaMigrationTests {
  private let folder: TemporaryFolder
  private let url: URL
  private let (v1, v2, v3, v4): (Schema, Schema, Schema, Schema)

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Tasks.sqlite")
    v1 = try Schema(objectTypes: [Task_v1.self])
    v2 = try Schema(objectTypes: [Task_v2.self])
    v3 = try Schema(objectTypes: [Task_v3.self])
    v4 = try Schema(objectTypes: [Task_v4.self], versionID: "deep")
  }

  private var toV2: SchemaMigration {
    SchemaMigration(from: v1, idempotent: true) { context in
      for task in try context.fetch(Task_v2.self) {
        let old = try task.managedObject.value(Schema.oldName(of: "minutes"), as: String?.self)
        try task.managedObject.set("minutes", to: Int(old ?? "") ?? 0)
      }
    }
  }

  private var toV3: SchemaMigration {
    SchemaMigration(from: v2) { context in
      for task in try context.fetch(Task_v3.self) { task.point = Shapes.Flat(x: Double(task.minutes)) }
    }
  }

  private var toV4: SchemaMigration {
    SchemaMigration(from: v3) { context in
      for task in try context.fetch(Task_v4.self) {
        let old = try task.managedObject.unboxedValue(of: Shapes.Flat.self, forKey: "point")
        try task.managedObject.setBoxedValue(Shapes.Deep(z: old?.x ?? 0), forKey: "point")
      }
    }
  }

  private func createFirst() throws {
    let context = try ModelContext(ModelContainer(for: v1, at: url))
    for (title, minutes) in [("Sweep", "15"), ("Rest", nil)] {
      let task = try context.insert(Task_v1.self)
      (task.title, task.minutes) = (title, minutes)
    }
    try context.save()
    try context.managedObjectContext.store.close()
  }

  @Test func `a store is migrated by scripts, and through versions that only an ID distinguishes`() throws {
    try createFirst()
    let migrations = [toV4, toV3, toV2]
    let container = try ModelContainer(for: v4, migrations: migrations, at: url)
    #expect(
      container.migrationReport?.hops.map(\.title) == [
        "'version 1' → 'version 1 → version 2, intermediate'", "'version 1 → version 2, intermediate' → 'version 2'",
        "'version 2' → 'version 2 → version 3, intermediate'", "'version 2 → version 3, intermediate' → 'version 3'",
        "'version 3' → 'version 4'",
      ])
    let context = try ModelContext(container)
    let tasks = try context.fetch(Task_v4.self, sortBy: [SortKey(\.$name)])
    #expect(tasks.map(\.name) == ["Rest", "Sweep"])
    #expect(tasks.map(\.minutes) == [0, 15])
    #expect(tasks.map(\.point.z) == [0, 15])
    #expect(v3.model.versionHashes == v4.model.versionHashes)
    #expect(try StoreFile(url: url).metadata.versionID == "deep")
    let again = try ModelContainer(for: v4, migrations: migrations, at: url)
    #expect(again.migrationReport == nil)
  }

  @Test func `a store of a version with an ID is refused by a schema without it`() throws {
    try ModelContext(ModelContainer(for: v4, at: url)).managedObjectContext.store.close()
    #expect {
      _ = try ModelContainer(for: v3, at: url)
    } throws: { error in
      "\(error)".replacing(url.path, with: "STORE") == """
        error[schema.other-version]: store 'STORE' has a different version than the schema: the store has version ID 'deep', \
        and the schema none
          migrate the store to this version first
        """
    }
  }

  private func message(_ schema: Schema, _ migrations: [SchemaMigration]) -> String {
    do {
      _ = try ModelContainer(for: schema, migrations: migrations, at: url)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func `mistakes name migrations and scripts`() throws {
    let dated = try Schema(objectTypes: [Task_v1.self], version: Schema.Version(2, 0, 0))
    let older = try Schema(objectTypes: [Task_v2.self], version: Schema.Version(1, 0, 0))
    let newest = try Schema(objectTypes: [Task_v3.self], version: Schema.Version(3, 0, 0))
    #expect(
      message(newest, [SchemaMigration(from: older), SchemaMigration(from: dated)]) == """
        error[plan.migration-order]: the migrations are not in the order of the versions that they start from
          list them from the newest to the oldest: 2.0.0, 1.0.0
        """)
    let notes = try [Note_v1.self, Note_v2.self, Note_v3.self].map { try Schema(objectTypes: [$0]) }
    #expect(
      message(notes[2], [SchemaMigration(from: notes[0]), SchemaMigration(from: notes[1])]) == """
        error[plan.migration-order]: 'version 1' and 'version 3' have 'Note.pages', but 'version 2' between them does not: \
        the migrations are probably not in order
          list them from the newest to the oldest; if the values are to be deleted, name them in the first migration: \
        'removing: ["Note.pages"]'
        """)
    #expect(throws: Never.self) {
      _ = try SchemaHistory(
        schema: notes[2],
        migrations: [SchemaMigration(from: notes[0]), SchemaMigration(from: notes[1], removing: ["Note.pages"])])
      _ = try SchemaHistory(
        schema: notes[2], migrations: [SchemaMigration(from: notes[1]), SchemaMigration(from: notes[0])])
      // Renamed, and renamed back.
      let pages = try [Page_v1.self, Page_v2.self, Page_v3.self].map { try Schema(objectTypes: [$0]) }
      _ = try SchemaHistory(
        schema: pages[2], migrations: [SchemaMigration(from: pages[1]), SchemaMigration(from: pages[0])])
    }
    #expect(
      message(v4, [SchemaMigration(from: v3)]) == """
        error[plan.unreadable-values]: attribute 'point' of entity 'Task': Flat(x: Double) → Deep(z: Double), and both are \
        stored in the same form: lightweight stage 'version 1 → version 2' keeps the old values, which the new type cannot \
        be decoded from
          convert them: 'SchemaMigration(from: …, script: { context in … })'
        """)
    #expect(
      message(v3, [SchemaMigration(from: v2)]) == """
        error[plan.required-addition]: attribute 'point' of class 'Task_v3' is new and required, but a model cannot hold an \
        initial value of its type, and lightweight stage 'version 1 → version 2' has no code that sets it for old objects
          declare it as 'Flat?', or set it in code: 'SchemaMigration(from: …, script: { context in … })'
        """)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }
}
