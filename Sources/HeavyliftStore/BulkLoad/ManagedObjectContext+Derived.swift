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
}
