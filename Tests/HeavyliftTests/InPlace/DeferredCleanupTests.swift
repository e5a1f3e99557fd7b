import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Tables and columns that a migration in place leaves in the store, to be dropped later.
@Suite struct DeferredCleanupTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try PlaceStores.make(in: folder.url)
    try PlaceStores.migrate(in: folder.url, defersCleanup: true)
  }

  private func pending() throws -> [String] {
    let file = try StoreFile(url: store)
    defer { try? file.close() }
    return try StoreInspection(file, layout: nil).deferredCleanup.map(\.description)
  }

  private func schema() throws -> [String] {
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    return try database.schemaObjects().filter { $0.type == .table }.map { table in
      "\(table.name): \(try database.columns(of: table.name).map(\.name).joined(separator: " "))"
    }.sorted()
  }

  @Test func `leftovers have other names, and nothing in the store refers to them`() throws {
    let pending = try self.pending()
    #expect(pending == ["drop table 'ZDRAFT'", "drop column 'ZMARK' of table 'ZNOTE'"])
    let leftovers = try schema().filter { $0.contains("LEFTOVER") }
    #expect(
      leftovers == [
        "HEAVYLIFT_LEFTOVER_1: Z_PK Z_ENT Z_OPT ZBODY",
        "ZNOTE: Z_PK Z_ENT Z_OPT HEAVYLIFT_LEFTOVER_2 ZFOLDER ZTITLE ZPICTURE ZRANK Z_FOK_FOLDER",
      ])
    let file = try StoreFile(url: store)
    let opened = try PersistentStore(file: file, model: PlaceStores.models[2])
    let inspection = try StoreInspection(file, layout: opened.layout)
    #expect(inspection.unknownTables == [] && inspection.unknownColumns == [])
    #expect(try file.structureDifferences(PlaceStores.models[2]) == [])
    try opened.close()
  }

  @Test func `objects can be read and written before the cleanup`() throws {
    let opened = try PersistentStore(url: store, models: PlaceStores.models)
    let context = ManagedObjectContext(store: opened)
    let note = try context.insert("Note")
    note["title"] = "a new note"
    try context.save()
    let notes = try context.fetch(FetchRequest(entityName: "Note"))
    #expect(notes.count == 31 && notes.allSatisfy { $0["rank"].integer == 1 })
    try opened.close()
    try PlaceStores.manager.finishDeferredLightweightMigration(of: store)
    let again = try PersistentStore(url: store, models: PlaceStores.models, mode: .readOnly)
    #expect(try again.objectCounts() == ["Note": 31, "Folder": 1, "Tag": 2])
    try again.close()
  }

  @Test func `one task is finished at a time, and each says if more remain`() throws {
    let manager = PlaceStores.manager
    #expect(try manager.finishDeferredLightweightMigrationTask(of: store))
    var pending = try self.pending()
    #expect(pending == ["drop column 'ZMARK' of table 'ZNOTE'"])
    #expect(try !manager.finishDeferredLightweightMigrationTask(of: store))
    pending = try self.pending()
    #expect(pending == [])
    #expect(try !manager.finishDeferredLightweightMigrationTask(of: store))
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
    let (_, new) = try PlaceStores.expected()
    #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new)
  }

  @Test func `the next migration in place drops the leftovers first`() throws {
    var next = PlaceStores.models[2]
    next.name = "Notes 4"
    next.edit("Note") { $0.attributes.append(Models.attribute("mark", .integer16)) }
    let manager = IncrementalMigrationManager(models: PlaceStores.models + [next], infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: .inPlace))
    let pending = try self.pending()
    #expect(pending == [])
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
  }

  @Test func `leftovers of several migrations add up if each defers them`() throws {
    var next = PlaceStores.models[2]
    next.name = "Notes 4"
    next.edit("Note") { $0.attributes.removeAll { $0.name == "rank" } }
    let manager = IncrementalMigrationManager(models: PlaceStores.models + [next], infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: .inPlace, defersCleanup: true))
    let pending = try self.pending()
    #expect(
      pending == [
        "drop table 'ZDRAFT'", "drop column 'ZMARK' of table 'ZNOTE'", "drop column 'ZRANK' of table 'ZNOTE'",
      ])
    try manager.finishDeferredLightweightMigration(of: store)
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
  }

  @Test func `leftovers of a table that is renamed are dropped, and their names are not given twice`() throws {
    var renamed = PlaceStores.models[2]
    renamed.name = "Notes 4"
    renamed.edit("Note") {
      ($0.name, $0.renamingIdentifier) = ("Memo", "Note")
      $0.attributes.removeAll { $0.name == "rank" }
    }
    for entity in ["Folder", "Tag"] {
      renamed.edit(entity) {
        $0.edit(relationship: "notes") { ($0.destinationEntityName, $0.inverseEntityName) = ("Memo", "Memo") }
      }
    }
    var last = renamed
    last.name = "Notes 5"
    last.edit("Memo") { $0.attributes.append(Models.attribute("more", .string)) }
    let manager = IncrementalMigrationManager(
      models: PlaceStores.models + [renamed, last], infersMissingMappings: true)
    // The first leftover is gone, so that fewer are left than have got a number.
    #expect(try manager.finishDeferredLightweightMigrationTask(of: store))
    try manager.migrate(store, to: renamed, options: .init(mode: .inPlace, defersCleanup: true))
    var pending = try self.pending()
    #expect(pending == ["drop column 'ZMARK' of table 'ZMEMO'", "drop column 'ZRANK' of table 'ZMEMO'"])
    try manager.migrate(store, options: .init(mode: .inPlace, defersCleanup: true))
    try manager.finishDeferredLightweightMigration(of: store)
    pending = try self.pending()
    #expect(pending == [])
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
    #expect(try manager.plan(for: store).isCurrent)
  }

  @Test func `leftovers go with their table`() throws {
    var next = PlaceStores.models[2]
    next.name = "Notes 4"
    next.entities.removeAll { $0.name == "Note" }
    for entity in ["Folder", "Tag"] { next.edit(entity) { $0.relationships = [] } }
    next.edit("Folder") { $0.attributes.append(Models.attribute("more", .string)) }
    let (all, database) = (PlaceStores.models + [next], try Database(path: store.path, mode: .readWrite))
    // Files cannot be removed in a transaction.
    try database.execute("UPDATE ZNOTE SET ZPICTURE = NULL")
    try database.close()
    let manager = IncrementalMigrationManager(models: all, infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: .inPlace, defersCleanup: true))
    let pending = try self.pending()
    #expect(pending == ["drop table 'ZDRAFT'", "drop table 'ZNOTE'", "drop table 'Z_2TAGS'"])
    try manager.finishDeferredLightweightMigration(of: store)
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
  }

  @Test func `a join table with a leftover is recognized`() throws {
    var ordered = PlaceStores.models[2]
    ordered.name = "Notes 4"
    ordered.edit("Note") { $0.edit(relationship: "tags") { $0.isOrdered = true } }
    var plain = PlaceStores.models[2]
    plain.name = "Notes 5"
    plain.edit("Note") { $0.attributes.append(Models.attribute("more", .string)) }
    let manager = IncrementalMigrationManager(
      models: PlaceStores.models + [ordered, plain], infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: .inPlace, defersCleanup: true))
    #expect(try schema().contains { $0.hasPrefix("Z_2TAGS") && $0.contains("LEFTOVER") })
    #expect(try manager.plan(for: store).isCurrent)
  }

  @Test func `a copy does not contain leftovers`() throws {
    var next = PlaceStores.models[2]
    next.name = "Notes 4"
    next.edit("Note") { $0.attributes.append(Models.attribute("more", .integer16)) }
    let manager = IncrementalMigrationManager(models: PlaceStores.models + [next], infersMissingMappings: true)
    let report = try manager.migrate(store)
    #expect(report.hops.flatMap { $0.report?.notes ?? [] } == [])
    let pending = try self.pending()
    #expect(pending == [])
    #expect(try schema().allSatisfy { !$0.contains("LEFTOVER") })
  }

  @Test func `a leftover that another program has dropped counts as dropped`() throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("DROP TABLE HEAVYLIFT_LEFTOVER_1; ALTER TABLE ZNOTE DROP COLUMN HEAVYLIFT_LEFTOVER_2")
    try database.close()
    try PlaceStores.manager.finishDeferredLightweightMigration(of: store)
    let pending = try self.pending()
    #expect(pending == [])
  }
}
