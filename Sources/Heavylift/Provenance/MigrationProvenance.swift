public import Foundation
import HeavyliftModel
import HeavyliftSQLite
public import HeavyliftStore
import HeavyliftReports

/// Maps the objects of a migrated store to the objects of the old store that they were created from, and names the
/// entity mappings that created them.
///
/// A migration writes the provenance to the path in `IncrementalMigrationOptions.provenance` or
/// `MigrationOptions.provenance`: an SQLite file that you can query, or lines of JSON if the file's name ends in
/// `.jsonl`.
///
/// ```sql
/// SELECT mapping, destination FROM provenance WHERE source = 'x-coredata://…/Track/p7';
/// ```
///
/// For a chain, it maps objects of the last version to objects of the first. There is one record for each path of
/// entity mappings between a pair of objects.
public final class MigrationProvenance {
  /// A record that one object was created from another.
  public struct Record: Hashable, Sendable {
    /// The entity mappings between the two, one for each hop, in order.
    public var entityMappingNames: [String]
    /// The object in the old store.
    public var source: ManagedObjectID
    /// The object in the new store.
    public var destination: ManagedObjectID

    /// The name of the entity mapping; for several hops, their names joined with arrows.
    public var entityMappingName: String { entityMappingNames.joined(separator: MigrationProvenance.arrow) }
  }

  /// A step from one version to the next.
  public struct Hop: Hashable, Sendable {
    /// The name of the source version.
    public var sourceVersion: String
    /// The name of the destination version.
    public var destinationVersion: String
  }

  static let arrow = " → "

  // `path` is a percent-encoded entity name, as in URIs. For a chain, each row of `entity_mapping` is a sequence of
  // mappings, one for each hop.
  static let schema = """
    CREATE TABLE store (source TEXT NOT NULL, destination TEXT NOT NULL);
    CREATE TABLE hop (number INTEGER PRIMARY KEY, source TEXT NOT NULL, destination TEXT NOT NULL);
    CREATE TABLE source_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL);
    CREATE TABLE destination_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL);
    CREATE TABLE entity_mapping (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE hop_mapping (
      mapping INTEGER NOT NULL, hop INTEGER NOT NULL, stage INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (mapping, hop)) WITHOUT ROWID;
    CREATE TABLE origin (
      mapping INTEGER NOT NULL, source_entity INTEGER NOT NULL, source_key INTEGER NOT NULL,
      destination_entity INTEGER NOT NULL, destination_key INTEGER NOT NULL);
    CREATE VIEW provenance AS SELECT m.name AS mapping,
      'x-coredata://' || store.source || '/' || s.path || '/p' || o.source_key AS source,
      'x-coredata://' || store.destination || '/' || d.path || '/p' || o.destination_key AS destination
      FROM store, origin o JOIN entity_mapping m ON m.number = o.mapping
      JOIN source_entity s ON s.number = o.source_entity JOIN destination_entity d ON d.number = o.destination_entity;
    """

  static let indexes = """
    CREATE INDEX by_source ON origin (mapping, source_key, source_entity);
    CREATE INDEX by_destination ON origin (destination_key, destination_entity);
    """

  /// The hops that were carried out, in order.
  public let hops: [Hop]

  let database: Database
  /// The identifier of the old store.
  package let sourceIdentifier: String
  /// The identifier of the new store.
  package let destinationIdentifier: String
  private let sourceEntities: [Int64: String]
  private let destinationEntities: [Int64: String]
  /// The names of each entity mapping, one for each hop, by the mapping's number.
  private let mappingNames: [Int64: [String]]

  /// Opens a migration's provenance file.
  public init(contentsOf url: URL) throws {
    do {
      database = try Database(path: url.path, mode: .readOnly)
      guard case .text(let source)? = try database.firstValue("SELECT source FROM store"),
        case .text(let destination)? = try database.firstValue("SELECT destination FROM store")
      else { throw Self.unreadable(url) }
      (sourceIdentifier, destinationIdentifier) = (source, destination)
      sourceEntities = try Self.entities("source", database)
      destinationEntities = try Self.entities("destination", database)
      mappingNames = try Self.mappings(database)
      hops = try Self.hops(database)
    } catch let error as SQLiteError {
      throw Self.unreadable(url, error)
    }
  }

  private static func unreadable(_ url: URL, _ error: SQLiteError? = nil) -> Diagnostic {
    Diagnostic(
      .error, code: "provenance.unreadable",
      problem: "'\(url.path)' is not the provenance of a migration" + (error.map { ": \($0.message)" } ?? ""),
      remedy: "specify the provenance file that the migration wrote")
  }

  private static func entities(_ side: String, _ database: Database) throws(SQLiteError) -> [Int64: String] {
    let statement = try database.cached("SELECT number, name FROM \(side)_entity")
    var cursor = statement.query()
    var names: [Int64: String] = [:]
    while try cursor.next() { names[cursor.row.integer(at: 0)] = try cursor.row.text(at: 1) ?? "" }
    return names
  }

