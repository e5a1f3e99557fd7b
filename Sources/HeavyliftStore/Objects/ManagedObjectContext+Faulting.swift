import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Returns the object with that key in an entity's hierarchy, as a fault unless it is in memory.
  func object(_ key: Int64, destination: Int) throws -> ManagedObject {
    let declared = store.runtime.entities[destination]
    let objectKey = ObjectKey(root: declared.layout.rootNumber, key: key)
    if let object = registeredObject(objectKey) { return object }
    let object = ManagedObject(
      try concreteEntity(of: key, declared: declared), key: key, isFault: true, context: self)
    register(object)
    return object
  }

  /// Returns the object with an ID's key; nil if the row with that key belongs to another entity of the hierarchy.
  func object(_ key: Int64, of entity: EntityRuntime) throws -> ManagedObject? {
    // The entities of a hierarchy share one range of keys, so the row with the ID's key may belong to another entity.
    let root = store.runtime.entity(numbered: Int64(entity.layout.rootNumber)) ?? entity
    guard root.hasSubentities else { return try object(key, destination: entity.index) }
    let objectKey = ObjectKey(root: entity.layout.rootNumber, key: key)
    let found =
      try registeredObject(objectKey).map(\.runtime)
      ?? store.reporting { try concreteEntity(of: key, declared: entity, isShared: true) }
    guard entity.layout.numbersWithSubentities.contains(found.layout.number) else { return nil }
    return try object(key, destination: entity.index)
  }

  /// Returns the object with that key, and reads its values; nil if it does not exist, so that a link to a missing
  /// object can be replaced.
  func readObject(_ key: Int64, _ destination: Int) throws -> ManagedObject? {
    guard key != 0 else { return nil }
    let object = try object(key, destination: destination)
    do {
      try object.fulfill()
      return object
    } catch let error as Diagnostic where error.code == "store.missing-object" {
      return nil
    }
  }

  /// Returns the actual entity of an object, which only its row contains if the declared entity has sub-entities.
  private func concreteEntity(
    of key: Int64, declared: EntityRuntime, isShared: Bool = false
  ) throws -> EntityRuntime {
    guard declared.hasSubentities || isShared else { return declared }
    return try store.reporting {
      let statement = try store.database.cached(
        "SELECT Z_ENT FROM \(SQLName(declared.layout.tableName)) WHERE Z_PK = ?")
      try statement.bind(key, at: 1)
      var cursor = statement.query()
      // A missing object is reported when its values are accessed, as with other entities.
      guard try cursor.next() else { return declared }
      return try entity(numbered: cursor.row.integer(at: 0), key: key, table: declared.layout.tableName)
    }
  }

  func entity(numbered number: Int64, key: Int64, table: String) throws -> EntityRuntime {
    guard let entity = store.runtime.entity(numbered: number) else {
      throw store.unknownEntityNumber(number, table: table, key: key)
    }
    return entity
  }

  /// Reads an object's row, and those of the other faults in its batch.
  func fulfill(_ object: ManagedObject) throws {
    if let batch = object.batch {
      try batch.fulfill(in: self)
      if !object.isFault { return }
    }
    try readingRows {
      let statement = try faultStatement(for: object.runtime)
      try statement.bind(object.key, at: 1)
      var cursor = statement.query()
      guard try cursor.next(), case let number = cursor.row.integer(at: 1) else {
        throw StoreMistake.missingObject(entity: object.runtime.name, key: object.key).diagnostic(store.url)
      }
      guard number == Int64(object.runtime.layout.number) else {
        throw StoreMistake.wrongEntity(entity: object.runtime.name, key: object.key, found: number).diagnostic(
          store.url)
      }
      object.take(try reader(for: object.runtime).read(cursor.row))
    }
  }

  /// Returns the stored targets of a to-many relationship, in order.
  func storedTargets(of object: ManagedObject, slot: Int) throws -> [(key: Int64, order: Int64?)] {
    let relationship = object.runtime.toManys[slot]
    guard object.key > 0, let storage = relationship.storage else { return [] }
    try store.makeDeferredIndexes()
    return try store.reporting {
      let statement = try store.database.cached(relationship.targetsSQL)
      for index in 1...statement.parameterCount { try statement.bind(object.key, at: index) }
      var cursor = statement.query()
      var targets: [(key: Int64, order: Int64?)] = []
      while try cursor.next() {
        let order = storage.orderColumn == nil || cursor.row.isNull(at: 1) ? nil : cursor.row.integer(at: 1)
        let key = cursor.row.integer(at: 0)
        guard cursor.row.type(at: 0) == .integer, key > 0 else {
          throw StoreMistake.badLink(entity: object.runtime.name, key: object.key, storage: storage).diagnostic(
            store.url)
        }
        targets.append((key, order))
      }
      return targets
    }
  }

  /// Converts an error that occurred while a row was read to one with a message.
  func worded(_ error: any Error) -> any Error {
    do { try readingRows { throw error } } catch { return error }
    return error
  }

  /// Calls a function that reads rows, and converts its errors to ones with a message.
  func readingRows<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try store.reporting(body)
    } catch let bad as BadStoredValue {
      throw StoreMistake.badValue(
        entity: bad.entity, key: bad.key, table: bad.table, column: bad.column, attribute: bad.property,
        problem: bad.problem
      ).diagnostic(store.url)
    }
  }
}

extension ToManyStorage {
  /// A query for the keys of one owner's targets, in order. A link of a reflexive relationship may be stored in either
  /// direction.
  ///
  /// A row of a damaged join table may lack a key. It links nothing.
  var targetsSQL: String {
    let (table, owner, target) = (SQLName(tableName), SQLName(ownerColumn), SQLName(targetColumn))
    let order = orderColumn.map { ", \(SQLName($0))" } ?? ""
    let ordering = "ORDER BY \(orderColumn == nil ? "1" : "2, 1")"
    let direct =
      "SELECT \(target)\(order) FROM \(table) WHERE \(owner) = ?"
      + (kind == .joinTable ? " AND \(target) IS NOT NULL" : "")
    guard isReflexive else { return "\(direct) \(ordering)" }
    // A link that is stored in both directions counts once, with its order key in this owner's list.
    return "\(direct) UNION ALL SELECT \(owner)\(order) FROM \(table) l WHERE \(target) = ? AND \(owner) IS NOT NULL "
      + "AND NOT EXISTS (SELECT 1 FROM \(table) d WHERE d.\(owner) = l.\(target) AND d.\(target) = l.\(owner)) \(ordering)"
  }
}
