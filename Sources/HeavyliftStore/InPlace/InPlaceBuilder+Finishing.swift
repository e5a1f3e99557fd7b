import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  // MARK: Dropping

  /// Drops the tables and columns that the new version does not have, or gives them names under which they can wait.
  mutating func dropWhatIsGone() throws {
    for table in Set(goneTables).sorted() {
      try dropIndexes(of: table) { _ in true }
      let name = SQLName(table)
      guard defersCleanup else {
        change.touchedTables.insert(table)
        dropping.append(.init(effect: .dropsTable, table: table, sql: "DROP TABLE \(name)"))
        continue
      }
      let leftover = leftoverName()
      change.deferred.append(CleanupTask(table: leftover, formerName: table))
      dropping.append(
        .init(effect: .defersTable, table: table, sql: "ALTER TABLE \(name) RENAME TO \(SQLName(leftover))"))
    }
    for (table, column) in goneColumns {
      let final = finalName(of: table)
      try dropIndexes(of: table) { index in
        index.isPartial || index.columns.contains { $0.name == nil || $0.name?.uppercased() == column.uppercased() }
      }
      guard defersCleanup else {
        change.touchedTables.insert(table)
        dropping.append(
          .init(
            effect: .dropsColumn, table: final, part: column,
            sql: "ALTER TABLE \(SQLName(table)) DROP COLUMN \(SQLName(column))"))
        continue
      }
      let leftover = leftoverName()
      change.deferred.append(CleanupTask(table: final, column: leftover, formerName: column))
      dropping.append(
        .init(
          effect: .defersColumn, table: final, part: column,
          sql: "ALTER TABLE \(SQLName(table)) RENAME COLUMN \(SQLName(column)) TO \(SQLName(leftover))"))
    }
  }

  private func finalName(of table: String) -> String {
    heirs.first { $0.value == table }?.key ?? keptJoins.first { $0.value.source == table }?.key ?? table
  }

  private mutating func dropIndexes(of table: String, where isGone: (IndexInfo) -> Bool) throws {
    for index in try store.database.indexes(of: table) where index.origin == .statement && isGone(index) {
      dropIndex(index.name, of: finalName(of: table))
    }
  }

  private mutating func dropIndex(_ name: String, of table: String) {
    guard droppedIndexes.insert(name).inserted else { return }
    dropping.append(.init(effect: .dropsIndex, table: table, part: name, sql: "DROP INDEX \(SQLName(name))"))
  }

  // MARK: Names

  /// Gives all tables their final names.
  mutating func nameTables() throws {
    let gone = Set(goneTables.map { $0.uppercased() })
    let present = try store.database.schemaObjects().filter { $0.type == .table }.map(\.name)
      .filter { !gone.contains($0.uppercased()) }
    for pair in renamings(tableRenamings.sorted { $0.new < $1.new }, taken: present, "table") {
      change.statements.append(
        .init(
          effect: .renamesTable, table: pair.new,
          sql: "ALTER TABLE \(SQLName(pair.old)) RENAME TO \(SQLName(pair.new))"))
    }
  }

  // MARK: Indexes and triggers

  /// Drops the indexes that the new version does not have, and creates those that are missing.
  ///
  /// An index that neither the old model nor the new one describes stays: it belongs to the user, or Core Data has
  /// created it.
  mutating func replaceIndexes() throws {
    let known = Set(store.layout.indexes.map(\.name))
    let wanted = Dictionary(new.indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let gone = Set(goneTables)
    var present: Set<String> = []
    for object in try store.database.schemaObjects()
    where object.type == .index && object.sql != nil && !gone.contains(object.tableName) {
      guard !droppedIndexes.contains(object.name),
        let index = try store.database.indexes(of: object.tableName).first(where: { $0.name == object.name })
      else { continue }
      let table = finalName(of: object.tableName)
      if let layout = wanted[object.name], isIndex(index, layout, of: object.tableName, table) {
        present.insert(object.name)
      } else if wanted[object.name] != nil || known.contains(object.name) {
        dropIndex(object.name, of: table)
      }
    }
    let own = Set(store.layout.indexes.map(\.name)).union(new.indexes.map(\.name))
    change.lostIndexes = droppedIndexes.filter { !own.contains($0) }.sorted()
    for index in new.indexes where !present.contains(index.name) {
      if let source = heirs[index.tableName] ?? keptJoins[index.tableName]?.source {
        change.touchedTables.insert(source)
      }
      change.finishing.append(
        .init(effect: .createsIndex, table: index.tableName, part: index.name, sql: index.sql))
    }
  }

  /// True if an index of the store will be the wanted one once all columns have their final names.
  private func isIndex(_ index: IndexInfo, _ wanted: IndexLayout, of source: String, _ table: String) -> Bool {
    var names = keptJoins[table]?.columns ?? [:]
    if heirs[table] == source {
      names = Dictionary(
        (workingColumns[table] ?? [:]).map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }
    let columns = index.columns.map { column in column.name.map { names[$0] ?? $0 } }
    return index.isOrdinary && table == wanted.tableName && index.isUnique == wanted.isUnique
      && columns == wanted.columns.map(\.name)
      && index.columns.map(\.isDescending) == wanted.columns.map { $0.order == "DESC" }
  }

  /// Replaces the triggers of derived attributes, which must not run while rows are changed, and whose text contains the
  /// names of tables and columns.
  mutating func replaceTriggers() throws {
    let present = try store.database.schemaObjects().filter { $0.type == .trigger && $0.name.hasPrefix("Z_DA_") }
    let wanted = Set(new.triggers.map(\.name))
    let changesRows = !(filling + updating + unlinking + ordering + removing + renumbering).isEmpty
    let changesNames = !(dropping + renamingColumns).isEmpty || !tableRenamings.isEmpty
    guard changesRows || changesNames || !wanted.isSubset(of: present.map(\.name)) else { return }
    creating =
      present.map {
        .init(effect: .dropsTrigger, table: $0.tableName, part: $0.name, sql: "DROP TRIGGER \(SQLName($0.name))")
      } + creating
    change.finishing += new.triggers.map {
      .init(
        effect: .createsTrigger, table: new.entity(named: $0.entityName)?.tableName ?? "", part: $0.name, sql: $0.sql)
    }
  }
}
