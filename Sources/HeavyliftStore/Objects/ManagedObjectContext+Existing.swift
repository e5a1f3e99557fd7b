import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Returns the object with that `Z_ENT` and that key, and reads its values; nil if it does not exist or is of another
  /// entity.
  package func existingObject(numbered number: Int, key: Int64) throws -> ManagedObject? {
    guard key > 0 else { return nil }
    let object = try fault(numbered: number, key: key)
    guard object.entityNumber == number else { return nil }
    do {
      try object.fulfill()
      return object
    } catch let error as Diagnostic where ["store.missing-object", "store.wrong-entity"].contains(error.code) {
      return nil
    }
  }

  /// Returns the object with that `Z_ENT` and that key without reading its values; nil if it does not exist or is of
  /// another entity.
  package func existingFault(numbered number: Int, key: Int64) throws -> ManagedObject? {
    guard key > 0, let entity = store.runtime.entity(numbered: Int64(number)) else { return nil }
    if let known = registeredObject(ObjectKey(root: entity.layout.rootNumber, key: key)), !known.isFault {
      return known.entityNumber == number && !known.isDeleted ? known : nil
    }
    let isThere = try store.reporting {
      let statement = try store.database.cached(
        "SELECT \(entity.layout.numberSQL()) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK = ?")
      try statement.bind(key, at: 1)
      var cursor = statement.query()
      return try cursor.next() && cursor.row.integer(at: 0) == Int64(number)
    }
    guard isThere else { return nil }
    let object = try fault(numbered: number, key: key)
    return object.entityNumber == number ? object : nil
  }
}
