@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Damage that a broken engine could do to a finished store.
enum StoreDamage: String, CaseIterable, Sendable {
  case entity = "drops an entity"
  case row = "drops a row"
  case column = "drops a column"
  case link = "drops a to-one"
  case joinTable = "drops a join table"
  case doubleTable = "doubles a table"

  /// Damages a store of tracks, albums and tags.
  ///
  /// - Returns: The number of changed rows.
  func damage(_ database: Database, _ layout: PhysicalLayout) throws -> Int {
    guard let track = layout.entity(named: "Track"), let album = layout.entity(named: "Album") else { return 0 }
    func column(_ name: String) -> String {
      track.attributes.first { $0.name == name }?.column ?? track.toOne(named: name)?.column ?? ""
    }
    let statements: [String] =
      switch self {
      case .entity: ["DELETE FROM \(track.tableName)"]
      case .row: ["DELETE FROM \(album.tableName) WHERE Z_PK = (SELECT max(Z_PK) FROM \(album.tableName))"]
      case .column:
        ["UPDATE \(track.tableName) SET \(column("text")) = NULL WHERE \(column("text")) IS NOT NULL"]
      case .link:
        ["UPDATE \(track.tableName) SET \(column("album")) = NULL WHERE \(column("album")) IS NOT NULL"]
      case .joinTable: track.toMany(named: "tags").map { ["DELETE FROM \($0.tableName)"] } ?? []
      case .doubleTable:
        [
          "CREATE TEMP TABLE doubled AS SELECT * FROM \(album.tableName)", "UPDATE doubled SET Z_PK = Z_PK + 100",
          "INSERT INTO \(album.tableName) SELECT * FROM doubled",
        ]
      }
    for sql in statements { try database.execute(sql) }
    let changes = database.changes
    try database.execute("DROP TABLE IF EXISTS temp.doubled")
    return changes
  }
}
