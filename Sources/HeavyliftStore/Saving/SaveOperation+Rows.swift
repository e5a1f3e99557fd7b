import HeavyliftModel
import HeavyliftSQLite

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
