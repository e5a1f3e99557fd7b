import Foundation
import Heavylift
import Measuring

/// Fills a store of the first version with the given number of tracks, a tenth as many artists, a twentieth as many
/// albums, and a playlist of up to 100 tracks for every hundred. The same number always gives the same rows.
struct TrackGenerator {
  private static let words =
    ("amber river stone glass morning echo paper silver hollow winter lantern copper harbor velvet thunder meadow "
    + "crystal shadow orbit signal mirror canyon ember willow marble atlas comet violet north garden").split(
      separator: " "
    ).map(String.init)
  private static let accented = ["café", "señor", "über", "naïve", "Ångström", "piñata", "žluť", "smörgås"]
  private static let countries = ["US", "GB", "DE", "FR", "JP", "BR"]

  private let tracks: Int
  private var random: SplitMix
  private var artists: Int { max(1, tracks / 10) }
  private var albums: Int { max(1, tracks / 20) }
  private var playlists: Int { max(1, tracks / 100) }

  init(tracks: Int) {
    self.tracks = tracks
    random = SplitMix(state: UInt64(tracks))
  }

  mutating func fill(_ url: URL) throws {
    try PersistentStore.create(at: url, model: TrackModels.old).close()
    let connection = PlainConnection(url.path)
    connection.execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
    let indexes = connection.texts("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    for name in connection.texts("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL") {
      connection.execute("DROP INDEX \"\(name)\"")
    }
    connection.execute("BEGIN")
    insertArtists(connection)
    insertAlbums(connection)
    insertTracks(connection)
    insertPlaylists(connection)
    for (name, count) in [("Artist", artists), ("Album", albums), ("Track", tracks), ("Playlist", playlists)] {
      connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = '\(name)'")
    }
    for index in indexes { connection.execute(index) }
    connection.execute("COMMIT")
  }

  private mutating func insertArtists(_ connection: PlainConnection) {
    let statement = connection.prepare(
      "INSERT INTO ZARTIST (Z_PK, Z_ENT, Z_OPT, ZBORN, ZNAME, ZCOUNTRY, ZSORTNAME) VALUES (?, 2, 1, ?, ?, ?, ?)")
    for key in 1...artists {
      statement.insert(
        .integer(key), chance(0.7) ? .real(number(-3e8, 3e8)) : .null, text(2), .text(one(of: Self.countries)), text(2))
    }
  }

  private mutating func insertAlbums(_ connection: PlainConnection) {
    let statement = connection.prepare(
      "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZARTIST, ZRELEASED, ZTITLE, ZNOTES) "
        + "VALUES (?, 1, 1, ?, ?, ?, ?, ?)")
    for key in 1...albums {
      statement.insert(
        .integer(key), .integer(1950 + below(64)), .integer(1 + below(artists)), .real(number(0, 6e8)), text(3),
        chance(0.5) ? text(6) : .null)
    }
  }

  private mutating func insertTracks(_ connection: PlainConnection) {
    let statement = connection.prepare(
      "INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT, ZEXPLICIT, ZLEGACYID, ZPLAYCOUNT, ZRATING, ZTRACKNUMBER, ZALBUM, ZARTIST, "
        + "ZDATEADDED, ZLASTPLAYED, ZDURATION, ZARTMIME, ZCOMMENT, ZCOMPOSER, ZTITLE, ZARTDATA) "
        + "VALUES (?, 4, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for key in 1...tracks {
      let plays = chance(0.1) ? 0 : 1 + Int(number(0, 1) * number(0, 1) * 400)
      let title = chance(0.1) ? words(3 + below(4)) + " " + one(of: Self.accented) : words(3 + below(4))
      statement.insert(
        .integer(key), .integer(1 + below(4)), .integer(below(2)), .integer(1_000_000 + key * 3), .integer(plays),
        chance(0.6) ? .integer(below(6)) : .null, .integer(1 + below(16)),
        chance(0.95) ? .integer(1 + below(albums)) : .null, .integer(1 + below(artists)), .real(number(3e8, 6e8)),
        plays > 0 ? .real(number(5e8, 6e8)) : .null, .real(number(30, 430)),
        .text(chance(0.5) ? "image/png" : "image/jpeg"), chance(0.5) ? text(7) : .null, chance(0.4) ? text(2) : .null,
        .text(title), .bytes(bytes(64 + below(64))))
    }
  }

  private mutating func insertPlaylists(_ connection: PlainConnection) {
    let rows = connection.prepare(
      "INSERT INTO ZPLAYLIST (Z_PK, Z_ENT, Z_OPT, ZCOVERTRACK, ZCREATED, ZNAME) VALUES (?, 3, 1, ?, ?, ?)")
    let links = connection.prepare("INSERT INTO Z_3TRACKS (Z_3PLAYLISTS, Z_4TRACKS) VALUES (?, ?)")
    for key in 1...playlists {
      rows.insert(.integer(key), .integer(1 + below(tracks)), .real(number(0, 6e8)), text(3))
      var members: Set<Int> = []
      for _ in 0..<min(100, tracks) { members.insert(1 + below(tracks)) }
      for member in members.sorted() { links.insert(.integer(key), .integer(member)) }
    }
  }

  // MARK: Chance

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func number(_ low: Double, _ high: Double) -> Double {
    Double.random(in: low..<high, using: &random)
  }
  private mutating func chance(_ part: Double) -> Bool { number(0, 1) < part }
  private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }
  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
  private mutating func words(_ count: Int) -> String {
    (0..<count).map { _ in one(of: Self.words) }.joined(separator: " ")
  }
  private mutating func text(_ count: Int) -> PlainStatement.Value { .text(words(count)) }
}

/// A random number generator with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
