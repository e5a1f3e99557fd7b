import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// The largest number of targets of a relationship that remain in memory after they are written.
  private static let mostTargetsKept = 256

  /// From now on, new objects get their keys immediately, and `flush()` writes them even if they are incomplete.
  ///
  /// `save()` then does the same as `flush()`. Fetches see all changes, and `registeredObjects` and `insertedObjects`
  /// return all objects of the store, as in a context that saves once, at its end.
  ///
  /// - Parameter firstKeys: The first free key of each hierarchy, by the name of its root entity; 1 by default.
  package func beginBulkLoad(firstKeys: [String: Int64]) {
    var byRoot: [Int: Int64] = [:]
    for (name, key) in firstKeys {
      if let entity = store.runtime.byName[name] { byRoot[entity.layout.rootNumber] = key }
    }
    bulkLoad = BulkLoad(firstKeys: byRoot)
  }

  /// True if new objects get their keys immediately.
  var isBulkLoading: Bool { bulkLoad != nil }

  /// The number of changes to flush, including new objects that were passed on or deleted since the last flush.
  package var pendingCount: Int { inserted.span + updatedCount + deletedCount }

  /// Returns the approximate number of bytes in the values of the objects to flush.
  package func weighPending() -> Int { inserted.weigh() + updatedBytes }

  /// By entity, the number of objects that this context has created minus the number that it has deleted. The store
  /// must contain that many objects.
  package var objectBalance: [String: Int] {
    store.runtime.entities.reduce(into: [:]) { balance, entity in
      let count = objectCounts[entity.index].inserted - objectCounts[entity.index].deleted
      if count != 0 { balance[entity.name] = count }
    }
  }

  /// The number of objects in memory.
  var livingObjectCount: Int { registered.count }

  /// The largest number of objects that were in memory at once.
  var peakObjectCount: Int { registered.peak }

  /// Creates an object with a key that no other object has.
  func insert(_ entityName: String, key: Int64) throws -> ManagedObject {
    try insert(runtime(of: entityName), key: key)
  }

  /// Writes all changes without validating them, because the model's rules need not hold yet. The context then releases
  /// objects that the program does not hold.
  ///
  /// A failure is permanent: a partial write cannot be undone, and the store cannot be used any more.
  package func flush() throws {
    if let failure { throw failure }
    let isHandedOver = try handOver()
    try waitUntilWritten()
    guard !isHandedOver else { return }
    // Unwritten rows may still contain the keys of these objects.
    defer { vanished = [] }
    guard pendingCount > 0 else { return }
    let save = SaveOperation(self)
    do {
      try store.reporting {
        try store.database.transaction(.immediate) { try save.write() }
      }
    } catch {
      save.discardFiles()
      keep(error)
      throw error
    }
    save.finish()
    for object in save.deleted { transientValues[object.objectKey] = nil }
    for object in save.inserted + save.updated { keepTransients(of: object) }
    for object in save.inserted + save.updated { object.shedTargets(beyond: Self.mostTargetsKept) }
  }

  /// Writes all changes like `flush()`, but another thread writes new objects while this one continues. A later flush
  /// throws that thread's error. No statement may be reading the store's rows.
  package func flushBehind() throws {
    if let failure { throw failure }
    if try !handOver() { try flush() }
  }

  /// Gives the rows of new objects to the writing thread, and releases the objects, if only the context references
  /// them.
  ///
  /// No statement may be reading the store's rows. Each new object is considered once: if the program still holds it
  /// then, the next flush writes it.
  package func passOn() throws {
    guard inserted.hasUnseen, mayHandOver else { return }
    let writer = store.rowWriter()
    // If the program often accesses objects that it has just created, they are found faster in memory than as rows.
    guard !writer.isInterruptedOften else { return }
    do {
      try inserted.passOn { object in
        guard let insertion = writer.insertion(of: object.runtime.index), insertion.suffices(for: object) else {
          return false
        }
        keepTransients(of: object)
        try writer.write(object)
        return true
      }
    } catch {
      throw keepWorded(error)
    }
  }

  private var mayHandOver: Bool {
    updatedCount == 0 && deletedCount == 0 && vanishedCount == 0 && !store.runtime.hasDerivedAttributes
  }

  /// Gives the rows of new objects to the writing thread, except those that need more than a row; returns false if there
  /// are other changes to write.
  private func handOver() throws -> Bool {
    guard mayHandOver, !inserted.isEmpty else { return false }
    let writer = store.rowWriter()
    for object in inserted.all {
      guard let insertion = writer.insertion(of: object.runtime.index), insertion.suffices(for: object) else {
        continue
      }
      keepTransients(of: object)
      do { try writer.write(object) } catch { throw keepWorded(error) }
      inserted.remove(object)
      object.isNew = false
      object.rowVersion = 1
    }
    return inserted.isEmpty
  }

  /// Waits until all rows that were handed over are written.
  package func waitUntilWritten() throws {
    store.waitUntilWritten()
    if let failure = store.writingFailure { throw keepWorded(failure) }
  }

  /// Returns a failure of the writing thread as an error with a message, and keeps it as the context's failure.
  private func keepWorded(_ failure: any Error) -> any Error {
    do {
      try store.reporting { throw failure }
    } catch {
      keep(error)
      return error
    }
    return failure
  }

  /// Returns the object with that key, as a fault if it is not in memory. Does not access the store.
  package func fault(_ entityName: String, key: Int64) throws -> ManagedObject {
    let entity = try runtime(of: entityName)
    return fault(entity, key: key)
  }

  /// Returns the object with that key of the entity with that `Z_ENT`, as a fault if it is not in memory.
  package func fault(numbered number: Int, key: Int64) throws -> ManagedObject {
    fault(try entity(numbered: Int64(number), key: key, table: "Z_PRIMARYKEY"), key: key)
  }

  /// Returns the objects with those keys, in that order. Those that are faults are read together once a value of one of
  /// them is accessed.
  package func faults(_ entityName: String, keys: [Int64]) throws -> [ManagedObject] {
    faults(try runtime(of: entityName), keys: keys)
  }

  /// Returns the objects of the entity with that `Z_ENT` and with those keys, in that order.
  package func faults(numbered number: Int, keys: [Int64]) throws -> [ManagedObject] {
    faults(try entity(numbered: Int64(number), key: keys.first ?? 0, table: "Z_PRIMARYKEY"), keys: keys)
  }

  private func faults(_ entity: EntityRuntime, keys: [Int64]) -> [ManagedObject] {
    let batch = FaultBatch(entity)
    return keys.map { key in
      let object = fault(entity, key: key)
      if object.isFault { batch.append(object) }
      return object
    }
  }

  private func fault(_ entity: EntityRuntime, key: Int64) -> ManagedObject {
    if let object = registeredObject(ObjectKey(root: entity.layout.rootNumber, key: key)) { return object }
    let object = ManagedObject(entity, key: key, isFault: true, context: self)
    register(object)
    return object
  }
}

