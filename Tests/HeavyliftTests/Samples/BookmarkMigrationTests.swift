import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite

/// Real bookmark stores of five versions with ordered relationships, migrated to the newest by inferred mappings.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct BookmarkMigrationTests {
  private static let stores = CorpusMigrations.stores.filter { $0.path.contains("Bookmarks_V") }

  private func manager(of store: CorpusMigrations.Store) throws -> IncrementalMigrationManager {
    let bundle = try ModelBundle(contentsOf: Corpus.root.appending(path: store.bundle))
    return IncrementalMigrationManager(models: bundle.versions.map(\.model), infersMissingMappings: true)
  }

  @Test(arguments: stores)
  func `bookmarks reach the newest version in order`(store: CorpusMigrations.Store) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(store.url)
    let old = try Rows(url)
    let manager = try manager(of: store)
    let report = try manager.migrate(url)
    // One mapping does what those of the versions in between would do.
    #expect(report.hops.count == 1)
    #expect(try manager.plan(for: url).isCurrent)

    let new = try Rows(url)
    #expect(new.values.count == 10)
    #expect(new.values == old.values)
    let (root, favorites) = (
      try #require(new.keys["bookmarks_root"]), try #require(new.keys["favorites_root"])
    )
    #expect(new.children(of: root) == ["1", "2", "3", "4", "5"])
    #expect(new.children(of: try #require(new.keys["3"])) == ["31", "32", "33"])
    #expect(new.favorites(of: favorites) == ["5", "4", "33", "32", "2"])
    #expect(new.favoriteOwners == [favorites])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [url.lastPathComponent])
  }

  /// The contents of a store's file, read without models.
  private struct Rows {
    /// Key, title, address, identifier and kind of each bookmark.
    let values: [String]
    let keys: [String: String]
    private let ordered: [(parent: String, title: String)]
    private let orderedFavorites: [(folder: String, title: String)]

    init(_ url: URL) throws {
      let database = try Database(path: url.path, mode: .readWrite)
      func rows(_ sql: String) throws -> [[String]] {
        var cursor = try database.prepare(sql).query()
        var rows: [[String]] = []
        while try cursor.next() {
          rows.append(
            try cursor.row.values().map { value in
              switch value {
              case .text(let text): text
              case .integer(let number): "\(number)"
              default: "-"
              }
            })
        }
        return rows
      }
      values = try rows("SELECT Z_PK, ZTITLE, ZURL, ZUUID, ZISFOLDER FROM ZBOOKMARKENTITY ORDER BY Z_PK")
        .map { $0.joined(separator: " ") }
      keys = Dictionary(
        uniqueKeysWithValues: try rows("SELECT ZTITLE, Z_PK FROM ZBOOKMARKENTITY").map { ($0[0], $0[1]) })
      ordered = try rows("SELECT ZPARENT, ZTITLE FROM ZBOOKMARKENTITY WHERE ZPARENT ORDER BY Z_FOK_PARENT")
        .map { ($0[0], $0[1]) }
      let hasJoins = try !rows("SELECT 1 FROM sqlite_schema WHERE name = 'Z_1FAVORITES'").isEmpty
      orderedFavorites =
        hasJoins
        ? try rows(
          """
          SELECT Z_1FAVORITEFOLDERS, ZTITLE FROM Z_1FAVORITES JOIN ZBOOKMARKENTITY ON Z_PK = Z_1FAVORITES
          ORDER BY Z_FOK_1FAVORITES
          """
        ).map { ($0[0], $0[1]) } : []
      try database.close()
    }

    func children(of key: String) -> [String] { ordered.filter { $0.parent == key }.map(\.title) }
    func favorites(of key: String) -> [String] { orderedFavorites.filter { $0.folder == key }.map(\.title) }
    var favoriteOwners: Set<String> { Set(orderedFavorites.map(\.folder)) }
  }
}
