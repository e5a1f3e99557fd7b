import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The records of CloudKit mirroring, which identify objects by the numbers of their entities and by their keys.
struct MirroredRecords {
  /// The new numbers of the entities whose objects keep their keys, by the old ones.
  private let numbers: [Int64: Int64]

  /// - Throws: `MigrationError` if there are records of objects that get other keys, or whose new entity depends on the
  ///   object.
  init(in tables: [MirroringTable], _ stores: MappedStores) throws {
    var numbers: [Int64: Int64] = [:]
    var moving: [EntityLayout] = []
    for entity in stores.source.layout.entities {
      let places = stores.mappings.indices.filter { place in
        stores.mappings[place].sourceEntityName == entity.name && stores.mappings[place].destinationEntityName != nil
      }
      guard let place = places.first else { continue }
      let new = stores.mappings[place].destinationEntityName.flatMap(stores.destination.layout.entity(named:))
      guard places.count == 1, stores.keepsKeys(place), let new else {
        moving.append(entity)
        continue
      }
      numbers[Int64(entity.number)] = Int64(new.number)
    }
    self.numbers = numbers
    for table in tables { try Self.refuse(moving, in: table, of: stores.sourceStore) }
  }

  private static func refuse(
    _ moving: [EntityLayout], in table: MirroringTable, of source: PersistentStore
  ) throws {
    guard let column = table.entityColumn else { return }
    for entity in moving {
      let count = try source.reporting {
        try source.database.firstValue(
          "SELECT count(*) FROM \(table.name.asSQLIdentifier) WHERE \(column) = ?", .integer(Int64(entity.number)))
      }
      guard case .integer(let count)? = count, count > 0 else { continue }
      throw MigrationError(
        .sourceStore,
        problem: "the store is mirrored with CloudKit: table '\(table.name)' has "
          + "\(Int(count).counted(as: "record")) of \(entity.name) objects, which do not keep their entity and keys",
        remedy: "migrate the entity with one entity mapping that keeps keys, or leave CloudKit's tables behind with "
          + "--leave-behind; CloudKit then treats the store as new, and may create its objects a second time")
    }
  }

  /// Returns the new number of an entity; nil if records of its objects have nothing to lead to.
  func number(_ old: SQLiteValue) -> SQLiteValue? {
    guard case .integer(let old) = old else { return old }
    return numbers[old].map(SQLiteValue.integer)
  }
}
