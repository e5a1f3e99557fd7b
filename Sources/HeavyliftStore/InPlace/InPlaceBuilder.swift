import HeavyliftModel
import HeavyliftSQLite

/// Builds the statements of an in-place change.
struct InPlaceBuilder {
  let store: PersistentStore
  let new: PhysicalLayout
  let parts: [InPlaceEntity]
  let defersCleanup: Bool

  var change = InPlaceChange()
  /// Reasons to refuse the change.
  var refusals: [String] = []

  var program = ChangeProgram()
  var tableRenamings: [(old: String, new: String)] = []

  /// The store's tables that become tables of the new version, by the new name.
  var heirs: [String: String] = [:]
  /// The name that each new table has until the end.
  var workingNames: [String: String] = [:]
  /// The tables that stay, by the new name.
  var keptTables: [String: KeptTable] = [:]
  /// Source columns that no table of the new version has any more, by source table.
  var goneColumns: [(table: String, column: String)] = []
  var goneTables: [String] = []
  /// The objects of the store's schema, and the indexes among them that statements have created.
  let schema: [SchemaObject]
  let indexes: [(table: String, index: IndexInfo)]
  private let highestKeys: [String: Int64]
  var names: FreeNames
  private var leftovers: Int
  private var presentColumns: [String: [ColumnInfo]] = [:]
  private var knownPresence: [Int: Bool] = [:]
  /// The new values of the columns of each entity, by its new name.
  var knownValues: [String: [String: NewValue]] = [:]
  /// The join tables that stay, by their new names, with the new names of their columns by the old ones.
  var keptJoins: [String: (source: String, columns: [String: String])] = [:]
  /// The tables of the new version from which rows are removed.
  var tablesLosingRows: Set<String> = []
  /// The join tables of the new version whose links stay exactly as they are.
  var untouchedJoins: Set<String> = []
  /// The indexes that statements have dropped so far.
  var droppedIndexes: Set<String> = []

  init(_ store: PersistentStore, to new: PhysicalLayout, _ parts: [InPlaceEntity], defersCleanup: Bool) throws {
    (self.store, self.new, self.parts, self.defersCleanup) = (store, new, parts, defersCleanup)
    schema = try store.database.schemaObjects()
    indexes = try store.database.createdIndexes(among: schema)
    highestKeys = try store.highestKeys()
    names = FreeNames(besides: schema.map(\.name) + store.metadata.deferredCleanup.map { $0.column ?? $0.table })
    leftovers = store.metadata.deferredCleanup.count
  }

  mutating func build() throws -> InPlaceChange {
    findHeirs()
    try compareNumbers()
    for table in new.tables {
      if let heir = heirs[table.name] {
        try keep(heir, as: table)
      } else {
        try create(table)
      }
    }
    try buildJoinTables()
    try refuseLossOfFiles()
    try removeRows()
    try renumberRows()
    try renumberMirroredRecords()
    dropWhatIsGone()
    nameTables()
    replaceIndexes()
    replaceTriggers()
    noteUntouchedLinks()
    try correctNumbers()
    change.statements = program.statements
    refusals += names.collisions
    return change
  }

  // MARK: Tables

  /// Decides which of the store's tables become which tables of the new version.
  private mutating func findHeirs() {
    var claims: [String: [TableLayout]] = [:]
    for table in new.tables {
      let sources = Set(parts(in: table.name).map(\.source.tableName))
      guard sources.count <= 1 else {
        refusals.append("the rows of tables \(sources.sorted().quotedList) would have to be merged")
        continue
      }
      if let source = sources.first { claims[source, default: []].append(table) }
    }
    for (source, tables) in claims {
      let root = store.layout.entities.first { $0.tableName == source && $0.superNumber == 0 }?.number
      let heir =
        tables.first { table in parts(in: table.name).contains { $0.source.number == root } } ?? tables.first
      if let heir { heirs[heir.name] = source }
      for table in tables { noteHighestKey(of: table, from: source) }
    }
    goneTables = Set(store.layout.entities.map(\.tableName)).subtracting(heirs.values).sorted()
  }

  private mutating func noteHighestKey(of table: TableLayout, from source: String) {
    guard let root = new.entities.first(where: { $0.tableName == table.name && $0.superNumber == 0 }),
      let old = store.layout.entities.first(where: { $0.tableName == source && $0.superNumber == 0 })
    else { return }
    change.highestKeys[root.name] = highestKeys[old.name]
  }

  func parts(in table: String) -> [InPlaceEntity] { parts.filter { $0.destination.tableName == table } }

  func parts(from table: String) -> [InPlaceEntity] { parts.filter { $0.source.tableName == table } }

  /// The entities of a source table whose objects do not stay in the store.
  func goneEntities(of table: String) -> [EntityLayout] {
    let kept = Set(parts(from: table).map(\.source.number))
    return store.layout.entities.filter { $0.tableName == table && !kept.contains($0.number) }
  }

