import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Lightweight migrations that change the store itself.
@Suite struct InPlaceMigrationTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try PlaceStores.make(in: folder.url)
  }

  private func change(_ sql: String) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  private func names(_ type: String) throws -> [String] {
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    return try database.schemaObjects().filter { $0.type.rawValue == type && $0.sql != nil }.map(\.name).sorted()
  }

  /// A manager of the first version and a changed one.
  private func manager(_ change: (inout ManagedObjectModel) -> Void) -> IncrementalMigrationManager {
    var model = PlaceStores.models[0]
    model.name = "Notes 1b"
    change(&model)
    return IncrementalMigrationManager(models: [PlaceStores.models[0], model], infersMissingMappings: true)
  }

  /// The message of a migration in place that fails, and that leaves the store as it was.
  private func refusal(
    _ manager: IncrementalMigrationManager, _ options: IncrementalMigrationOptions = .init(mode: .inPlace)
  ) throws -> String? {
    var options = options
    options.mode = .inPlace
    let before = try PlaceStores.contents(in: folder.url)
    let found = failure { try manager.migrate(store, options: options) }
    #expect(try PlaceStores.contents(in: folder.url) == before)
    return found?.replacing(store.resolvingLinks.path, with: "STORE")
  }

  @Test func `a plan lists every change, hop by hop`() throws {
    let plan = try PlaceStores.manager.plan(for: store, options: .init(composesHops: false, mode: .inPlace))
    #expect(
      plan.description.replacing(store.resolvingLinks.path, with: "STORE") == """
        store 'STORE' has version 'Notes 1', according to its version hashes
          1. 'Notes 1' → 'Notes 2', inferred, because it has no mapping file, in place
             adds column 'ZRANK' of table 'ZNOTE'
             creates table 'ZZONE'
             fills ZRANK of table 'ZNOTE'
             renumbers table 'ZFOLDER'
             renumbers table 'ZNOTE'
             renumbers table 'ZTAG'
             drops table 'ZDRAFT'
             drops column 'ZMARK' of table 'ZNOTE'
             drops index 'Z_3TAGS_Z_4TAGS_INDEX' of table 'Z_2TAGS'
             renames column 'ZTITLE' of table 'ZNOTE'
             renames column 'Z_2NOTES' of table 'Z_2TAGS'
             renames column 'Z_3TAGS' of table 'Z_2TAGS'
             renames table 'Z_2TAGS'
             creates index 'Z_2TAGS_Z_3TAGS_INDEX' of table 'Z_2TAGS'
          2. 'Notes 2' → 'Notes 3', inferred, because it has no mapping file, in place
             adds column 'Z_FOK_FOLDER' of table 'ZNOTE'
             fills ZTITLE, Z_FOK_FOLDER of table 'ZNOTE'
        """)
    #expect(plan.inPlace?.isOfSchemaAlone == false)
  }

  @Test func `an added attribute reads and writes no row`() throws {
    let manager = manager { $0.edit("Note") { $0.attributes.append(Models.attribute("sortText", .string)) } }
    let plan = try manager.plan(for: store, options: .init(mode: .inPlace))
    #expect(plan.inPlace?.isOfSchemaAlone == true)
    let report = try manager.migrate(store, options: .init(mode: .inPlace))
    #expect(
      report.hops.flatMap { $0.inPlaceSteps ?? [] }.map(\.description) == ["adds column 'ZSORTTEXT' of table 'ZNOTE'"])
    // A damaged table that the change does not read is not found, and stays as it is.
    #expect(try manager.plan(for: store).isCurrent)
  }

  @Test func `an index is dropped whatever its name is`() throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("CREATE INDEX \"order\" ON ZNOTE (ZMARK)")
    try database.close()
    let manager = manager { $0.edit("Note") { $0.attributes.removeAll { $0.name == "mark" } } }
    let report = try manager.migrate(store, options: .init(mode: .inPlace))
    #expect(
      report.hops.flatMap { $0.inPlaceSteps ?? [] }.map(\.description) == [
        "drops index 'order' of table 'ZNOTE'", "drops column 'ZMARK' of table 'ZNOTE'",
      ])
  }

  @Test(arguments: [IncrementalMigrationOptions.Mode.copy, .inPlace])
  func `an index of a version that the store cannot distinguish from its own is dropped in every mode`(
    _ mode: IncrementalMigrationOptions.Mode
  ) throws {
    var indexed = PlaceStores.models[0]
    indexed.edit("Note") {
      $0.fetchIndexes = [
        FetchIndexDescription(name: "byMark", elements: [FetchIndexDescription.Element(propertyName: "mark")])
      ]
    }
    var newest = PlaceStores.models[0]
    newest.edit("Note") { $0.attributes.append(Models.attribute("sortText", .string)) }
    (indexed.name, newest.name) = ("Notes 0", "Notes 2")
    #expect(indexed.versionHashes == PlaceStores.models[0].versionHashes)
    try FileManager.default.removeItem(at: store)
    try PersistentStore.create(at: store, model: indexed).close()
    #expect(try names("index").contains("Z_Note_byMark"))
    let manager = IncrementalMigrationManager(
      models: [indexed, PlaceStores.models[0], newest], infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: mode))
    let expected = PhysicalLayout(model: newest).indexes.map(\.name).sorted()
    #expect(try names("index") == expected)
  }

  @Test func `a dangling link to a hierarchy stays when entities get other numbers`() throws {
    var old = PlaceStores.models[0]
    old.entities.append(EntityDescription(name: "Box", superentityName: "Folder"))
    var new = old
    (old.name, new.name) = ("Boxes 1", "Boxes 2")
    new.entities.append(EntityDescription(name: "Any", attributes: [Models.attribute("name", .string)]))
    let url = folder.appending("Boxes.sqlite")
    let created = try PersistentStore.create(at: url, model: old)
    let context = ManagedObjectContext(store: created)
    for name in ["Folder", "Box"] { try context.insert("Note").setObject(context.insert(name), forKey: "folder") }
    try context.save()
    try created.database.execute("UPDATE ZNOTE SET ZFOLDER = 77 WHERE Z_PK = 1")
    try created.close()
    let manager = IncrementalMigrationManager(models: [old, new], infersMissingMappings: true)
    try manager.migrate(url, options: .init(mode: .inPlace))
    let store = try PersistentStore(url: url, models: [new], mode: .readOnly)
    defer { try? store.close() }
    let sink = MemorySink()
    _ = try StoreDump(store).write(to: sink)
    #expect(sink.text.contains(#"{"dangling":"Folder/p77"}"#), "\(sink.text)")
    #expect(sink.text.contains(#""folder":"Box/p2""#), "\(sink.text)")
  }

  @Test func `steps say how many rows they change`() throws {
    let report = try PlaceStores.migrate(in: folder.url)
    #expect(
      report.hops.map { ($0.inPlaceSteps ?? []).filter { $0.rows != nil }.map(\.description) } == [
        [
          "fills ZRANK of table 'ZNOTE', 30 rows", "renumbers table 'ZFOLDER', 1 row",
          "renumbers table 'ZNOTE', 30 rows", "renumbers table 'ZTAG', 2 rows",
        ], ["fills ZTITLE, Z_FOK_FOLDER of table 'ZNOTE', 30 rows"],
      ])
  }

  @Test func `what is lost is counted`() throws {
    let report = try PlaceStores.migrate(in: folder.url).hops[0].report
    #expect(
      report?.losses.map(\.description) == [
        "30 values of 'mark' of entity 'Note' are not migrated: the destination does not have it"
      ])
    #expect(report?.rows.map { "\($0.entityName): \($0.removed) of \($0.count)" } == ["Draft: 3 of 3"])
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a store keeps its kind of journal`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    try PlaceStores.make(in: folder.url, kind)
    try PlaceStores.migrate(in: folder.url)
    let database = try Database(path: folder.appending("Notes.sqlite").path, mode: .readOnly)
    #expect(try database.firstValue("PRAGMA journal_mode") == .text(kind == .withoutLog ? "delete" : "wal"))
    try database.close()
    let (_, new) = try PlaceStores.expected()
    #expect(PlaceStores.plain(try PlaceStores.contents(in: folder.url)) == new)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == [".Notes_SUPPORT", "Notes.sqlite"])
  }

  // MARK: What remains

  @Test func `tables, indexes and metadata of the application remain`() throws {
    try change(
      """
      CREATE TABLE MINE (a, b); INSERT INTO MINE VALUES (1, 2); CREATE INDEX MINE_A ON MINE (a);
      CREATE INDEX BY_TEXT ON ZNOTE (ZTEXT); CREATE INDEX BY_MARK ON ZNOTE (ZMARK)
      """)
    let report = try PlaceStores.migrate(in: folder.url)
    #expect(try names("table").contains("MINE"))
    let indexes = try names("index")
    #expect(indexes.contains("MINE_A") && indexes.contains("BY_TEXT") && !indexes.contains("BY_MARK"))
    #expect(
      report.hops[0].report?.notes.map(\.problem) == ["index 'BY_MARK' is dropped with a column that it contains"])
    #expect(try StoreFile(url: store).metadata.applicationValues == ["theme": .string("dark")])
  }

  @Test func `history remains while entities keep their numbers, and is dropped otherwise`() throws {
    let history = "CREATE TABLE ATRANSACTION (Z_PK INTEGER); INSERT INTO ATRANSACTION VALUES (1)"
    try change("\(history); INSERT INTO Z_PRIMARYKEY VALUES (16002, 'TRANSACTION', 0, 1)")
    let keeping = manager { $0.edit("Note") { $0.attributes.append(Models.attribute("sortText", .string)) } }
    let kept = try keeping.migrate(store, options: .init(mode: .inPlace))
    #expect(kept.hops.flatMap { $0.report?.notes ?? [] } == [])
    #expect(try names("table").contains("ATRANSACTION"))
    #expect(try StoreFile(url: store).primaryKeys.map(\.number) == [1, 2, 3, 4, 16002])
    let versions = try keeping.models
    var next = versions[1]
    next.name = "Notes 1c"
    next.entities.append(EntityDescription(name: "Archive", attributes: [Models.attribute("path", .string)]))
    let dropping = IncrementalMigrationManager(models: versions + [next], infersMissingMappings: true)
    let dropped = try dropping.migrate(store, options: .init(mode: .inPlace))
    #expect(
      dropped.hops.flatMap { $0.report?.notes ?? [] }.map(\.problem) == [
        "persistent history is left behind: 1 row of 'ATRANSACTION'"
      ])
    #expect(try !names("table").contains("ATRANSACTION"))
    #expect(try StoreFile(url: store).primaryKeys.map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func `a saved model does not outlive its version`() throws {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.carriesModel = true
    let url = folder.appending("Own.sqlite")
    let old = ManagedObjectModel(
      name: "1", entities: [EntityDescription(name: "Tag", attributes: [Models.attribute("word", .string)])])
    var new = old
    new.name = "2"
    new.edit("Tag") { $0.attributes.append(Models.attribute("more", .string)) }
    try PersistentStore.create(at: url, model: old, options: options).close()
    try IncrementalMigrationManager(models: [old, new], infersMissingMappings: true).migrate(
      url, options: .init(mode: .inPlace))
    let file = try StoreFile(url: url)
    #expect(try file.cachedModel() == nil)
    #expect(try file.model(among: [old, new]).model.name == "2")
  }

  // MARK: Refusals

  @Test func `a hop with a mapping file is refused`() throws {
    var entity = EntityMappingDescription(source: "Note", destination: "Note")
    entity.droppedProperties = [DroppedProperty("mark")]
    let mapping = MappingModel(
      source: ModelReference(name: "Notes 1"), destination: ModelReference(name: "Notes 2"),
      entityMappings: [EntityMappingDescription(type: .remove, source: "Draft"), entity])
    let manager = IncrementalMigrationManager(
      models: PlaceStores.models,
      mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]), infersMissingMappings: true)
    let found = try refusal(manager)
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Notes 1' → 'Notes 2' is not \
        lightweight: it runs by '1-2.xml'
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  /// Its mapping is inferred, so only the handler keeps it from being lightweight.
  @Test func `a stage with a handler is refused, and a stage without one is not`() throws {
    let music = folder.appending("Music.sqlite")
    try MusicStages.make(at: music)
    func migrate(_ will: CustomMigrationStage.Handler?) throws {
      let stages = try StagedMigrationManager(
        [MusicStages.custom(1, 2, label: "Tidy", will: will)], versions: Array(MusicStages.versions.prefix(2)))
      try IncrementalMigrationManager(stages: stages).migrate(music, options: .init(mode: .inPlace))
    }
    let calls = Locked(0)
    let found = failure { try migrate { _, _ in calls.current += 1 } }
    #expect(
      found?.replacing(music.resolvingLinks.path, with: "STORE") == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Music 1' → 'Music 2' is not \
        lightweight: it runs by custom stage 'Tidy' (willMigrate)
          migrate it with a copy, which is the default; nothing was changed
        """)
    #expect(calls.current == 0)
    #expect(try MusicStages.contents(music).first == "Music 1")
    try migrate(nil)
    #expect(try MusicStages.contents(music).first == "Music 2")
  }

  @Test func `options that need another store are refused together`() throws {
    var manager = PlaceStores.manager
    manager.hopHandler = { _ in }
    let options = IncrementalMigrationOptions(
      backup: folder.appending("Old.sqlite"), provenance: folder.appending("Origins.sqlite"), acceptsDamage: true)
    let found = try refusal(manager, options)
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place:
          - no backup would remain, because the store itself is changed; copy the store first, or use no backup
          - no provenance is recorded: all objects keep their keys
          - a damaged store can only be copied
          - there are no stores before and after a hop that could be verified
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `a new store is refused`() throws {
    let found = failure {
      try PlaceStores.manager.migrate(
        store, into: folder.appending("New.sqlite"), options: IncrementalMigrationOptions(mode: .inPlace))
    }
    #expect(
      found?.replacing(store.resolvingLinks.path, with: "STORE") == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: the new store is to have another path
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `large values in files are not removed`() throws {
    let manager = manager { $0.edit("Note") { $0.attributes.removeAll { $0.name == "picture" } } }
    let found = try refusal(manager)
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Notes 1' → 'Notes 1b': values of \
        attribute 'picture' of entity 'Note' are in files, which would have to be removed together with the change
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `large values are not moved from files to rows`() throws {
    let manager = manager {
      $0.edit("Note") { $0.edit(attribute: "picture") { $0.allowsExternalBinaryDataStorage = false } }
    }
    let found = try refusal(manager)
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Notes 1' → 'Notes 1b': values of \
        attribute 'picture' of entity 'Note' may have to be moved to files or from files
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `a foreign column or table with a name of the new version is refused`() throws {
    try change("ALTER TABLE ZNOTE ADD COLUMN ZRANK INTEGER; CREATE TABLE ZZONE (a)")
    let found = try refusal(PlaceStores.manager, .init(composesHops: false))
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place:
          - hop 'Notes 1' → 'Notes 2': column 'ZRANK', which does not belong to the model, has a name that the new version \
        needs
          - hop 'Notes 1' → 'Notes 2': table 'ZZONE', which does not belong to the model, has a name that the new version \
        needs
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `attributes and entities can swap their names`() throws {
    let manager = manager {
      $0.edit("Note") {
        $0.edit(attribute: "mark") { ($0.name, $0.renamingIdentifier) = ("other", "mark") }
        // Without identifiers of their own, the new ones would be taken for the old ones.
        var mark = Models.attribute("mark", .string)
        mark.renamingIdentifier = "newMark"
        $0.attributes.append(mark)
      }
      $0.edit("Draft") { ($0.name, $0.renamingIdentifier) = ("Zone", "Draft") }
      $0.entities.append(
        EntityDescription(
          name: "Draft", attributes: [Models.attribute("plan", .string)], renamingIdentifier: "NewDraft"))
    }
    try manager.migrate(store, options: .init(mode: .inPlace))
    let database = try Database(path: store.path, mode: .readOnly)
    #expect(try database.firstValue("SELECT sum(ZOTHER) || ' ' || count(ZMARK) FROM ZNOTE") == .text("465 0"))
    #expect(try database.firstValue("SELECT count(*) FROM ZZONE") == .integer(3))
    #expect(try database.firstValue("SELECT count(*) FROM ZDRAFT") == .integer(0))
  }

  @Test func `a new derived attribute is refused`() throws {
    var count = Models.attribute("noteCount", .integer64)
    count.derivationExpression = "notes.@count"
    let manager = manager { [count] in $0.edit("Folder") { $0.attributes.append(count) } }
    let found = try refusal(manager)
    #expect(
      found == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Notes 1' → 'Notes 1b': derived \
        attribute 'noteCount' of entity 'Folder' must be computed anew
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `a derived count remains, unless objects that it counts are removed`() throws {
    var count = Models.attribute("noteCount", .integer64)
    count.derivationExpression = "notes.@count"
    var first = PlaceStores.models[0]
    first.edit("Folder") { [count] in $0.attributes.append(count) }
    first.entities.append(EntityDescription(name: "Memo", superentityName: "Note"))
    var (second, third) = (first, first)
    (first.name, second.name, third.name) = ("1", "2", "3")
    second.edit("Folder") { $0.attributes.append(Models.attribute("icon", .string)) }
    third.edit("Folder") { $0.attributes.append(Models.attribute("icon", .string)) }
    third.entities.removeAll { $0.name == "Memo" }
    let url = folder.appending("Counts.sqlite")
    let store = try PersistentStore.create(at: url, model: first)
    let context = ManagedObjectContext(store: store)
    let inbox = try context.insert("Folder")
    for entity in ["Note", "Memo"] { try context.insert(entity)[toOne: "folder"] = inbox }
    try context.save()
    try store.close()
    func migrate(_ models: [ManagedObjectModel]) throws {
      try IncrementalMigrationManager(models: models, infersMissingMappings: true).migrate(
        url, options: .init(mode: .inPlace))
    }
    try migrate([first, second])
    let opened = try PersistentStore(url: url, models: [second])
    let counting = ManagedObjectContext(store: opened)
    let again = try #require(try counting.fetch(FetchRequest(entityName: "Folder")).first)
    try counting.insert("Note")[toOne: "folder"] = again
    try counting.save()
    #expect(try opened.database.firstValue("SELECT ZNOTECOUNT FROM ZFOLDER") == .integer(3))
    try opened.close()
    let found = failure { try migrate([second, third]) }
    #expect(
      found?.replacing(url.resolvingLinks.path, with: "STORE") == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop '2' → '3': derived attribute \
        'noteCount' of entity 'Folder' may count objects that are removed or moved
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `objects that share a target stop a relationship that allows only one owner`() throws {
    let manager = manager {
      $0.edit("Note") { $0.relationships.append(Models.toOne("favorite", "Tag")) }
    }
    try manager.migrate(store, options: .init(mode: .inPlace))
    try change("UPDATE ZNOTE SET ZFAVORITE = 1 WHERE Z_PK < 4")
    let previous = try manager.models[1]
    var next = previous
    next.name = "Notes 1c"
    next.edit("Note") { $0.edit(relationship: "favorite") { $0 = Models.toMany("favorite", "Tag") } }
    let widening = IncrementalMigrationManager(models: [previous, next], infersMissingMappings: true)
    let found = failure { try widening.migrate(store, options: .init(mode: .inPlace)) }
    #expect(
      found?.replacing(store.resolvingLinks.path, with: "STORE") == """
        error[migration.not-in-place]: store 'STORE' cannot be migrated in place: hop 'Notes 1b' → 'Notes 1c': \
        relationship 'favorite' of entity 'Note' leads from several objects to the same one, which can have only one in \
        the new version, 1 time
          migrate it with a copy, which is the default; nothing was changed
        """)
  }

  @Test func `data that breaks a new rule takes everything back`() throws {
    let manager = manager { $0.edit("Tag") { $0.uniquenessConstraints = [.init(["word"])] } }
    try change("UPDATE ZTAG SET ZWORD = 'red'")
    let found = try refusal(manager)
    #expect(
      found == """
        error[migration.hop]: hop 'Notes 1' → 'Notes 1b' of store 'STORE' failed: \
        error[migration.134111]: the migrated store breaks a rule of its model in 2 places:
        error[134111]: 2 × Tag: 'word' must be unique, but other objects have the same value (Tag/p1, Tag/p2)
          merge these objects, or give them different values
          nothing was changed
        """)
  }

  @Test func `a store that is open elsewhere is refused`() throws {
    let database = try Database(path: store.path, mode: .readWrite)
    _ = try database.firstValue("SELECT count(*) FROM ZNOTE")
    let found = failure { try PlaceStores.migrate(in: folder.url) }
    #expect(
      found?.replacing(store.resolvingLinks.path, with: "STORE") == """
        error[migration.in-use]: store 'STORE' is in use by this process
          close it first, then try again; nothing was changed
        """)
    try database.close()
    try PlaceStores.migrate(in: folder.url)
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `no other connection can use the store during the change`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    try PlaceStores.make(in: folder.url, kind)
    let path = folder.appending("Notes.sqlite").path
    let uses = Recorder<Bool>()
    let files = FileOperations { step in
      guard case .change = step else { return }
      let use = Result {
        let other = try Database(path: path, mode: .readWrite, options: .atOnce)
        return try other.firstValue("SELECT count(*) FROM ZNOTE")
      }
      uses.append((try? use.get()) != nil)
    }
    try PlaceStores.migrate(in: folder.url, files: files)
    // The first step comes before the transaction.
    #expect(uses.values.count > 10 && uses.values.dropFirst().allSatisfy { !$0 }, "\(uses.values)")
  }

  @Test func `damage in a table that the change reads is refused`() throws {
    let database = try Database(path: store.path, mode: .readOnly)
    guard
      case .integer(let page)? = try database.firstValue("SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'")
    else { throw CocoaError(.fileReadCorruptFile) }
    try database.close()
    var bytes = try Data(contentsOf: store)
    bytes.replaceSubrange(Int(page - 1) * 4_096..<Int(page) * 4_096, with: Data(count: 4_096))
    try bytes.write(to: store)
    let found = failure { try PlaceStores.migrate(in: folder.url) } ?? ""
    #expect(found.hasPrefix("error[migration.damaged]: store '\(store.resolvingLinks.path)' is damaged: "))
  }

  @Test func `a cancelled migration changes nothing`() throws {
    let before = try PlaceStores.contents(in: folder.url)
    let manager = PlaceStores.manager
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { event in if event.hop == 2 { cancellation.cancel() } }
    let found = failure {
      try manager.migrate(store, options: .init(composesHops: false, mode: .inPlace), monitor: monitor)
    }
    #expect(
      found?.replacing(store.resolvingLinks.path, with: "STORE") == """
        error[migration.cancelled]: the migration of store 'STORE' was cancelled in hop 'Notes 2' → 'Notes 3'
          nothing was changed
        """)
    #expect(try PlaceStores.contents(in: folder.url) == before)
  }

  /// A jump from the first version to the last would give rows the default of the last one.
  @Test func `each version's defaults are applied`() throws {
    var (second, third) = (PlaceStores.models[0], PlaceStores.models[0])
    (second.name, third.name) = ("2", "3")
    second.edit("Tag") {
      $0.attributes.append(Models.attribute("weight", .integer16, isOptional: false, default: .integer(1)))
    }
    third.edit("Tag") {
      $0.attributes.append(Models.attribute("weight", .integer32, isOptional: false, default: .integer(2)))
    }
    let manager = IncrementalMigrationManager(
      models: [PlaceStores.models[0], second, third], infersMissingMappings: true)
    try manager.migrate(store, options: .init(mode: .inPlace))
    let database = try Database(path: store.path, mode: .readOnly)
    #expect(try database.firstValue("SELECT sum(ZWEIGHT) FROM ZTAG") == .integer(2))
  }

  @Test func `links that are lost with removed objects are counted by relationship, as with a copy`() throws {
    let first = PlaceStores.models[0]
    var second = first
    second.name = "Notes without tags"
    second.entities.removeAll { $0.name == "Tag" }
    second.edit("Note") { $0.relationships.removeAll { $0.name == "tags" } }
    let manager = IncrementalMigrationManager(models: [first, second], infersMissingMappings: true)
    var lost = MigrationReport.Links(entityName: "Note", relationshipName: "tags", count: 30)
    lost.dropped = 30
    for mode in IncrementalMigrationOptions.Mode.allCases {
      let folder = try TemporaryFolder()
      try PlaceStores.make(in: folder.url)
      let report = try manager.migrate(folder.appending("Notes.sqlite"), options: .init(mode: mode)).hops[0].report
      #expect(report?.links.filter { $0.dropped > 0 } == [lost], "\(mode)")
      #expect(report?.rows.filter { $0.removed > 0 }.map { "\($0.entityName) \($0.removed)" } == ["Tag 2"], "\(mode)")
    }
  }
}
