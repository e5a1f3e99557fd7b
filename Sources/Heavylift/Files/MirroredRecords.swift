import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The records of CloudKit mirroring, which identify objects by the numbers of their entities and by their keys.
struct MirroredRecords {
  private let source: PersistentStore
  private let columns: [String: MirroringTable.ObjectColumns]
  /// The entities whose objects keep their keys, before and after the migration, by the old number.
  private let entities: [Int64: (old: EntityLayout, new: EntityLayout)]

  /// - Throws: `MigrationError` if there are records of objects that get other keys, or whose new entity depends on the
  ///   object.
  init(in tables: [MirroringTable], _ stores: MappedStores) throws {
    source = stores.sourceStore
    columns = tables.reduce(into: [:]) { $0[$1.name] = $1.object }
    var entities: [Int64: (old: EntityLayout, new: EntityLayout)] = [:]
    var moving: [EntityLayout] = []
    for entity in stores.source.layout.entities {
      let places = stores.mappings.indices.filter { place in
        stores.mappings[place].sourceEntityName == entity.name && stores.mappings[place].destinationEntityName != nil
      }
      guard let place = places.first else { continue }
      let new = stores.destination.layout.entity(named: stores.mappings[place].destinationEntityName)
      guard places.count == 1, stores.keepsKeys(place), let new else {
        moving.append(entity)
        continue
      }
      entities[Int64(entity.number)] = (entity, new)
    }
    self.entities = entities
    for entity in moving { try refuse(entity) }
  }

  private func refuse(_ entity: EntityLayout) throws {
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
      let count = try source.reporting {
        try source.database.firstValue(
          "SELECT count(*) FROM \(table.asSQLIdentifier) WHERE \(columns.entity.asSQLIdentifier) = ?",
          .integer(Int64(entity.number)))
      }
      guard case .integer(let count)? = count, count > 0 else { continue }
      throw MigrationError(
        .sourceStore,
        problem: "the store is mirrored with CloudKit: table '\(table)' has "
          + "\(Int(count).counted(as: "record")) of \(entity.name) objects, which do not keep their entity and keys",
        remedy: "migrate the entity with one entity mapping that keeps keys, or leave CloudKit's tables behind with "
          + "--leave-behind; CloudKit then treats the store as new, and may create its objects a second time")
    }
  }

  /// Returns the places of the columns that identify an object among a table's columns; nil if there are none.
  func places(in table: String, among names: [String]) -> (entity: Int, key: Int)? {
    guard let columns = columns[table], let entity = names.firstIndex(of: columns.entity),
      let key = names.firstIndex(of: columns.key)
    else { return nil }
    return (entity, key)
  }

  /// Returns the new number of a record's entity; nil if its object was not migrated.
  ///
  /// Records of objects that the old store does not have either remain: CloudKit may not know of the deletion yet.
  func entityNumber(_ number: SQLiteValue, key: SQLiteValue, in destination: Database) throws -> SQLiteValue? {
    guard case .integer(let old) = number else { return number }
    guard let entity = entities[old] else { return nil }
    let isKept = try exists(key, entity.new, in: destination) || !exists(key, entity.old, in: source.database)
    return isKept ? .integer(Int64(entity.new.number)) : nil
  }

  private func exists(_ key: SQLiteValue, _ entity: EntityLayout, in database: Database) throws -> Bool {
    try database.firstValue(
      "SELECT 1 FROM \(entity.tableName.asSQLIdentifier) WHERE Z_PK = ? "
        + "AND \(entity.numberSQL()) = \(entity.number)", key) != nil
  }
}