  private static func mappings(_ database: Database) throws(SQLiteError) -> [Int64: [String]] {
    let statement = try database.cached("SELECT mapping, name FROM hop_mapping ORDER BY mapping, hop")
    var cursor = statement.query()
    var names: [Int64: [String]] = [:]
    while try cursor.next() { names[cursor.row.integer(at: 0), default: []].append(try cursor.row.text(at: 1) ?? "") }
    return names
  }

  private static func hops(_ database: Database) throws(SQLiteError) -> [Hop] {
    let statement = try database.cached("SELECT source, destination FROM hop ORDER BY number")
    var cursor = statement.query()
    var hops: [Hop] = []
    while try cursor.next() {
      hops.append(
        Hop(sourceVersion: try cursor.row.text(at: 0) ?? "", destinationVersion: try cursor.row.text(at: 1) ?? ""))
    }
    return hops
  }

  /// Calls `body` with every record, sorted by entity mapping; the records of one mapping are in the order in which
  /// they were made.
  public func forEach(_ body: (Record) throws -> Void) throws {
    try read(
      """
      SELECT mapping, source_entity, source_key, destination_entity, destination_key
      FROM origin ORDER BY mapping, rowid
      """, [], body)
  }

  /// Returns the records of the objects that were created from a source object.
  public func destinations(of source: ManagedObjectID) throws -> [Record] {
    guard let entity = sourceEntities.first(where: { $0.value == source.entityName })?.key else { return [] }
    return try records(
      """
      SELECT mapping, source_entity, source_key, destination_entity, destination_key
      FROM entity_mapping CROSS JOIN origin ON mapping = number
      WHERE source_key = ? AND source_entity = ? ORDER BY mapping, origin.rowid
      """, [source.key, entity])
  }

  /// Returns the records of the objects from which a destination object was created; empty for an object that a policy
  /// created without an association.
  public func sources(of destination: ManagedObjectID) throws -> [Record] {
    guard let entity = destinationEntities.first(where: { $0.value == destination.entityName })?.key else { return [] }
    return try records(
      """
      SELECT mapping, source_entity, source_key, destination_entity, destination_key
      FROM origin WHERE destination_key = ? AND destination_entity = ? ORDER BY mapping, rowid
      """, [destination.key, entity])
  }

  /// The objects that became others.
  package func moves() throws -> ObjectMoves {
    var moves = ObjectMoves()
    let statement = try database.cached(
      "SELECT source_entity, source_key, destination_entity, destination_key FROM origin")
    var cursor = statement.query()
    while try cursor.next() {
      guard let source = sourceEntities[cursor.row.integer(at: 0)],
        let destination = destinationEntities[cursor.row.integer(at: 2)]
      else { continue }
      moves.add((source, cursor.row.integer(at: 1)), (destination, cursor.row.integer(at: 3)))
    }
    return moves
  }

  /// Returns the objects created from a source object through the entity mapping at an index, in the order in which
  /// they were associated.
  package func destinations(
    ofKey key: Int64, entityNumber: Int, mapping: Int
  ) throws -> [(entity: Int, key: Int64)] {
    let statement = try database.cached(
      """
      SELECT destination_entity, destination_key FROM origin
      WHERE mapping = ? AND source_key = ? AND source_entity = ? ORDER BY rowid
      """)
    try statement.bind([.integer(Int64(mapping)), .integer(key), .integer(Int64(entityNumber))])
    var cursor = statement.query()
    var found: [(Int, Int64)] = []
    while try cursor.next() { found.append((Int(cursor.row.integer(at: 0)), cursor.row.integer(at: 1))) }
    return found
  }

  private func records(_ sql: String, _ values: [Int64]) throws -> [Record] {
    var found: [Record] = []
    try read(sql, values) { found.append($0) }
    return found
  }

  private func read(_ sql: String, _ values: [Int64], _ body: (Record) throws -> Void) throws {
    let statement = try database.prepare(sql)
    try statement.bind(values.map { .integer($0) })
    var cursor = statement.query()
    while try cursor.next() {
      try body(
        Record(
          entityMappingNames: mappingNames[cursor.row.integer(at: 0)] ?? [],
          source: ManagedObjectID(
            storeIdentifier: sourceIdentifier, entityName: sourceEntities[cursor.row.integer(at: 1)] ?? "",
            key: cursor.row.integer(at: 2)),
          destination: ManagedObjectID(
            storeIdentifier: destinationIdentifier,
            entityName: destinationEntities[cursor.row.integer(at: 3)] ?? "", key: cursor.row.integer(at: 4))))
    }
  }
}

extension MigrationProvenance {
  /// Returns the objects from which a destination object was created, each with the index of its entity mapping.
  package func sources(
    ofKey key: Int64, entityNumber: Int
  ) throws -> [(mapping: Int, entity: Int, key: Int64)] {
    let statement = try database.cached(
      """
      SELECT mapping, source_entity, source_key FROM origin
      WHERE destination_key = ? AND destination_entity = ? ORDER BY mapping, rowid
      """)
    try statement.bind([.integer(key), .integer(Int64(entityNumber))])
    var cursor = statement.query()
    var found: [(Int, Int, Int64)] = []
    while try cursor.next() {
      found.append((Int(cursor.row.integer(at: 0)), Int(cursor.row.integer(at: 1)), cursor.row.integer(at: 2)))
    }
    return found
  }
}
