import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Writes a derived attribute to its object's row immediately. An object without changes becomes a fault, so that its
  /// next access reads the new value.
  package func writeDerived(_ value: Value, forKey name: String, of object: ManagedObject) throws {
    guard case .attribute(let slot)? = object.runtime.slots[name],
      let column = object.runtime.attributes[slot].column
    else { return }
    try store.reporting {
      try store.database.run(
        "UPDATE \(SQLName(object.runtime.layout.tableName)) SET \(SQLName(column.column)) = ? WHERE Z_PK = ?",
        AttributeCodec.encode(value, as: column), .integer(object.key))
    }
    if !object.isPending { object.turnIntoFault() }
  }

  /// Writes a derived attribute to the rows of an entity, without its sub-entities, in which it is nil. The entity's objects
  /// without changes become faults.
  ///
  /// - Returns: The number of rows.
  package func writeDerived(_ value: Value, whereNil name: String, ofEntity entityName: String) throws -> Int {
    guard let entity = store.runtime.byName[entityName], case .attribute(let slot)? = entity.slots[name],
      let column = entity.attributes[slot].column
    else { return 0 }
    let count = try store.reporting {
      let name = SQLName(column.column)
      try store.database.run(
        "UPDATE \(SQLName(entity.layout.tableName)) SET \(name) = ? WHERE Z_ENT = ? AND \(name) IS NULL",
        AttributeCodec.encode(value, as: column), .integer(Int64(entity.layout.number)))
      return store.database.changes
    }
    guard count > 0 else { return 0 }
    for object in registered.all where object.runtime === entity && !object.isFault && !object.isPending {
      object.turnIntoFault()
    }
    return count
  }
}
