import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Every kind of broken store yields one clear error, listed in `Fixtures/Malformed/stores`, and nothing changes.
struct MalformedStoreTests {
  static let model = ManagedObjectModel(
    name: "People",
    entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          Models.attribute("age", .integer32), Models.attribute("born", .date), Models.attribute("height", .double),
          Models.attribute("id", .uuid), Models.attribute("name", .string), Models.attribute("salary", .decimal),
          Models.attribute("note", .binaryData),
          AttributeDescription(name: "photo", type: .binaryData, allowsExternalBinaryDataStorage: true),
        ],
        relationships: [
          Models.toOne("boss", "Person", "staff"), Models.toMany("staff", "Person", "boss"),
          Models.toMany("tags", "Tag", "people"),
        ]),
      EntityDescription(
        name: "Tag", attributes: [Models.attribute("label", .string)],
        relationships: [Models.toMany("people", "Person", "tags")]),
    ])

  /// The damage to a good store, and the models to open it with.
  struct Case: Sendable {
    var models = [MalformedStoreTests.model]
    var damage: @Sendable (URL) throws -> Void

    init(models: [ManagedObjectModel] = [MalformedStoreTests.model], _ damage: @escaping @Sendable (URL) throws -> Void)
    {
      self.models = models
      self.damage = damage
    }

    /// Damage by SQL.
    init(_ sql: String) { self.init { try MalformedStoreTests.execute(sql, on: $0) } }
  }

  static func execute(_ sql: String, on url: URL) throws {
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  static func overwrite(_ url: URL, _ change: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: url)
    change(&data)
    try data.write(to: url)
  }

  static func setMetadata(_ url: URL, _ change: (inout [String: Any]) -> Void) throws {
    let database = try Database(path: url.path, mode: .readWrite)
    guard case .blob(let data)? = try database.firstValue("SELECT Z_PLIST FROM Z_METADATA"),
      var values = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return }
    change(&values)
    let plist = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", .blob(plist))
    try database.close()
  }

  static func setPropertyList(_ plist: Data, of url: URL) throws {
    let database = try Database(path: url.path, mode: .readWrite)
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", .blob(plist))
    try database.close()
  }

  static func truncate(_ url: URL, to count: Int) throws { try overwrite(url) { $0 = $0.prefix(count) } }

  static let cases: [String: Case] = [
    "missing-file": Case { try FileManager.default.removeItem(at: $0) },
    "folder": Case {
      try FileManager.default.removeItem(at: $0)
      try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
    },
    "empty-file": Case { try Data().write(to: $0) },
    "text-file": Case { try Data(String(repeating: "not a database\n", count: 50).utf8).write(to: $0) },
    "header-alone": Case { try truncate($0, to: 16) },
    "cut-in-header": Case { try truncate($0, to: 99) },
    "cut-in-first-page": Case { try truncate($0, to: 2000) },
    "cut-after-first-page": Case { try truncate($0, to: 4096) },
    "cut-in-the-middle": Case { try truncate($0, to: 4096 * 3 + 100) },
    "last-byte-missing": Case { url in try overwrite(url) { $0.removeLast() } },
    "zero-filled-first-page": Case { url in
      try overwrite(url) { $0.replaceSubrange(100..<4096, with: Data(count: 3996)) }
    },
    "zero-filled-table": Case { url in
      let database = try Database(path: url.path, mode: .readOnly, options: .init(immutable: true))
      guard
        case .integer(let page)? = try database.firstValue("SELECT rootpage FROM sqlite_master WHERE name = 'ZPERSON'")
      else { return }
      try database.close()
      try overwrite(url) { $0.replaceSubrange(Int(page - 1) * 4096..<Int(page) * 4096, with: Data(count: 4096)) }
    },
    "zero-filled-metadata": Case { url in
      let database = try Database(path: url.path, mode: .readOnly, options: .init(immutable: true))
      guard
        case .integer(let page)? = try database.firstValue(
          "SELECT rootpage FROM sqlite_master WHERE name = 'Z_METADATA'")
      else { return }
      try database.close()
      try overwrite(url) { $0.replaceSubrange(Int(page - 1) * 4096..<Int(page) * 4096, with: Data(count: 4096)) }
    },
    "no-metadata-table": Case("DROP TABLE Z_METADATA"),
    "no-primary-key-table": Case("DROP TABLE Z_PRIMARYKEY"),
    "no-metadata-row": Case("DELETE FROM Z_METADATA"),
    "metadata-without-columns": Case("DROP TABLE Z_METADATA; CREATE TABLE Z_METADATA (Z_VERSION INTEGER)"),
    "metadata-plist-damaged": Case("UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, length(Z_PLIST) / 2)"),
    "metadata-plist-empty": Case("UPDATE Z_METADATA SET Z_PLIST = x''"),
    "metadata-plist-null": Case("UPDATE Z_METADATA SET Z_PLIST = NULL"),
    "metadata-plist-is-a-list": Case(
      "UPDATE Z_METADATA SET Z_PLIST = CAST('<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>' AS BLOB)"),
    "metadata-plist-in-itself": Case { url in
      // An array whose only element is the array.
      let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 15) + [10]
      let plist = Data(Array("bplist00".utf8) + [0xA1, 0, 8] + trailer)
      try setPropertyList(plist, of: url)
    },
    "metadata-plist-deep": Case { url in
      let depth = 20_000
      let text =
        "<?xml version=\"1.0\"?><plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>"
      try setPropertyList(Data(text.utf8), of: url)
    },
    "metadata-plist-deep-binary": Case { url in
      // Each array holds the next one.
      let depth = 20_000
      var plist = Data("bplist00".utf8)
      for index in 0..<depth {
        let next = UInt16(min(index + 1, depth - 1))
        plist += index == depth - 1 ? [0xA0, 0, 0] : [0xA1, UInt8(next >> 8), UInt8(next & 0xFF)]
      }
      let table = plist.count
      for index in 0..<depth {
        let offset = UInt32(8 + 3 * index)
        plist += [UInt8(offset >> 24), UInt8(offset >> 16 & 0xFF), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
      }
      plist += Data(count: 6) + [4, 2]
      for number in [depth, 0, table] { plist += withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) } }
      try setPropertyList(plist, of: url)
    },
    "metadata-uuid-null": Case("UPDATE Z_METADATA SET Z_UUID = NULL"),
    "metadata-hashes-not-data": Case { url in
      try setMetadata(url) { $0["NSStoreModelVersionHashes"] = ["Person": "text", "Tag": "text"] }
    },
    "metadata-hashes-not-a-dictionary": Case { url in
      try setMetadata(url) { $0["NSStoreModelVersionHashes"] = "text" }
    },
    "future-store-version": Case("UPDATE Z_METADATA SET Z_VERSION = 2"),
    "future-hashes-version": Case { url in try setMetadata(url) { $0["NSStoreModelVersionHashesVersion"] = 4 } },
    "primary-key-name-null": Case("UPDATE Z_PRIMARYKEY SET Z_NAME = NULL WHERE Z_ENT = 1"),
    "primary-key-number-negative": Case("UPDATE Z_PRIMARYKEY SET Z_ENT = -1 WHERE Z_ENT = 1"),
    "primary-key-maximum-text": Case("UPDATE Z_PRIMARYKEY SET Z_MAX = 'many' WHERE Z_ENT = 1"),
    "primary-key-row-missing": Case("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1"),
    "entity-table-missing": Case("DROP TABLE ZPERSON"),
    "join-table-missing": Case("DROP TABLE Z_1TAGS"),
    "column-missing": Case("ALTER TABLE ZTAG DROP COLUMN ZLABEL"),
    "to-one-column-missing": Case("DROP INDEX ZPERSON_ZBOSS_INDEX; ALTER TABLE ZPERSON DROP COLUMN ZBOSS"),
    "version-counter-missing": Case("ALTER TABLE ZTAG DROP COLUMN Z_OPT"),
    "text-for-an-integer": Case("UPDATE ZPERSON SET ZAGE = 'old' WHERE Z_PK = 2"),
    "fraction-for-an-integer": Case("UPDATE ZPERSON SET ZAGE = 1.5 WHERE Z_PK = 2"),
    "text-for-a-double": Case("UPDATE ZPERSON SET ZHEIGHT = 'tall' WHERE Z_PK = 2"),
    "text-for-a-decimal": Case("UPDATE ZPERSON SET ZSALARY = 'much' WHERE Z_PK = 2"),
    "infinity-for-a-decimal": Case("UPDATE ZPERSON SET ZSALARY = 9e999 WHERE Z_PK = 2"),
    "blob-for-a-date": Case("UPDATE ZPERSON SET ZBORN = x'0102' WHERE Z_PK = 2"),
    "text-for-a-date": Case("UPDATE ZPERSON SET ZBORN = '2001-01-01' WHERE Z_PK = 2"),
    "blob-for-a-string": Case("UPDATE ZPERSON SET ZNAME = x'41' WHERE Z_PK = 2"),
    "invalid-utf-8": Case("UPDATE ZPERSON SET ZNAME = CAST(x'41FF42' AS TEXT) WHERE Z_PK = 2"),
    "uuid-too-short": Case("UPDATE ZPERSON SET ZID = x'0102' WHERE Z_PK = 2"),
    "uuid-as-text": Case("UPDATE ZPERSON SET ZID = '00112233-4455-6677-8899-AABBCCDDEEFF' WHERE Z_PK = 2"),
    "text-for-data": Case("UPDATE ZPERSON SET ZNOTE = 'text' WHERE Z_PK = 2"),
    "external-outside": Case(
      "UPDATE ZPERSON SET ZPHOTO = CAST(x'02' || CAST('../../etc/passwd' AS BLOB) || x'00' AS BLOB) WHERE Z_PK = 2"),
    "external-unknown-kind": Case("UPDATE ZPERSON SET ZPHOTO = x'0302' WHERE Z_PK = 2"),
    "external-empty": Case("UPDATE ZPERSON SET ZPHOTO = x'' WHERE Z_PK = 2"),
    "external-text": Case("UPDATE ZPERSON SET ZPHOTO = 'text' WHERE Z_PK = 2"),
    "external-file-missing": Case(
      """
      UPDATE ZPERSON SET ZPHOTO = CAST(x'02' || CAST('00112233-4455-6677-8899-AABBCCDDEEFF' AS BLOB) || x'00' AS BLOB)
      WHERE Z_PK = 2
      """),
    "key-negative": Case("UPDATE ZPERSON SET Z_PK = -1 WHERE Z_PK = 3"),
    "key-zero": Case("UPDATE ZPERSON SET Z_PK = 0 WHERE Z_PK = 3"),
    "dangling-to-one": Case("UPDATE ZPERSON SET ZBOSS = 77 WHERE Z_PK = 2"),
    "negative-to-one": Case("UPDATE ZPERSON SET ZBOSS = -1 WHERE Z_PK = 2"),
    "text-for-a-to-one": Case("UPDATE ZPERSON SET ZBOSS = 'boss' WHERE Z_PK = 2"),
    "dangling-link": Case("UPDATE Z_1TAGS SET Z_2TAGS = 77"),
    "text-for-a-link": Case("UPDATE Z_1TAGS SET Z_2TAGS = 'tag'"),
    "no-model-fits": Case(models: [Models.library]) { _ in },
    "no-model-given": Case(models: []) { _ in },
  ]

  /// Creates a good store with some objects, closed, with an empty log.
  static func makeStore(in folder: TemporaryFolder) throws -> URL {
    let test = try TestStore(model, in: folder, name: "people.sqlite")
    let people = try (1...3).map {
      try test.insert(
        "Person", ["name": .string("p\($0)"), "age": .integer(Int64($0)), "photo": .data(Data([UInt8($0)]))])
    }
    people[1][toOne: "boss"] = people[0]
    people[1][toMany: "tags"] = [try test.insert("Tag", ["label": "t"])]
    try test.context.save()
    try test.store.close()
    return test.url
  }

  /// Reads everything in a store.
  static func readAll(_ url: URL, models: [ManagedObjectModel], mode: PersistentStore.Mode) throws {
    let store = try PersistentStore(url: url, models: models, mode: mode, busyTimeout: 0)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    for entity in store.model.entities {
      for object in try context.fetch(FetchRequest(entityName: entity.name)) {
        for attribute in entity.attributes { _ = try object.value(forKey: attribute.name) }
        for relationship in entity.relationships {
          let targets =
            relationship.isToMany
            ? try object.objects(forKey: relationship.name)
            : try object.object(forKey: relationship.name).map { [$0] } ?? []
          for target in targets { _ = try target.value(forKey: target.entity.attributes[0].name) }
        }
      }
    }
  }

  static func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: folder.path + "/" + $0) ?? Data()) })
  }

  static let fixtures = Corpus.project.appending(path: "Fixtures/Malformed/stores")

  @Test func `there is a message for every case and a case for every message`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures.path).filter { $0.hasSuffix(".txt") }
    #expect(names.sorted() == Self.cases.keys.map { "\($0).txt" }.sorted())
  }

  @Test func `the good store is read without a diagnostic`() throws {
    let folder = try TemporaryFolder()
    let url = try Self.makeStore(in: folder)
    for mode in [PersistentStore.Mode.readOnly, .readWrite] { try Self.readAll(url, models: [Self.model], mode: mode) }
  }

  @Test(arguments: cases.keys.sorted(), [PersistentStore.Mode.readOnly, .readWrite])
  func `a broken store gives one clear error, and nothing changes`(name: String, mode: PersistentStore.Mode) throws {
    let folder = try TemporaryFolder()
    let url = try Self.makeStore(in: folder)
    let broken = try #require(Self.cases[name])
    try broken.damage(url)
    let before = try Self.contents(of: folder.url)
    var message = "nothing was thrown"
    do {
      try Self.readAll(url, models: broken.models, mode: mode)
    } catch {
      #expect(error is Diagnostic, "\(type(of: error))")
      message = "\(error)"
    }
    let shown = message.replacing(folder.url.path, with: "/folder")
    let file = Self.fixtures.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["HEAVYLIFT_RECORD"] != nil, mode == .readOnly {
      try Data((shown + "\n").utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(shown + "\n" == expected)
    let after = try Self.contents(of: folder.url)
    #expect(after.keys.sorted() == before.keys.sorted())
    #expect(after == before)
  }
}
