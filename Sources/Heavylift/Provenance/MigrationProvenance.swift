public import Foundation
import HeavyliftModel
import HeavyliftSQLite
public import HeavyliftStore

/// Which objects of a migrated store came of which objects of the old one, and through which entity mapping.
///
/// A migration leaves it where `MigrationOptions.provenance` says: an SQLite file that can be asked anything.
///
/// ```sql
/// SELECT * FROM provenance WHERE source = 'x-coredata://…/Track/p7';
/// ```
public final class MigrationProvenance {
  /// That one object came of another.
  public struct Record: Hashable, Sendable {
    /// Through which the one became the other.
    public var entityMappingName: String
    /// In the old store.
    public var source: ManagedObjectID
    /// In the new one.
    public var destination: ManagedObjectID
  }

  static let schema = """
    CREATE TABLE store (source TEXT NOT NULL, destination TEXT NOT NULL);
    CREATE TABLE source_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE destination_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE entity_mapping (number INTEGER PRIMARY KEY, stage INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE origin (
      mapping INTEGER NOT NULL, source_entity INTEGER NOT NULL, source_key INTEGER NOT NULL,
      destination_entity INTEGER NOT NULL, destination_key INTEGER NOT NULL);
    CREATE VIEW provenance AS SELECT m.name AS mapping,
      'x-coredata://' || store.source || '/' || s.name || '/p' || o.source_key AS source,
      'x-coredata://' || store.destination || '/' || d.name || '/p' || o.destination_key AS destination
      FROM store, origin o JOIN entity_mapping m ON m.number = o.mapping
      JOIN source_entity s ON s.number = o.source_entity JOIN destination_entity d ON d.number = o.destination_entity;
    """

  static let indexes = """
    CREATE INDEX by_source ON origin (mapping, source_key, source_entity);
    CREATE INDEX by_destination ON origin (destination_key, destination_entity);
    """

  let database: Database
  private let sourceIdentifier: String
  private let destinationIdentifier: String
  private let sourceEntities: [Int64: String]
  private let destinationEntities: [Int64: String]

  /// Opens what a migration has left.
  public init(contentsOf url: URL) throws {
    do {
      database = try Database(path: url.path, mode: .readOnly)
      guard case .text(let source)? = try database.firstValue("SELECT source FROM store"),
        case .text(let destination)? = try database.firstValue("SELECT destination FROM store")
      else { throw Self.unreadable(url) }
      (sourceIdentifier, destinationIdentifier) = (source, destination)
      sourceEntities = try Self.entities("source", database)
      destinationEntities = try Self.entities("destination", database)
    } catch let error as SQLiteError {
      throw Self.unreadable(url, error)
    }
  }

  private static func unreadable(_ url: URL, _ error: SQLiteError? = nil) -> Diagnostic {
    Diagnostic(
      .error, code: "provenance.unreadable",
      problem: "'\(url.path)' is no provenance of a migration" + (error.map { ": \($0.message)" } ?? ""),
      remedy: "give the file that the migration was told to leave")
  }

  private static func entities(_ side: String, _ database: Database) throws(SQLiteError) -> [Int64: String] {
    let statement = try database.cached("SELECT number, name FROM \(side)_entity")
    var cursor = statement.query()
    var names: [Int64: String] = [:]
    while try cursor.next() { names[cursor.row.integer(at: 0)] = try cursor.row.text(at: 1) ?? "" }
    return names
  }

  /// Calls `body` with every record, in order of entity mappings and of what they made.
  public func forEach(_ body: (Record) throws -> Void) throws {
    try read(
      """
      SELECT name, source_entity, source_key, destination_entity, destination_key
      FROM origin JOIN entity_mapping ON number = mapping ORDER BY mapping, origin.rowid
      """, [], body)
  }

  /// What came of an object.
  public func destinations(of source: ManagedObjectID) throws -> [Record] {
    guard let entity = sourceEntities.first(where: { $0.value == source.entityName })?.key else { return [] }
    return try records(
      """
      SELECT name, source_entity, source_key, destination_entity, destination_key
      FROM entity_mapping CROSS JOIN origin ON mapping = number
      WHERE source_key = ? AND source_entity = ? ORDER BY mapping, origin.rowid
      """, [source.key, entity])
  }

  /// What an object came of; nothing for one that a policy made and associated with no other.
  public func sources(of destination: ManagedObjectID) throws -> [Record] {
    guard let entity = destinationEntities.first(where: { $0.value == destination.entityName })?.key else { return [] }
    return try records(
      """
      SELECT name, source_entity, source_key, destination_entity, destination_key
      FROM origin JOIN entity_mapping ON number = mapping
      WHERE destination_key = ? AND destination_entity = ? ORDER BY mapping, origin.rowid
      """, [destination.key, entity])
  }

  /// What came of an object through the entity mapping at that place, in the order in which it was told.
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
          entityMappingName: cursor.row.text(at: 0) ?? "",
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
  /// What an object came of, through which entity mappings by their places.
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
