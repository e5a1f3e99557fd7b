import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Joins the provenance of the hops so far with that of the next one. The result leads back to the first version's
/// objects.
///
/// SQL statements over the files do the work, so that memory use does not grow with the stores. An object without an
/// origin, such as one that a policy created, has no origin in the result, and neither do its counterparts in later
/// versions.
struct ProvenanceComposition {
  /// The provenance of all earlier hops.
  let earlier: URL
  /// The provenance of the next hop alone.
  let latest: URL

  func write(to url: URL, cancellation: MigrationCancellation) throws {
    try FileRights(of: earlier)?.makeFile(at: url)
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096")
    try database.attach(path: earlier.path, as: "earlier", readOnly: true)
    try database.attach(path: latest.path, as: "latest", readOnly: true)
    let interrupter = database.interrupter
    try cancellation.interrupting(by: { interrupter.interrupt() }) {
      try database.transaction {
        try database.execute(MigrationProvenance.schema)
        try database.execute(Self.frame)
        try database.execute(Self.origins)
        try database.execute(MigrationProvenance.indexes)
        try database.execute(Self.duplicates)
        try database.execute(Self.names)
      }
    }
    try database.close()
  }

  /// Tables for the join: matching entities of the store between the hops, and for each earlier mapping the first
  /// number of the paths that start with it. Paths are renumbered from scratch for each hop, so that their numbers do
  /// not grow exponentially.
  private static let frame = """
    INSERT INTO main.store SELECT e.source, l.destination FROM earlier.store e, latest.store l;
    INSERT INTO main.hop SELECT number, source, destination FROM earlier.hop;
    INSERT INTO main.hop
      SELECT (SELECT count(*) FROM earlier.hop) + number, source, destination FROM latest.hop;
    INSERT INTO main.source_entity SELECT number, name, path FROM earlier.source_entity;
    INSERT INTO main.destination_entity SELECT number, name, path FROM latest.destination_entity;
    CREATE TEMP TABLE middle_entity (latest INTEGER PRIMARY KEY, earlier INTEGER NOT NULL);
    INSERT INTO temp.middle_entity
      SELECT l.number, e.number FROM latest.source_entity l JOIN earlier.destination_entity e ON e.name = l.name;
    CREATE TEMP TABLE way (number INTEGER PRIMARY KEY, base INTEGER NOT NULL, count INTEGER NOT NULL);
    INSERT INTO temp.way
      SELECT number, (row_number() OVER (ORDER BY number) - 1) * m.count, m.count
      FROM earlier.entity_mapping, (SELECT coalesce(max(number), 0) + 1 AS count FROM latest.entity_mapping) m;
    """

  /// Fills the result in the order in which the latest hop created its objects; each object's earlier origin is looked
  /// up by key.
  private static let origins = """
    INSERT INTO main.origin
    SELECT w.base + l.mapping, e.source_entity, e.source_key, l.destination_entity, l.destination_key
    FROM latest.origin l CROSS JOIN temp.middle_entity m ON m.latest = l.source_entity
    CROSS JOIN earlier.origin e INDEXED BY by_destination
      ON e.destination_key = l.source_key AND e.destination_entity = m.earlier
    CROSS JOIN temp.way w ON w.number = e.mapping
    """

  /// Removes duplicates: two objects of the store between the hops can yield the same path between the same two
  /// objects.
  private static let duplicates = """
    DELETE FROM main.origin WHERE EXISTS (
      SELECT 1 FROM main.origin o WHERE o.mapping = origin.mapping AND o.source_key = origin.source_key
        AND o.source_entity = origin.source_entity AND o.destination_key = origin.destination_key
        AND o.destination_entity = origin.destination_entity AND o.rowid < origin.rowid)
    """

  /// The names of the paths that at least one object took.
  private static let names = """
    INSERT INTO main.entity_mapping
      SELECT w.base + l.number, e.name || '\(MigrationProvenance.arrow)' || l.name
      FROM earlier.entity_mapping e JOIN temp.way w ON w.number = e.number CROSS JOIN latest.entity_mapping l
      WHERE EXISTS (SELECT 1 FROM main.origin o WHERE o.mapping = w.base + l.number);
    INSERT INTO main.hop_mapping
      SELECT n.number, h.hop, h.stage, h.name FROM temp.way w
      JOIN main.entity_mapping n ON n.number >= w.base AND n.number < w.base + w.count
      JOIN earlier.hop_mapping h ON h.mapping = w.number;
    INSERT INTO main.hop_mapping
      SELECT n.number, (SELECT count(*) FROM earlier.hop) + h.hop, h.stage, h.name FROM temp.way w
      JOIN main.entity_mapping n ON n.number >= w.base AND n.number < w.base + w.count
      JOIN latest.hop_mapping h ON h.mapping = n.number - w.base;
    """
}

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

/// A provenance file on its way from the work folder to its final path.
///
/// It is put in place before the store, and removed again if the store cannot be put in place.
struct LeftProvenance {
  /// The file in the work folder.
  let made: URL
  let place: URL
  /// An unguessable part of an incomplete copy's name, so that no other process can take that name.
  let mark: String
  let files: FileOperations

  /// An incomplete copy next to the final path.
  private var copy: URL { place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(mark)") }

  /// Returns true if an interrupted run has already put this file at the final path.
  func isLeft() throws -> Bool {
    guard let here = try FileIdentity(made), let there = try FileIdentity(place) else { return false }
    return here.isSameFile(as: there)
      || here.size == there.size && FileManager.default.contentsEqual(atPath: made.path, andPath: place.path)
  }

  /// Puts the file in place, as a hard link, or as a copy if the path is on another disk.
  func leave() throws {
    if try isLeft() { return }
    do {
      try files.link(made, to: place)
    } catch let error as POSIXError where error.meansNoLinks {
      try files.remove(copy)
      try files.copy(made, to: copy)
      do {
        try files.move(copy, to: place)
      } catch {
        try? files.remove(copy)
        throw try files.exists(place) ? MigrationError.destinationExists(place) : error
      }
    } catch let error as POSIXError where error.code == .EEXIST {
      throw MigrationError.destinationExists(place)
    }
    try files.synchronize(place.deletingLastPathComponent())
  }

  /// Removes the file, unless another process created it.
  func takeBack() throws {
    try files.remove(copy)
    if try isLeft() { try files.remove(place) }
  }
}
