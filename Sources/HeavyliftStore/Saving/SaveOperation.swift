import HeavyliftModel
import HeavyliftSQLite

/// One save: assigns keys to new objects, writes rows and links, and finally updates the objects.
///
/// Everything happens in one transaction, which the caller opens. New external files are written before the transaction
/// ends, and obsolete ones are removed after it, so every row's file exists no matter when the process dies.
final class SaveOperation {
  let context: ManagedObjectContext
  var store: PersistentStore { context.store }
  var database: Database { context.store.database }
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]
  /// The keys of new objects, in the order of their temporary keys, which are consecutive.
  private var keys: [Int64]
  private let firstTemporaryKey: Int64
  /// True to set changed columns of uniqueness constraints to null first.
  var vacatesConstraints = false
  /// The statements that insert rows, by the entity's index.
  var insertStatements: [Int: Statement] = [:]
  var updateStatements: [ChangedColumns: Statement] = [:]
  /// The order keys of targets whose rows this save inserts, by target and column.
  var orderKeys: [OrderSlot: Int64] = [:]
  /// The new order keys of each changed ordered relationship, by the target's key.
  var newOrders: [(object: ManagedObject, slot: Int, keys: [Int64: Int64])] = []
  /// The new row versions of changed objects.
  var versions: [ObjectIdentifier: Int64] = [:]
  private var writtenFiles: [String] = []
  /// The values that were written to files.
  private var newFiles: [(object: ManagedObject, slot: Int, name: String)] = []
  private var obsoleteFiles: [String] = []

  struct OrderSlot: Hashable {
    var target: ObjectKey
    var column: String
  }

  init(_ context: ManagedObjectContext) {
    self.context = context
    inserted = context.newObjects
    updated = context.updatedObjects
    deleted = context.deletedObjects
    let temporary = inserted.lazy.map(\.key).filter { $0 < 0 }
    firstTemporaryKey = temporary.first ?? -1
    let span = firstTemporaryKey - (temporary.last ?? 0) + 1
    keys = [Int64](repeating: 0, count: temporary.isEmpty ? 0 : Int(span))
  }

  func write() throws {
    try assignKeys()
    try collectOrders()
    // Deletions come first, so that new rows can reuse the constraint values of deleted rows.
    for object in deleted { try delete(object) }
    if vacatesConstraints { try vacateConstraints() }
    for object in updated { try update(object) }
    for object in inserted { try insert(object) }
    for object in inserted + updated { try writeLinks(of: object) }
    try writeOrders()
  }

  /// Removes the files of a failed save.
  func discardFiles() {
    for name in writtenFiles { store.externalData.remove(name) }
  }

  /// Marks the objects as saved, and removes files that no row names anymore.
  func finish() {
    let orders = Dictionary(
      newOrders.map { (SlotOfObject(object: ObjectIdentifier($0.object), slot: $0.slot), $0.keys) },
      uniquingKeysWith: { _, last in last })
    for object in inserted + updated {
      if let version = versions[ObjectIdentifier(object)] { object.rowVersion = version }
      for slot in object.toOnes.indices where object.toOnes[slot] < 0 {
        object.replaceTarget(permanentKey(object.toOnes[slot]), at: slot)
      }
      for slot in object.toManys.indices where object.toManys[slot].hasChanges {
        object.toManys[slot].commit(
          translating: permanentKey,
          orderKeys: orders[SlotOfObject(object: ObjectIdentifier(object), slot: slot)])
      }
    }
    for file in newFiles { file.object.committedFiles[file.slot] = file.name }
    context.didSave(self)
    for name in obsoleteFiles { store.externalData.remove(name) }
  }

  private struct SlotOfObject: Hashable {
    var object: ObjectIdentifier
    var slot: Int
  }

  // MARK: Keys

  /// Assigns keys above the highest one ever assigned; a key is never reused, even if its object is gone.
  private func assignKeys() throws {
    for (root, objects) in Dictionary(grouping: inserted, by: \.runtime.layout.rootNumber).sorted(by: {
      $0.key < $1.key
    }) {
      if context.isBulkLoading {
        try noteKeys(of: objects, root: root)
        continue
      }
      var next = try database.highestKey(ofRoot: root, in: objects[0].runtime.layout.tableName)
      guard next < Int64.max - Int64(objects.count) else {
        throw StoreMistake.keysExhausted(entity: objects[0].runtime.name).diagnostic(store.url)
      }
      for object in objects {
        next += 1
        keys[Int(firstTemporaryKey - object.key)] = next
      }
      try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", .integer(next), .integer(Int64(root)))
    }
  }

  /// Records the highest key in a store under construction, where objects already have their keys.
  private func noteKeys(of objects: [ManagedObject], root: Int) throws {
    guard let highest = objects.lazy.map(\.key).max() else { return }
    try database.noteHighestKey(highest, ofRoot: root)
  }

  func root(of destination: Int) -> Int { store.runtime.entities[destination].layout.rootNumber }

  /// Returns the key that an object has in the store after this save.
  func permanentKey(_ key: Int64) -> Int64 {
    guard key < 0 else { return key }
    let place = Int(firstTemporaryKey - key)
    return keys.indices.contains(place) ? keys[place] : 0
  }

  // MARK: Files

  /// Returns the stored form of a value; a large value goes into a file if its attribute permits it.
  func stored(_ value: Value, as column: AttributeColumn) throws -> SQLiteValue {
    guard column.mayBeExternal, let data = value.data else {
      return try AttributeCodec.encode(value, as: column)
    }
    guard data.count >= ExternalDataFolder.threshold else { return ExternalDataFormat.inline(data) }
    let name = try store.externalData.write(data)
    writtenFiles.append(name)
    return ExternalDataFormat.reference(to: name)
  }

  /// Calls `write`, and records the file that it may create for an attribute's value.
  func notingFile(of object: ManagedObject, _ slot: Int, _ write: () throws -> Void) rethrows {
    let count = writtenFiles.count
    try write()
    if writtenFiles.count > count { newFiles.append((object, slot, writtenFiles[count])) }
  }

  func removeAfterwards(_ files: some Sequence<String>) { obsoleteFiles += files }
}

