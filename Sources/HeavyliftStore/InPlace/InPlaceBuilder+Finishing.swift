import HeavyliftModel
import HeavyliftSQLite

extension InPlaceBuilder {
  // MARK: Dropping

  /// Drops the tables and columns that the new version does not have, or gives them names under which they can wait.
  mutating func dropWhatIsGone() {
    change.stillDeferred = store.metadata.deferredCleanup.compactMap { task in
      guard task.column != nil else { return task }
      // The column goes with its table.
      if goneTables.contains(where: { $0.uppercased() == task.table.uppercased() }) { return nil }
      var task = task
      task.table = finalName(of: task.table)
      return task
    }
    for table in Set(goneTables).sorted() {
      dropIndexes(of: table) { _ in true }
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
      dropIndexes(of: table) { index in
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

  private mutating func dropIndexes(of table: String, where isGone: (IndexInfo) -> Bool) {
    for (owner, index) in indexes where owner.uppercased() == table.uppercased() && isGone(index) {
      dropIndex(index.name, of: finalName(of: table))
    }
  }

  private mutating func dropIndex(_ name: String, of table: String) {
    guard droppedIndexes.insert(name).inserted else { return }
    dropping.append(.init(effect: .dropsIndex, table: table, part: name, sql: "DROP INDEX \(SQLName(name))"))
  }

  // MARK: Names

  /// Gives all tables their final names.
  mutating func nameTables() {
    let gone = Set(goneTables.map { $0.uppercased() })
    let present = schema.filter { $0.type == .table }.map(\.name)
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
  /// An index that neither the old model nor the new one describes stays if it belongs to the user. One of Core Data's
  /// is dropped, as a copy does: it may come from a version that the store cannot distinguish from the old one.
  mutating func replaceIndexes() {
    let tables = Set((store.layout.tables + store.layout.joinTables).map { $0.name.uppercased() })
    let ownIndexes = schema.filter { $0.isIndexOfCoreData && tables.contains($0.tableName.uppercased()) }
    let known = Set(store.layout.indexes.map(\.name) + ownIndexes.map(\.name))
    let wanted = Dictionary(new.indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let gone = Set(goneTables)
    var present: Set<String> = []
    for (source, index) in indexes where !gone.contains(source) && !droppedIndexes.contains(index.name) {
      let table = finalName(of: source)
      if wanted[index.name].map({ index.isIndex($0, of: table, renaming: newNames(of: source, table)) }) == true {
        present.insert(index.name)
      } else if wanted[index.name] != nil || known.contains(index.name) {
        dropIndex(index.name, of: table)
      }
    }
    change.lostIndexes = droppedIndexes.filter { !known.contains($0) && wanted[$0] == nil }.sorted()
    for index in new.indexes where !present.contains(index.name) {
      if let source = heirs[index.tableName] ?? keptJoins[index.tableName]?.source {
        change.touchedTables.insert(source)
      }
      change.finishing.append(
        .init(effect: .createsIndex, table: index.tableName, part: index.name, sql: index.sql))
    }
  }

  /// The final names of a source table's columns, by the names that they have until the end.
  private func newNames(of source: String, _ table: String) -> [String: String] {
    guard heirs[table] == source else { return keptJoins[table]?.columns ?? [:] }
    return Dictionary(
      (workingColumns[table] ?? [:]).map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// Replaces the triggers of derived attributes, which must not run while rows are changed, and whose text contains the
  /// names of tables and columns.
  mutating func replaceTriggers() {
    let present = schema.filter { $0.type == .trigger && $0.name.hasPrefix("Z_DA_") }
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
