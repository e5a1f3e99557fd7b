import Foundation
import Measuring

/// The baseline: the same migration as handwritten SQL, without any checks.
///
/// It uses the schema and indexes of a store that Heavylift created, and the same pragmas while it writes rows.
enum PlainMigration {
  private static let rows = """
    INSERT INTO main.ZARTIST (Z_PK, Z_ENT, Z_OPT, ZBORN, ZNAME, ZCOUNTRY, ZSORTNAME)
      SELECT Z_PK, 2, 1, ZBORN, ZNAME, ZCOUNTRY, ZSORTNAME FROM src.ZARTIST;
    INSERT INTO main.ZALBUM (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZARTIST, ZRELEASED, ZTITLE, ZNOTES)
      SELECT Z_PK, 1, 1, ZYEAR, ZARTIST, ZRELEASED, ZTITLE, ZNOTES FROM src.ZALBUM;
    INSERT INTO main.ZTRACK (Z_PK, Z_ENT, Z_OPT, ZDURATIONMS, ZEXPLICIT, ZMEDIATYPE, ZNUMBER, ZPLAYCOUNT, ZSTARS, ZALBUM,
        ZARTIST, ZARTWORK, ZDATEADDED, ZLASTPLAYED, ZCOMPOSER, ZSORTTITLE, ZTIER, ZTITLE)
      SELECT Z_PK, 5, 1, CAST(ZDURATION * 1000.0 AS INTEGER), ZEXPLICIT, 1, ZTRACKNUMBER, ZPLAYCOUNT, ZRATING, ZALBUM,
        ZARTIST, Z_PK, ZDATEADDED, ZLASTPLAYED, ZCOMPOSER, upper(ZTITLE),
        CASE WHEN ZPLAYCOUNT > 100 THEN 'hot' ELSE 'cold' END, ZTITLE
      FROM src.ZTRACK WHERE ZPLAYCOUNT > 0;
    INSERT INTO main.ZARTWORK (Z_PK, Z_ENT, Z_OPT, ZTRACK, ZMIME, ZDATA)
      SELECT Z_PK, 3, 1, Z_PK, ZARTMIME, ZARTDATA FROM src.ZTRACK WHERE ZPLAYCOUNT > 0;
    INSERT INTO main.ZPLAYLIST (Z_PK, Z_ENT, Z_OPT, ZCOVERTRACK, ZCREATED, ZNAME)
      SELECT p.Z_PK, 4, 1, (SELECT t.Z_PK FROM main.ZTRACK t WHERE t.Z_PK = p.ZCOVERTRACK), p.ZCREATED, p.ZNAME
      FROM src.ZPLAYLIST p;
    INSERT INTO main.Z_4TRACKS (Z_4PLAYLISTS, Z_5TRACKS)
      SELECT j.Z_3PLAYLISTS, j.Z_4TRACKS FROM src.Z_3TRACKS j
      WHERE j.Z_4TRACKS NOT IN (SELECT Z_PK FROM src.ZTRACK WHERE (ZPLAYCOUNT > 0) IS NOT TRUE);
    """

  /// - Parameter template: An empty store of the new version.
  static func run(from source: URL, to destination: URL, template: URL) throws {
    let connection = PlainConnection(destination.path)
    connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -8192")
    connection.attach(source.path, as: "src")
    connection.attach(template.path, as: "template")
    connection.execute("BEGIN")
    let schema = "FROM template.sqlite_master WHERE sql IS NOT NULL AND type"
    for table in connection.texts("SELECT sql \(schema) = 'table'") { connection.execute(table) }
    connection.execute(rows)
    for index in connection.texts("SELECT sql \(schema) = 'index'") { connection.execute(index) }
    connection.execute(
      """
      INSERT INTO main.Z_METADATA SELECT * FROM template.Z_METADATA;
      INSERT INTO main.Z_MODELCACHE SELECT * FROM template.Z_MODELCACHE;
      INSERT INTO main.Z_PRIMARYKEY SELECT * FROM template.Z_PRIMARYKEY
      """)
    for name in connection.texts("SELECT Z_NAME FROM template.Z_PRIMARYKEY") {
      connection.execute(
        "UPDATE main.Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM main.Z\(name.uppercased())) "
          + "WHERE Z_NAME = '\(name)'")
    }
    connection.execute("COMMIT")
    let file = try FileHandle(forUpdating: destination)
    try file.synchronize()
    try file.close()
  }
}
