import Foundation
import Measuring

/// Changes single bytes in the declared mapping's store, and checks that the verifier reports exactly these changes.
enum ChangedBytes {
  /// A change, and the expected report: entity, key and property.
  private struct Change {
    var sql: String
    var told: [String]
  }

  /// Changes one byte of the title of a track near the middle.
  private static func one(_ connection: PlainConnection) -> Change {
    let key = track(connection, at: 1, of: 2)
    return Change(
      sql: "UPDATE ZTRACK SET ZTITLE = substr(ZTITLE, 1, length(ZTITLE) - 1) "
        + "|| CASE substr(ZTITLE, -1) WHEN 'x' THEN 'y' ELSE 'x' END WHERE Z_PK = \(key)",
      told: ["Track/p\(key) title"])
  }

  static func changeOne(in folder: BenchmarkFolder) throws { try change(folder) { [one($0)] } }

  static func requireOne(in folder: BenchmarkFolder) throws {
    try require(folder, one(PlainConnection(folder.destination(of: .declared).path)).told)
  }

  /// Requires one change of each kind to be reported, all in one store and in different rows.
  static func requireEach(in folder: BenchmarkFolder) throws {
    try folder.clear(.changed)
    var told: [String] = []
    try change(folder) { connection in
      let all = each(connection)
      told = all.flatMap(\.told)
      return all
    }
    try require(folder, told)
  }

  private static func each(_ connection: PlainConnection) -> [Change] {
    let keys = (1...8).map { track(connection, at: $0, of: 10) }
    let (album, playlist) = (
      connection.number("SELECT ZALBUM FROM ZTRACK WHERE Z_PK = \(keys[5])"),
      connection.number("SELECT max(Z_PK) FROM ZPLAYLIST")
    )
    let otherAlbum = album == 1 ? 2 : 1
    let member = connection.number("SELECT min(Z_5TRACKS) FROM Z_4TRACKS WHERE Z_4PLAYLISTS = \(playlist)")
    let other = connection.number(
      "SELECT min(Z_PK) FROM ZTRACK WHERE Z_PK NOT IN (SELECT Z_5TRACKS FROM Z_4TRACKS WHERE Z_4PLAYLISTS = \(playlist))"
    )
    func next(_ column: String, of key: Int) -> String {
      let value = Double(connection.texts("SELECT format('%!.17g', \(column)) FROM ZTRACK WHERE Z_PK = \(key)")[0]) ?? 0
      return "\(value.nextUp)"
    }
    return [
      one(connection),
      Change(
        sql: "UPDATE ZTRACK SET ZPLAYCOUNT = ZPLAYCOUNT + 1 WHERE Z_PK = \(keys[0])",
        told: ["Track/p\(keys[0]) playCount"]),
      Change(
        sql: "UPDATE ZTRACK SET ZDATEADDED = \(next("ZDATEADDED", of: keys[1])) WHERE Z_PK = \(keys[1])",
        told: ["Track/p\(keys[1]) dateAdded"]),
      Change(
        sql: "UPDATE ZARTWORK SET ZDATA = CAST(substr(ZDATA, 1, length(ZDATA) - 1) "
          + "|| CASE substr(ZDATA, -1) WHEN x'01' THEN x'02' ELSE x'01' END AS BLOB) WHERE Z_PK = \(keys[2])",
        told: ["Artwork/p\(keys[2]) data"]),
      Change(
        sql: "UPDATE ZTRACK SET ZSORTTITLE = ZSORTTITLE || 'X' WHERE Z_PK = \(keys[3])",
        told: ["Track/p\(keys[3]) sortTitle"]),
      Change(
        sql: "UPDATE ZTRACK SET ZDURATIONMS = ZDURATIONMS + 1 WHERE Z_PK = \(keys[6])",
        told: ["Track/p\(keys[6]) durationMS"]),
      Change(
        sql: "UPDATE ZTRACK SET ZALBUM = \(otherAlbum) WHERE Z_PK = \(keys[5])",
        told: ["Track/p\(keys[5]) album", "Album/p\(otherAlbum) tracks"]
          + (album == 0 ? [] : ["Album/p\(album) tracks"])),
      Change(
        sql: "UPDATE Z_4TRACKS SET Z_5TRACKS = \(other) WHERE Z_4PLAYLISTS = \(playlist) AND Z_5TRACKS = \(member)",
        told: ["Playlist/p\(playlist) tracks", "Track/p\(member) playlists", "Track/p\(other) playlists"]),
    ]
  }

  /// Returns the key of the first track at or after a given fraction of all keys.
  private static func track(_ connection: PlainConnection, at part: Int, of parts: Int) -> Int {
    connection.number(
      "SELECT min(Z_PK) FROM ZTRACK WHERE Z_PK >= (SELECT max(Z_PK) FROM ZTRACK) * \(part) / \(parts)")
  }

  private static func change(_ folder: BenchmarkFolder, _ changes: (PlainConnection) -> [Change]) throws {
    let changed = folder.destination(of: .changed)
    try FileManager.default.copyItem(at: folder.destination(of: .declared), to: changed)
    let connection = PlainConnection(changed.path)
    for change in changes(connection) {
      connection.execute(change.sql)
      guard connection.number("SELECT changes()") == 1 else {
        throw Failure(problem: "expected one row: \(change.sql)")
      }
    }
  }

  private static func require(_ folder: BenchmarkFolder, _ told: [String]) throws {
    let found = try Variant.differences(folder.source, folder.destination(of: .changed))
    guard found == told.sorted() else { throw Failure(problem: "found \(found), expected \(told.sorted())") }
  }
}