  /// The entities of a source table with objects that do not stay in the store.
  mutating func goneEntitiesWithRows(of table: String) throws -> [EntityLayout] {
    var found: [EntityLayout] = []
    for entity in goneEntities(of: table) where try hasRows(entity) { found.append(entity) }
    return found
  }

  mutating func hasRows(_ entity: EntityLayout) throws -> Bool {
    if let known = knownPresence[entity.number] { return known }
    let condition = entity.ownsTable ? "" : " WHERE Z_ENT = \(entity.number)"
    let hasRows =
      try store.database.firstValue("SELECT EXISTS (SELECT 1 FROM \(SQLName(entity.tableName))\(condition))")
      != .integer(0)
    knownPresence[entity.number] = hasRows
    return hasRows
  }

  private mutating func compareNumbers() throws {
    for entity in store.layout.entities {
      let part = parts.first { $0.source.number == entity.number }
      // An abstract entity has no rows, but history and other programs can name it.
      let number = part?.destination.number ?? new.entity(named: entity.name)?.number
      if number != entity.number { change.keepsNumbers = false }
    }
  }

  // MARK: Names

  mutating func leftoverName() -> String { names.next(CleanupTask.namePrefix, &leftovers) }

  mutating func columns(of table: String) throws -> [ColumnInfo] {
    if let known = presentColumns[table] { return known }
    let columns = try store.database.columns(of: table)
    presentColumns[table] = columns
    return columns
  }

  func list(_ numbers: some Sequence<Int>) -> String { numbers.sorted().map(String.init).joined(separator: ", ") }
}

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
        program.add(
          .dropsTable, in: .drop, table: table,
          sql: "DROP TABLE \(name)")
        continue
      }
      let leftover = leftoverName()
      change.deferred.append(CleanupTask(table: leftover, formerName: table))
      program.add(
        .defersTable, in: .drop, table: table,
        sql: "ALTER TABLE \(name) RENAME TO \(SQLName(leftover))")
    }
    for (table, column) in goneColumns {
      let final = finalName(of: table)
      dropIndexes(of: table) { index in
        index.isPartial || index.columns.contains { $0.name == nil || $0.name?.uppercased() == column.uppercased() }
      }
      guard defersCleanup else {
        change.touchedTables.insert(table)
        program.add(
          .dropsColumn, in: .drop, table: final, part: column,
          sql: "ALTER TABLE \(SQLName(table)) DROP COLUMN \(SQLName(column))")
        continue
      }
      let leftover = leftoverName()
      change.deferred.append(CleanupTask(table: final, column: leftover, formerName: column))
      program.add(
        .defersColumn, in: .drop, table: final, part: column,
        sql: "ALTER TABLE \(SQLName(table)) RENAME COLUMN \(SQLName(column)) TO \(SQLName(leftover))")
    }
  }

  func finalName(of table: String) -> String {
    heirs.first { $0.value == table }?.key ?? keptJoins.first { $0.value.source == table }?.key ?? table
  }

  private mutating func dropIndexes(of table: String, where isGone: (IndexInfo) -> Bool) {
    for (owner, index) in indexes where owner.uppercased() == table.uppercased() && isGone(index) {
      dropIndex(index.name, of: finalName(of: table))
    }
  }

  private mutating func dropIndex(_ name: String, of table: String) {
    guard droppedIndexes.insert(name).inserted else { return }
    program.add(
      .dropsIndex, in: .drop, table: table, part: name,
      sql: "DROP INDEX \(SQLName(name))")
  }

  // MARK: Names

  /// Gives all tables their final names.
  mutating func nameTables() {
    let gone = Set(goneTables.map { $0.uppercased() })
    let present = schema.filter { $0.type == .table }.map(\.name)
      .filter { !gone.contains($0.uppercased()) }
    program.renameTables(tableRenamings, taken: present, &names)
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
      (keptTables[table]?.columns ?? [:]).map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// Replaces the triggers of derived attributes, which must not run while rows are changed, and whose text contains the
  /// names of tables and columns.
  mutating func replaceTriggers() {
    let present = schema.filter { $0.type == .trigger && $0.name.hasPrefix("Z_DA_") }
    let wanted = Set(new.triggers.map(\.name))
    let changesRows = !program.isEmpty(.fill, .update, .unlink, .remove, .renumber)
    let changesNames = !program.isEmpty(.drop, .renameColumns, .renameTables)
    guard changesRows || changesNames || !wanted.isSubset(of: present.map(\.name)) else { return }
    for trigger in present {
      program.add(
        .dropsTrigger, in: .dropTriggers, table: trigger.tableName, part: trigger.name,
        sql: "DROP TRIGGER \(SQLName(trigger.name))")
    }
    change.finishing += new.triggers.map {
      .init(
        effect: .createsTrigger, table: new.entity(named: $0.entityName)?.tableName ?? "", part: $0.name, sql: $0.sql)
    }
  }
}
