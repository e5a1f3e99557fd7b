import Foundation
import HeavyliftSQLite

/// The associations that policies made, in a table on disk, so that memory use does not grow with the store.
///
/// The table is not needed after the migration, so it is never synced to disk.
final class AssociationTable {
  /// An object, identified by `Z_ENT` and `Z_PK`.
  struct Object: Hashable {
    var entity: Int
    var key: Int64
  }

  /// An end of an association.
  enum End: String {
    case source, destination
  }

  private let database: Database
  /// The number of associations of each entity mapping, by the mapping's number.
  private var counts: [Int: Int] = [:]

  init(at url: URL) throws(SQLiteError) {
    database = try Database(path: url.path, mode: .create)
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096;
      CREATE TABLE association (
        number INTEGER PRIMARY KEY, mapping INTEGER, source_entity INTEGER, source_key INTEGER,
        destination_entity INTEGER, destination_key INTEGER);
      CREATE INDEX by_source ON association (mapping, source_key, source_entity);
      CREATE INDEX by_destination ON association (destination_key, mapping, destination_entity);
      BEGIN
      """)
  }

  /// Returns the number of associations of an entity mapping.
  func count(ofMapping mapping: Int) -> Int { counts[mapping] ?? 0 }

  /// Adds an association after all others, unless it exists already.
  func insert(mapping: Int, source: Object, destination: Object) throws(SQLiteError) {
    let values = [mapping, source.entity, source.key, destination.entity, destination.key].map(Self.value)
    try database.run(
      """
      INSERT INTO association (mapping, source_entity, source_key, destination_entity, destination_key)
      SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (
        SELECT 1 FROM association WHERE mapping = ?1 AND source_key = ?3 AND source_entity = ?2
        AND destination_key = ?5 AND destination_entity = ?4)
      """, values)
    counts[mapping, default: 0] += database.changes
  }

  /// Returns the destination objects of a source object, in the order in which they were associated.
  func destinations(mapping: Int, source: Object) throws(SQLiteError) -> [Object] {
    try objects(
      """
      SELECT destination_entity, destination_key FROM association
      WHERE mapping = ? AND source_key = ? AND source_entity = ? ORDER BY number
      """, [mapping, source.key, source.entity])
  }

  /// Returns the source objects of a destination object, in the order in which they were associated.
  func sources(mapping: Int, destination: Object) throws(SQLiteError) -> [Object] {
    try objects(
      """
      SELECT source_entity, source_key FROM association
      WHERE destination_key = ? AND mapping = ? AND destination_entity = ? ORDER BY number
      """, [destination.key, mapping, destination.entity])
  }

  /// Calls `body` with the source object of each association of a mapping.
  func forEachSource(mapping: Int, _ body: (Object) -> Void) throws(SQLiteError) {
    let statement = try database.cached("SELECT source_entity, source_key FROM association WHERE mapping = ?")
    try statement.bind([Self.value(mapping)])
    var cursor = statement.query()
    while try cursor.next() {
      body(Object(entity: Int(cursor.row.integer(at: 0)), key: cursor.row.integer(at: 1)))
    }
  }

  /// Returns the number of the last association; 0 if there is none.
  func lastNumber() throws(SQLiteError) -> Int64 {
    guard case .integer(let number)? = try database.firstValue("SELECT max(number) FROM association") else { return 0 }
    return number
  }

  /// Returns a batch of a mapping's associations in order, or only the first association of each object at an end.
  func associations(
    mapping: Int, after number: Int64, upTo last: Int64, atMost limit: Int, firstOfEach end: End?
  ) throws(SQLiteError) -> [(number: Int64, source: Object, destination: Object)] {
    let isFirst = end.map { end in
      """
       AND NOT EXISTS (
        SELECT 1 FROM association b WHERE b.mapping = a.mapping AND b.number < a.number
          AND b.\(end)_key = a.\(end)_key AND b.\(end)_entity = a.\(end)_entity)
      """
    }
    return try rows(
      "mapping = ? AND number > ? AND number <= ?\(isFirst ?? "") ORDER BY number LIMIT ?",
      [.integer(Int64(mapping)), .integer(number), .integer(last), .integer(Int64(limit))])
  }

  private func rows(
    _ condition: String, _ values: [SQLiteValue]
  ) throws(SQLiteError) -> [(number: Int64, source: Object, destination: Object)] {
    let statement = try database.cached(
      """
      SELECT number, source_entity, source_key, destination_entity, destination_key FROM association a
      WHERE \(condition)
      """)
    try statement.bind(values)
    var cursor = statement.query()
    var found: [(Int64, Object, Object)] = []
    while try cursor.next() {
      found.append(
        (
          cursor.row.integer(at: 0), Object(entity: Int(cursor.row.integer(at: 1)), key: cursor.row.integer(at: 2)),
          Object(entity: Int(cursor.row.integer(at: 3)), key: cursor.row.integer(at: 4))
        ))
    }
    return found
  }

  /// The associations of a destination object with one mapping, and their place among all.
  struct Removed {
    let mapping: Int
    let rows: [(number: Int64, source: Object, destination: Object)]
  }

  /// Deletes all associations of a destination object, and returns them.
  func remove(destination: Object) throws(SQLiteError) -> [Removed] {
    var removed: [Removed] = []
    let condition = "destination_key = ? AND mapping = ? AND destination_entity = ?"
    for mapping in counts.keys where count(ofMapping: mapping) > 0 {
      let values = [destination.key, Int64(mapping), Int64(destination.entity)].map(SQLiteValue.integer)
      let rows = try rows(condition, values)
      guard !rows.isEmpty else { continue }
      try database.run("DELETE FROM association WHERE \(condition)", values)
      counts[mapping, default: 0] -= rows.count
      removed.append(Removed(mapping: mapping, rows: rows))
    }
    return removed
  }

  /// Adds associations that were removed, in their former order.
  func restore(_ removed: [Removed]) throws(SQLiteError) {
    for removed in removed {
      for (number, source, destination) in removed.rows {
        try database.run(
          "INSERT INTO association VALUES (?, ?, ?, ?, ?, ?)",
          [number, removed.mapping, source.entity, source.key, destination.entity, destination.key].map(Self.value))
      }
      counts[removed.mapping, default: 0] += removed.rows.count
    }
  }

  func removeAll() throws(SQLiteError) {
    try database.run("DELETE FROM association")
    counts = [:]
  }

  func close() { try? database.close() }

  private func objects(_ sql: String, _ values: [any BinaryInteger]) throws(SQLiteError) -> [Object] {
    let statement = try database.cached(sql)
    try statement.bind(values.map(Self.value))
    var cursor = statement.query()
    var objects: [Object] = []
    while try cursor.next() {
      objects.append(Object(entity: Int(cursor.row.integer(at: 0)), key: cursor.row.integer(at: 1)))
    }
    return objects
  }

  private static func value(_ number: any BinaryInteger) -> SQLiteValue { .integer(Int64(number)) }
}