extension SaveOperation {
  /// Writes the row of a new object.
  func insert(_ object: ManagedObject) throws {
    let (entity, columns) = (object.runtime, object.runtime.columns)
    let statement = try insertStatement(for: entity)
    try statement.bind(permanentKey(object.key), at: 1)
    try statement.bind(Int64(entity.layout.number), at: 2)
    try statement.bind(1 as Int64, at: 3)
    var index = 4
    for attribute in columns.attributes {
      if let file = object.externalFiles[attribute.slot] {
        try statement.bind(ExternalDataFormat.reference(to: file), at: index)
        index += 1
        continue
      }
      try notingFile(of: object, attribute.slot) {
        try bind(object.attributes[attribute.slot], attribute.column, to: statement, &index)
      }
    }
    for (slot, column) in columns.toOnes {
      try statement.bind(try target(of: object, slot), at: index)
      index += 1
      if column.entityColumn != nil {
        try statement.bind(try targetEntity(of: object, slot), at: index)
        index += 1
      }
      if let orderColumn = column.orderColumn {
        let order = orderKeys[OrderSlot(target: object.objectKey, column: orderColumn)]
        try statement.bind(order.map(SQLiteValue.integer) ?? .null, at: index)
        index += 1
      }
    }
    try statement.execute()
  }

  private func insertStatement(for entity: EntityRuntime) throws -> Statement {
    if let statement = insertStatements[entity.index] { return statement }
    let statement = try database.prepare(entity.columns.insert)
    insertStatements[entity.index] = statement
    return statement
  }

