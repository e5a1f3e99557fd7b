import HeavyliftModel
import HeavyliftSQLite

extension SaveOperation {
  /// Calculates the order keys of every changed ordered relationship before the rows that hold them are written.
  func collectOrders() throws {
    for object in inserted + updated {
      for (slot, toMany) in object.runtime.toManys.enumerated() {
        guard let storage = toMany.storage, let column = storage.orderColumn, object.toManys[slot].hasChanges else {
          continue
        }
        _ = try object.targetKeys(at: slot)
        let root = root(of: toMany.destination)
        var keys: [Int64: Int64] = [:]
        for entry in object.toManys[slot].orderedKeys() {
          keys[permanentKey(entry.key)] = entry.order
          if storage.kind == .foreignKey, isInserted(entry.key, root: root) {
            orderKeys[OrderSlot(target: ObjectKey(root: root, key: entry.key), column: column)] = entry.order
          }
        }
        newOrders.append((object, slot, keys))
      }
    }
  }

  /// Returns true if this save inserts the object's row.
  private func isInserted(_ key: Int64, root: Int) -> Bool {
    key < 0
      || context.isBulkLoading && context.registeredObject(ObjectKey(root: root, key: key))?.isToBeInserted == true
  }

  /// Writes an object's rows in join tables. Only one side of each relationship writes them.
  func writeLinks(of object: ManagedObject) throws {
    let owner = SQLiteValue.integer(permanentKey(object.key))
    for (slot, toMany) in object.runtime.toManys.enumerated() {
      guard let storage = toMany.storage, storage.kind == .joinTable, storage.writesLinks else { continue }
      guard object.toManys[slot].hasChanges else { continue }
      let contents = object.toManys[slot]
      for key in contents.removed.sorted() {
        try remove(owner, .integer(key), from: storage)
      }
      let root = root(of: toMany.destination)
      for key in contents.added.sorted(by: ManagedObject.keysInOrder).map(permanentKey) where key != 0 {
        if isGone(ObjectKey(root: root, key: key)) { continue }
        try insert(owner, .integer(key), into: storage)
      }
    }
  }

  /// True for an object that was deleted and not created again. The rows of a join table are deleted along with the
  /// objects, so the result must not depend on an earlier flush.
  private func isGone(_ key: ObjectKey) -> Bool {
    if context.vanished.contains(key) { return true }
    guard context.deleted[key] != nil else { return false }
    return context.registeredObject(key)?.isToBeInserted != true
  }

  private func insert(_ owner: SQLiteValue, _ target: SQLiteValue, into storage: ToManyStorage) throws {
    let sql =
      "INSERT OR IGNORE INTO \(SQLName(storage.tableName)) "
      + "(\(SQLName(storage.ownerColumn)), \(SQLName(storage.targetColumn))) VALUES (?, ?)"
    try database.run(sql, owner, target)
    if storage.isReflexive { try database.run(sql, target, owner) }
  }

  private func remove(_ owner: SQLiteValue, _ target: SQLiteValue, from storage: ToManyStorage) throws {
    let sql =
      "DELETE FROM \(SQLName(storage.tableName)) "
      + "WHERE \(SQLName(storage.ownerColumn)) = ? AND \(SQLName(storage.targetColumn)) = ?"
    try database.run(sql, owner, target)
    if storage.isReflexive { try database.run(sql, target, owner) }
  }

  /// Writes changed order keys into rows that already existed and into rows of join tables.
  func writeOrders() throws {
    for (object, slot, _) in newOrders {
      guard let storage = object.runtime.toManys[slot].storage, let column = storage.orderColumn else { continue }
      let owner = SQLiteValue.integer(permanentKey(object.key))
      let root = root(of: object.runtime.toManys[slot].destination)
      let sql =
        "UPDATE \(SQLName(storage.tableName)) SET \(SQLName(column)) = ? "
        + "WHERE \(SQLName(storage.targetColumn)) = ? AND \(SQLName(storage.ownerColumn)) = ?"
      for entry in object.toManys[slot].orderedKeys() where entry.isChanged {
        if storage.kind == .foreignKey, isInserted(entry.key, root: root) { continue }
        try database.run(sql, .integer(entry.order), .integer(permanentKey(entry.key)), owner)
      }
    }
  }
}
