import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Row IDs of an app's own tables, to which other tables may refer.
@Suite struct RowIDTests {
  private static let tables = """
    CREATE TABLE docs (text); INSERT INTO docs (rowid, text) VALUES (1, 'one'), (3, 'three'), (7, 'seven');
    CREATE TABLE tags (doc, tag UNIQUE); INSERT INTO tags (rowid, doc, tag) VALUES (2, 3, 'x'), (5, 7, 'y');
    CREATE TABLE named (rowid TEXT, oid AS (b * 2), b);
    INSERT INTO named (_rowid_, rowid, b) VALUES (4, 'r', 1), (9, 's', 2);
    CREATE TABLE falling (a INTEGER PRIMARY KEY DESC, b); INSERT INTO falling (oid, a, b) VALUES (2, 8, 9), (6, 4, 5);
    CREATE TABLE numbered (id INTEGER PRIMARY KEY, b); INSERT INTO numbered VALUES (-5, 'p'), (12, 'q');
    CREATE TABLE keyed (rowid TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO keyed VALUES ('k', 1), ('l', 2);
    CREATE TABLE hidden (rowid, _rowid_, oid); INSERT INTO hidden VALUES (3, 2, 1), (6, 5, 4);
    """
  private static let expected = [
    "docs [1, one] [3, three] [7, seven]", "falling [2, 8, 9] [6, 4, 5]", "hidden [3, 2, 1] [6, 5, 4]",
    "keyed [k, 1] [l, 2]", "named [4, r, 2, 1] [9, s, 4, 2]", "numbered [-5, -5, p] [12, 12, q]",
    "tags [2, 3, x] [5, 7, y]",
  ]

  private static func add(to store: URL) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute(tables)
    try database.close()
  }

  /// The rows of the tables, with their row IDs if they can be named.
  private static func rows(_ store: URL) throws -> [String] {
    let database = try Database(path: store.path, mode: .readOnly)
    defer { try? database.close() }
    return try expected.compactMap { $0.split(separator: " ").first.map(String.init) }.map { table in
      let key = table == "named" ? "_rowid_, " : table == "keyed" || table == "hidden" ? "" : "rowid, "
      var cursor = try database.prepare("SELECT \(key)* FROM \(table) ORDER BY 1").query()
      var rows: [String] = []
      while try cursor.next() {
        rows.append(
          "["
            + (try cursor.row.values().map { value in
              switch value {
              case .integer(let number): "\(number)"
              case .text(let text): text
              default: "\(value)"
              }
            }).joined(separator: ", ") + "]")
      }
      return ([table] + rows).joined(separator: " ")
    }
  }

  enum Route: String, CaseIterable {
    case copy, eachHop, verified, inPlace, into, current, accepting
  }

  @Test(arguments: Route.allCases)
  func `row IDs of an app's own tables stay the same`(route: Route) throws {
    let folder = try TemporaryFolder()
    let store = folder.appending("Notes.sqlite")
    try PlaceStores.make(in: folder.url, .withoutLog, notes: 300)
    try Self.add(to: store)
    #expect(try Self.rows(store) == Self.expected)
    var manager = PlaceStores.manager
    if route == .verified { manager.hopHandler = { _ in } }
    if route == .accepting { try Self.damage(store) }
    let into = [.into, .current].contains(route) ? folder.appending("New.sqlite") : nil
    let options = IncrementalMigrationOptions(
      composesHops: route != .eachHop, acceptsDamage: route == .accepting, mode: route == .inPlace ? .inPlace : .copy)
    if let into {
      try manager.migrate(
        store, into: into, to: route == .current ? PlaceStores.models[0] : nil, options: options)
    } else {
      try manager.migrate(store, options: options)
    }
    #expect(try Self.rows(into ?? store) == Self.expected)
  }

  @Test(arguments: [MigrationOptions.init(), .forcing, .fresh])
  func `row IDs of an app's own tables do not depend on how objects are migrated`(options: MigrationOptions) throws {
    let test = try PatternModels.test()
    try Self.add(to: test.source)
    let mapping = MappingModel(
      entityMappings: [PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings])
    try test.migrate(mapping, options: options)
    #expect(try Self.rows(test.destination) == Self.expected)
  }

  @Test func `row IDs of an app's own tables survive the copies that a stage's handlers work on`() throws {
    let place = try MusicPlace(version: 2)
    try Self.add(to: place.store)
    let stage = MusicStages.custom(2, 3, will: { _, _ in }, did: { _, _ in })
    try IncrementalMigrationManager(
      stages: try StagedMigrationManager([stage, MusicStages.light(3, 4)], versions: MusicStages.versions)
    ).migrate(place.store)
    #expect(try place.contents().first == "Music 4")
    #expect(try Self.rows(place.store) == Self.expected)
  }

  @Test(arguments: [nil, POSIXErrorCode.EXDEV])
  func `row IDs of an app's own tables are the same in a backup`(code: POSIXErrorCode?) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    try Self.add(to: place.store)
    let files = FileOperations { step in
      if case .link = step, let code { throw POSIXError(code) }
    }
    let backup = place.folder.appending("Old.sqlite")
    try NoteStores.continuingManager(files: files).migrate(place.store, options: .init(backup: backup))
    #expect(try Self.rows(place.store) == Self.expected)
    #expect(try Self.rows(backup) == Self.expected)
  }

  /// Empties a page with notes.
  private static func damage(_ store: URL) throws {
    var bytes = try Data(contentsOf: store)
    let place = try #require(bytes.range(of: Data("note 150 ".utf8))).lowerBound / 4_096 * 4_096
    bytes.replaceSubrange(place..<place + 4_096, with: Data(count: 4_096))
    try bytes.write(to: store)
  }
}

extension MigrationOptions {
  fileprivate static var forcing: Self {
    var options = Self()
    options.forcesObjects = true
    return options
  }

  fileprivate static var fresh: Self {
    var options = Self()
    options.startsFresh = true
    return options
  }
}
