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
      throw store.badValue(
        entity: bad.entity, key: bad.key, table: bad.table, column: bad.column, property: bad.property,
        problem: bad.problem)
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

/// Faults of one fetch: accessing one of them reads all of them.
final class FaultBatch {
  /// SQLite limits the length of a statement.
  private static let largestStatement = 5_000
  /// After this many bytes, the other faults are not read, because the program may never access them.
  private static let mostBytes = 4 << 20

  private let entity: EntityRuntime
  /// An object removes itself when it is deallocated, so each pointer is valid. Weak references would slow down every
  /// later retain of the objects.
  private var members: [Unmanaged<ManagedObject>?] = []

  init(_ entity: EntityRuntime) { self.entity = entity }

  func append(_ object: ManagedObject) {
    object.batch?.remove(object)
    object.batch = self
    object.batchPlace = members.count
    members.append(.passUnretained(object))
  }

  /// To be called for an object that is deallocated, read on its own, or added to another batch.
  func remove(_ object: ManagedObject) {
    // Compared as addresses: an object that is being deallocated must not be retained any more.
    guard members.indices.contains(object.batchPlace),
      members[object.batchPlace]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return }
    members[object.batchPlace] = nil
  }

  func fulfill(in context: ManagedObjectContext) throws {
    let objects = members.compactMap { $0?.takeUnretainedValue() }.filter { $0.isFault && $0.batch === self }
    members = []
    for object in objects { object.batch = nil }
    guard objects.count > 1 else { return }
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns
    let names = columns.names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    let query = "SELECT \(names) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK"
    let sorted = byKey.keys.sorted()
    var bytes = 0
    // Faults that were not read form a batch again. If the accessed object is one of them, the caller reads it on its
    // own.
    defer {
      if bytes > Self.mostBytes { for object in objects where object.isFault { append(object) } }
    }
    try context.readingRows {
      for start in stride(from: 0, to: sorted.count, by: Self.largestStatement) {
        let keys = sorted[start..<min(start + Self.largestStatement, sorted.count)]
        let statement: Statement
        if let first = keys.first, let last = keys.last, last - first < keys.count * 2 {
          // Reading a few rows too many takes less time than compiling a list of keys.
          statement = try context.store.database.cached("\(query) BETWEEN ? AND ?")
          try statement.bind([.integer(first), .integer(last)])
        } else {
          // Keys are integers, so they can be part of the SQL. With parameters, each number of keys would be another
          // statement.
          statement = try context.store.database.prepare(
            "\(query) IN (\(keys.map(String.init).joined(separator: ", ")))")
        }
        let reader = context.reader(for: entity)
        var cursor = statement.query()
        while bytes <= Self.mostBytes, try cursor.next() {
          guard cursor.row.integer(at: 1) == Int64(entity.layout.number), let object = byKey[cursor.row.integer(at: 0)]
          else { continue }
          object.take(try reader.read(cursor.row))
          bytes += object.heapBytes
        }
      }
    }
  }
}