  private func bind(
    _ value: Value, _ column: AttributeColumn, to statement: Statement, _ index: inout Int
  ) throws {
    switch value {
    case _ where column.isDerived || column.type == .composite:
      var values: [SQLiteValue] = []
      try append(value, column, to: &values)
      for value in values {
        try statement.bind(value, at: index)
        index += 1
      }
      return
    case .string(let text): try statement.bind(text: text, at: index)
    case .integer(let number): try statement.bind(number, at: index)
    case .double(let number): try statement.bind(number, at: index)
    default: try statement.bind(try stored(value, as: column), at: index)
    }
    index += 1
  }

  /// Writes an object's changed columns.
  func update(_ object: ManagedObject) throws {
    guard let committed = object.committed else { return }
    let (entity, columns) = (object.runtime, object.runtime.columns)
    // A store under construction is saved once, when it is complete, so `Z_OPT` is not incremented.
    let isCounted = !context.isBulkLoading
    var changed = ChangedColumns(entity: entity.index)
    if !object.attributes.isSameStorage(as: committed.attributes) {
      for (place, attribute) in columns.attributes.enumerated() where object.isChanged(attribute.slot, since: committed)
      {
        changed.attributes.append(place)
      }
    }
    for (place, (slot, _)) in columns.toOnes.enumerated() where object.toOnes[slot] != committed.toOnes[slot] {
      changed.toOnes.append(place)
    }
    guard
      !changed.attributes.isEmpty || !changed.toOnes.isEmpty
        // Changed links count, too: a context with an older version of the object must not overwrite them unknowingly.
        || isCounted && object.toManys.contains(where: \.hasChanges)
    else { return }
    let statement = try updateStatement(for: entity, changed, isCounted: isCounted)
    var index = 1
    if isCounted {
      try statement.bind(object.rowVersion + 1, at: index)
      index += 1
    }
    for attribute in changed.attributes.map({ columns.attributes[$0] }) {
      try notingFile(of: object, attribute.slot) {
        try bind(object.attributes[attribute.slot], attribute.column, to: statement, &index)
      }
      removeAfterwards(committed.externalFiles[attribute.slot].map { [$0] } ?? [])
    }
    for (slot, column) in changed.toOnes.map({ columns.toOnes[$0] }) {
      try statement.bind(try target(of: object, slot), at: index)
      index += 1
      guard column.entityColumn != nil else { continue }
      try statement.bind(try targetEntity(of: object, slot), at: index)
      index += 1
    }
    try statement.bind(object.key, at: index)
    if isCounted { try statement.bind(object.rowVersion, at: index + 1) }
    try statement.execute()
    if isCounted {
      guard database.changes == 1 else { throw conflict(object) }
      versions[ObjectIdentifier(object)] = object.rowVersion + 1
    }
    // Values can be big, and the cached statement would keep them in memory.
    if !changed.attributes.isEmpty { statement.clearBindings() }
  }

  private func updateStatement(
    for entity: EntityRuntime, _ changed: ChangedColumns, isCounted: Bool
  ) throws -> Statement {
    if let statement = context.bulkLoad?.updateStatements[changed] ?? updateStatements[changed] { return statement }
    var assignments = isCounted ? ["Z_OPT = ?"] : []
    for place in changed.attributes {
      assignments += entity.columns.attributes[place].column.leafColumns.map { "\(SQLName($0)) = ?" }
    }
    for (_, column) in changed.toOnes.map({ entity.columns.toOnes[$0] }) {
      assignments.append("\(SQLName(column.column)) = ?")
      if let entityColumn = column.entityColumn { assignments.append("\(SQLName(entityColumn)) = ?") }
      // A position among the old owner's targets has no meaning for the new owner, which assigns a new one.
      if let orderColumn = column.orderColumn { assignments.append("\(SQLName(orderColumn)) = NULL") }
    }
    let statement = try database.prepare(
      "UPDATE \(SQLName(entity.layout.tableName)) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?"
        + (isCounted ? " AND ifnull(Z_OPT, 0) = ?" : ""))
    if context.isBulkLoading {
      context.bulkLoad?.updateStatements[changed] = statement
    } else {
      updateStatements[changed] = statement
    }
    return statement
  }

