import Foundation
import HeavyliftSQLite
import HeavyliftStore

/// The associations between source and destination objects, by entity mapping.
///
/// Associations that a mapping declares are computed: either key can be derived from the other, and a bit records that
/// the object was created. Only associations that policies make are stored.
final class Associations {
  typealias Object = AssociationTable.Object

  private let tableURL: URL
  private var table: AssociationTable?
  /// The source keys whose objects were created as declared, by the number of the entity mapping.
  private var declared: [KeySet]
  /// The source keys of associations that were discarded, although their objects exist.
  private var discarded: [KeySet]
  /// The keys of the destination objects that policies associated, by `Z_ENT`.
  private var recordedKeys: [Int: KeySet] = [:]
  /// True once a policy's associations may give several source objects the same destination object.
  private(set) var hasShared = false

  /// - Parameter mappings: The number of entity mappings.
  init(tableURL: URL, mappings: Int) {
    self.tableURL = tableURL
    declared = [KeySet](repeating: KeySet(), count: mappings)
    discarded = declared
  }

  // MARK: Declared associations

  /// Records that the object for a source key was created as declared. Returns false if that was already recorded.
  func noteDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].insert(key) }

  /// Records all objects that a mapping created as declared.
  func noteDeclared(_ keys: KeySet, mapping: Int) { declared[mapping] = keys }

  /// Returns true if the object for a source key was created as declared.
  func isDeclared(_ key: Int64, mapping: Int) -> Bool { declared[mapping].contains(key) }

  /// Returns the source keys of all objects that were created as declared.
  func declaredKeys(mapping: Int) -> KeySet { declared[mapping] }

  /// Returns the source keys of all objects that were created as declared, including those whose associations were
  /// discarded.
  func createdKeys(mapping: Int) -> KeySet {
    var keys = declared[mapping]
    keys.formUnion(discarded[mapping])
    return keys
  }

  // MARK: Recorded associations

  /// Stores an association between a source and a destination object.
  func record(source: Object, destination: Object, mapping: Int) throws {
    if !recordedKeys[destination.entity, default: KeySet()].insert(destination.key) { hasShared = true }
    try openTable().insert(mapping: mapping, source: source, destination: destination)
  }

  /// Records that a policy associates a source object with a destination object that was created for another one.
  func noteShared() { hasShared = true }

  /// True if policies have made any associations.
  var hasRecorded: Bool { table != nil }

  /// Returns true if policies have made any associations through the mapping.
  func hasRecorded(mapping: Int) -> Bool { table.map { $0.count(ofMapping: mapping) > 0 } ?? false }

  func recordedDestinations(of source: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.destinations(mapping: mapping, source: source)
  }

  func recordedSources(of destination: Object, mapping: Int) throws -> [Object] {
    guard let table, table.count(ofMapping: mapping) > 0 else { return [] }
    return try table.sources(mapping: mapping, destination: destination)
  }

  /// Calls `body` once for each destination object, or source object, that policies have associated so far, in the
  /// order of association.
  func forEachRecorded(
    mapping: Int, ofSources: Bool = false, _ body: (_ source: Object, _ destination: Object) throws -> Void
  ) throws {
    try forEachAssociation(mapping: mapping, firstOfEach: ofSources ? .source : .destination) { try body($1, $2) }
  }

  /// Calls `body` with each association that policies have made so far, in order, or only with the first one of each
  /// object at an end.
  func forEachAssociation(
    mapping: Int, firstOfEach end: AssociationTable.End? = nil,
    _ body: (_ number: Int64, _ source: Object, _ destination: Object) throws -> Void
  ) throws {
    guard let table, table.count(ofMapping: mapping) > 0 else { return }
    let last = try table.lastNumber()
    var number: Int64 = 0
    while true {
      let some = try table.associations(
        mapping: mapping, after: number, upTo: last, atMost: 256, firstOfEach: end)
      guard let latest = some.last?.number else { return }
      for association in some { try body(association.number, association.source, association.destination) }
      number = latest
    }
  }

  /// Returns the keys of the source objects that policies associated through a mapping, by `Z_ENT`.
  func recordedSourceKeys(mapping: Int) throws -> [Int: KeySet] {
    var keys: [Int: KeySet] = [:]
    guard let table, table.count(ofMapping: mapping) > 0 else { return keys }
    try table.forEachSource(mapping: mapping) { keys[$0.entity, default: KeySet()].insert($0.key) }
    return keys
  }

  // MARK: All associations

  /// Deletes all associations of a destination object that is being deleted, and returns a function that restores them.
  ///
  /// - Parameter declaredKeys: Each mapping that may have created the object, with the key that the object's source has
  ///   in that case.
  func forget(_ destination: Object, declaredKeys: [(mapping: Int, key: Int64)]) throws -> () throws -> Void {
    for (mapping, key) in declaredKeys {
      declared[mapping].remove(key)
      discarded[mapping].remove(key)
    }
    let removed = try table?.remove(destination: destination) ?? []
    return { [self] in
      for (mapping, key) in declaredKeys { declared[mapping].insert(key) }
      try table?.restore(removed)
    }
  }

  func removeAll() throws {
    for mapping in declared.indices { discarded[mapping].formUnion(declared[mapping]) }
    declared = [KeySet](repeating: KeySet(), count: declared.count)
    recordedKeys = [:]
    hasShared = false
    try table?.removeAll()
  }

  func close() { table?.close() }

  private func openTable() throws -> AssociationTable {
    if let table { return table }
    let made = try AssociationTable(at: tableURL)
    table = made
    return made
  }
}

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