extension ManagedObject {
  /// `Z_ENT` of the object's row.
  package var entityNumber: Int { runtime.layout.number }

  /// `Z_PK` of the object's row; negative while it is temporary.
  package var primaryKey: Int64 { key }

  /// False while the object is a fault.
  package var hasValues: Bool { !isFault }

  /// Unloads the targets of relationships that have many; the next access reads them again.
  func shedTargets(beyond limit: Int) {
    for slot in toManys.indices where toManys[slot].isLoaded && toManys[slot].keys.count > limit {
      if !toManys[slot].hasChanges { toManys[slot] = ToManyContents() }
    }
  }
}

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

extension ManagedObjectContext {
  /// SQLite limits the length of a statement.
  private static let largestStatement = 1_000

  /// Updates objects in memory after statements have written relationships. There must be no unsaved changes.
  ///
  /// Attributes stay unchanged, because transient ones cannot be read again.
  package func rereadLinks() throws {
    var byEntity: [Int: [ManagedObject]] = [:]
    for object in registered.all where !object.isFault && !object.isNew && !object.isDeleted {
      for (slot, toMany) in object.runtime.toManys.enumerated() where toMany.storage != nil {
        object.toManys[slot] = ToManyContents()
      }
      if !object.runtime.columns.toOnes.isEmpty { byEntity[object.runtime.index, default: []].append(object) }
    }
    try readingRows {
      for (index, objects) in byEntity {
        let entity = store.runtime.entities[index]
        for start in stride(from: 0, to: objects.count, by: Self.largestStatement) {
          try rereadToOnes(of: objects[start..<min(start + Self.largestStatement, objects.count)], entity)
        }
      }
    }
  }

  private func rereadToOnes(of objects: ArraySlice<ManagedObject>, _ entity: EntityRuntime) throws {
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns.toOnes.map { SQLName($0.column.column).description }.joined(separator: ", ")
    let keys = byKey.keys.map(String.init).joined(separator: ", ")
    let statement = try store.database.prepare(
      "SELECT Z_PK, \(columns) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK IN (\(keys))")
    var cursor = statement.query()
    while try cursor.next() {
      guard let object = byKey[cursor.row.integer(at: 0)] else { continue }
      for (place, toOne) in entity.columns.toOnes.enumerated() {
        object.replaceTarget(cursor.row.integer(at: place + 1), at: toOne.slot)
      }
    }
  }
}

/// The transient attributes of a store under construction. Its objects are released when they are written, but their
/// transient values last until the end, as in a context that saves once.
extension ManagedObjectContext {
  /// Keeps the transient values of an object that is being written.
  func keepTransients(of object: ManagedObject) {
    guard !object.runtime.transientSlots.isEmpty else { return }
    let (runtime, key) = (object.runtime, object.objectKey)
    var values: [Int: Value] = [:]
    for slot in runtime.transientSlots {
      let value = object.heldValue(at: slot)
      if !value.isIdentical(to: runtime.defaults[slot]) { values[slot] = value }
    }
    if !values.isEmpty || transientValues[key] != nil { transientValues[key] = values.isEmpty ? nil : values }
  }

  /// Sets the transient attributes of an object that was read again.
  func restoreTransients(of object: ManagedObject) {
    let kept = transientValues[object.objectKey]
    for slot in object.runtime.transientSlots {
      object.replaceHeld(kept?[slot] ?? object.runtime.defaults[slot], at: slot)
    }
  }
}