  /// Removes the row of an object, and its links.
  func delete(_ object: ManagedObject) throws {
    let layout = object.runtime.layout
    try database.run(
      "DELETE FROM \(SQLName(layout.tableName)) WHERE Z_PK = ? AND ifnull(Z_OPT, 0) = ?", .integer(object.key),
      .integer(object.rowVersion))
    guard database.changes == 1 else { throw conflict(object) }
    for storage in layout.toManys where storage.kind == .joinTable {
      try database.run(
        "DELETE FROM \(SQLName(storage.tableName)) WHERE \(SQLName(storage.ownerColumn)) = ?", .integer(object.key))
      guard storage.isReflexive else { continue }
      try database.run(
        "DELETE FROM \(SQLName(storage.tableName)) WHERE \(SQLName(storage.targetColumn)) = ?", .integer(object.key))
    }
    removeAfterwards((object.committed?.externalFiles ?? object.externalFiles).values)
    removeAfterwards(object.committedFiles.values)
  }

  private func conflict(_ object: ManagedObject) -> Diagnostic {
    StoreMistake.changedMeanwhile(entity: object.runtime.name, key: object.key).diagnostic(store.url)
  }

  private func append(_ value: Value, _ column: AttributeColumn, to values: inout [SQLiteValue]) throws {
    guard column.type == .composite else {
      // Triggers fill in derived columns.
      values.append(column.isDerived ? .null : try stored(value, as: column))
      return
    }
    var elements: [String: Value] = [:]
    if case .composite(let own) = value { elements = own }
    for element in column.elements { try append(elements[element.name] ?? .null, element, to: &values) }
  }

  private func target(of object: ManagedObject, _ slot: Int) throws -> SQLiteValue {
    // The key is also 0 if the target is a new object that was deleted before it was ever saved.
    let key = permanentKey(object.toOnes[slot])
    return key == 0 || isVanished(key, slot, of: object) ? .null : .integer(key)
  }

  private func targetEntity(of object: ManagedObject, _ slot: Int) throws -> SQLiteValue {
    let key = object.toOnes[slot]
    guard permanentKey(key) != 0, !isVanished(key, slot, of: object) else { return .null }
    let target = try context.object(key, destination: object.runtime.toOnes[slot].destination)
    return .integer(Int64(target.runtime.layout.number))
  }

  private func isVanished(_ key: Int64, _ slot: Int, of object: ManagedObject) -> Bool {
    guard !context.vanished.isEmpty else { return false }
    return context.vanished.contains(ObjectKey(root: root(of: object.runtime.toOnes[slot].destination), key: key))
  }
}

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

extension SaveOperation {
  /// Sets the changing columns of uniqueness constraints to null before the new values are written.
  ///
  /// SQLite checks each row as it is written, so two objects that swap their values would conflict, although the
  /// result is valid.
  func vacateConstraints() throws {
    for object in updated {
      guard let committed = object.committed else { continue }
      let columns = constrainedNames(of: object.runtime).compactMap { name -> String? in
        switch object.runtime.slots[name] {
        case .attribute(let slot)? where object.isChanged(slot, since: committed):
          object.runtime.attributes[slot].column?.column
        case .toOne(let slot)? where object.toOnes[slot] != committed.toOnes[slot]:
          object.runtime.toOnes[slot].column?.column
        default: nil
        }
      }
      guard !columns.isEmpty else { continue }
      let assignments = columns.map { "\(SQLName($0)) = NULL" }.joined(separator: ", ")
      try database.run(
        "UPDATE \(SQLName(object.runtime.layout.tableName)) SET \(assignments) WHERE Z_PK = ?", .integer(object.key))
    }
  }

  private func constrainedNames(of entity: EntityRuntime) -> [String] {
    let constraints = store.model.lineage(of: entity.description).flatMap(\.uniquenessConstraints)
    return Set(constraints.flatMap(\.propertyNames)).sorted()
  }
}
