import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Removes objects from a provenance that a stage's handlers inserted before a hop, or deleted after it.
struct ProvenanceFilter {
  enum Side: String {
    case source, destination
  }

  let provenance: URL
  let side: Side

  /// Removes all pairs whose object on this side is not in a store.
  func removeObjects(absentFrom url: URL, _ model: ManagedObjectModel) throws {
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    let entities = store.layout.entities
    try store.close()
    let database = try Database(path: provenance.path, mode: .readWrite)
    try database.attach(path: url.path, as: "handled", readOnly: true)
    try database.transaction {
      for entity in entities {
        try database.run(
          """
          DELETE FROM main.origin WHERE \(side.rawValue)_entity = ? AND NOT EXISTS (
            SELECT 1 FROM handled.\(entity.tableName.asSQLIdentifier) t
            WHERE t.Z_PK = \(side.rawValue)_key AND \(entity.numberSQL("t")) = ?)
          """, .integer(Int64(entity.number)), .integer(Int64(entity.number)))
      }
    }
    try database.close()
  }
}
