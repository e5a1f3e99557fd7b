import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// An overview of a store: its files, its entities with their numbers of objects, and everything unknown in it.
///
/// ```swift
/// let inspection = try StoreInspection(StoreFile(url: url), layout: nil)
/// for entity in inspection.entities { print(entity.name, entity.objects ?? 0) }
/// ```
///
/// It does not need a model. With the model's layout it finds more, such as leftover columns. Objects are counted,
/// but their values are not read.
package struct StoreInspection: Hashable, Sendable {
  /// An entity in the store.
  package struct Entity: Hashable, Sendable {
    /// The entity's name in the model, or else in `Z_PRIMARYKEY`.
    package var name: String
    /// The entity's number, `Z_ENT`.
    package var number: Int
    /// The name of the parent; nil for a root.
    package var parentName: String?
    /// The number of ancestors.
    package var depth: Int
    /// The hierarchy's table; nil if it is missing.
    package var tableName: String?
    /// The number of objects of the entity itself, without sub-entities.
    package var objects: Int?
    /// The highest key of an object of the entity itself.
    package var highestKey: Int64?
    /// The highest key ever assigned in the hierarchy; set only for the hierarchy's root.
    package var maximumKey: Int64?
  }

  /// A table and its number of rows.
  package struct Table: Hashable, Sendable {
    /// The table's name.
    package var name: String
    /// The number of rows.
    package var rows: Int
  }

  /// A column that stores no property of the model.
  package struct Column: Hashable, Sendable {
    /// The table that has the column.
    package var table: String
    /// The column's name.
    package var name: String
  }

  /// The sizes of the store's file, its `-wal` and its `-journal`.
  package internal(set) var files: DatabaseFiles
  /// The number of files in the store's external data folder.
  package internal(set) var externalFileCount = 0
  /// The size of these files in bytes.
  package internal(set) var externalByteCount: Int64 = 0
  /// The journal mode in the file: `wal`, `delete` …
  package internal(set) var journalMode: String
  /// The number of bytes in free pages.
  package internal(set) var freeByteCount: Int64 = 0
  /// The contents of `Z_METADATA`.
  package internal(set) var metadata: StoreMetadata
  /// The entities, parents before their children, sorted by number.
  package internal(set) var entities: [Entity] = []
  /// Tables of persistent history.
  package internal(set) var historyTables: [Table] = []
  /// Tables that are neither Core Data's nor the model's.
  package internal(set) var unknownTables: [Table] = []
  /// Columns that store no property of the model; empty without a model.
  package internal(set) var unknownColumns: [Column] = []
  /// Tables of entities that the model lacks, which are also among the unknown tables; empty without a model.
  package internal(set) var foreignEntities: [Entity] = []
  /// Indexes of Core Data's tables that neither Core Data nor the model defines; empty without a model.
  package internal(set) var unknownIndexes: [String] = []
  /// Triggers that do not belong to a derived attribute.
  package internal(set) var unknownTriggers: [String] = []
  /// The names of views. Core Data creates none.
  package internal(set) var views: [String] = []
  /// Tables and columns that a migration in place has left to be dropped later.
  package var deferredCleanup: [CleanupTask] { metadata.deferredCleanup }
  /// Oddities, none of which prevents reading the store.
  package internal(set) var notes: [Diagnostic] = []

  /// The total number of counted objects.
  package var objectCount: Int { entities.reduce(0) { $0 + ($1.objects ?? 0) } }

  /// Inspects a store.
  ///
  /// - Parameters:
  ///   - file: The file of the store.
  ///   - layout: The layout of the store's model; nil if the model is unknown.
  package init(_ file: StoreFile, layout: PhysicalLayout?) throws {
    try self.init(file, layout: layout, isCounting: true)
  }

  /// Inspects a store.
  ///
  /// - Parameter isCounting: Pass true to count objects and files, which reads all of them.
  package init(_ file: StoreFile, layout: PhysicalLayout?, isCounting: Bool) throws {
    do {
      files = try DatabaseFiles(path: file.url.path)
      journalMode = files.usesWriteAheadLog ? "wal" : "delete"
      metadata = file.metadata
      if files.isWriteAheadLogDamaged { notes.append(Self.damagedLog(of: file)) }
      try file.database.transaction(.deferred) {
        if isCounting { try countFiles(of: file) }
        try list(file, layout, isCounting: isCounting)
        try findUnknown(file, layout)
      }
      if let layout { notes += layout.omissions }
      if isCounting, objectCount == 0, let log = MissingLog(file.url) { notes.append(log.note) }
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: file.url)
    }
  }

  private static func damagedLog(of file: StoreFile) -> Diagnostic {
    Diagnostic(
      .warning, code: "store.damaged-log",
      problem: "store '\(file.url.path)' has a damaged -wal, which SQLite ignores: the changes in it are missing",
      remedy: "look for an undamaged copy of the -wal; SQLite overwrites this one when the store is next written to")
  }

  private mutating func countFiles(of file: StoreFile) throws {
    let folder = ExternalDataFolder(store: file.url)
    for name in try folder.fileNames() {
      externalFileCount += 1
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file(named: name).path)
      externalByteCount += (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
    func pragma(_ name: String) throws -> Int64 {
      guard case .integer(let value)? = try file.database.firstValue("PRAGMA \(name)") else { return 0 }
      return value
    }
    freeByteCount = try pragma("freelist_count") * pragma("page_size")
  }
}

extension StoreFile {
  /// Returns the reasons why each model does not match the store, nearest model first, even if the store embeds its
  /// own.
  package func misfits(among models: [ManagedObjectModel]) throws -> [StoreVersion.Misfit] {
    try models.map { StoreVersion.Misfit(model: $0, reasons: try reasonsAgainst($0).map(\.text)) }
      .sorted { $0.reasons.count < $1.reasons.count }
  }

  /// Returns how the store fits a version. Throws an error with all reasons if it has another version.
  package func requireVersion(_ model: ManagedObjectModel) throws -> StoreVersion.Fit {
    let fit = try self.model(among: [model])
    guard fit.model.isSameVersion(as: model) else { throw refusal(of: try misfits(among: [model])) }
    return fit
  }
}

extension StoreInspection {
  /// Lists the entities and, if `isCounting`, counts their objects, with one scan per table.
  mutating func list(_ file: StoreFile, _ layout: PhysicalLayout?, isCounting: Bool) throws {
    let rows = file.primaryKeys.filter { !$0.isHistory }
    let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let tables = Tables(file)
    var names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    for entity in layout?.entities ?? [] {
      if let stale = names[entity.number], stale != entity.name {
        note(
          "stale-name", "entity '\(entity.name)' is still called '\(stale)' in Z_PRIMARYKEY",
          "nothing needs to be done: an in-place migration that renames an entity leaves the old name there")
      }
      names[entity.number] = entity.name
    }
    var counted: [String: [Int64: (objects: Int, highest: Int64)]] = [:]
    for row in rows {
      let lineage = Self.lineage(of: row, byNumber)
      let root = lineage.last ?? row
      let known = layout?.entities.first { $0.number == row.number }?.tableName
      let table = tables.actualName(known ?? "Z\(root.name.uppercased())")
      if isCounting, let table, counted[table] == nil { counted[table] = try Self.counts(in: table, of: file) }
      let isAlone = row.superNumber == 0 && !rows.contains { $0.superNumber == row.number }
      // In a table with one entity, every row is one of its objects.
      let found = table.flatMap { counted[$0] }.flatMap { counts in
        isAlone ? Self.sum(counts) : counts[Int64(row.number)]
      }
      entities.append(
        Entity(
          name: names[row.number] ?? row.name, number: row.number, parentName: names[row.superNumber],
          depth: lineage.count - 1, tableName: table, objects: table == nil || !isCounting ? nil : found?.objects ?? 0,
          highestKey: found?.highest, maximumKey: row.superNumber == 0 ? row.maximum : nil))
      if table == nil {
        note(
          "no-table", "entity '\(row.name)' has no table '\(known ?? "Z\(root.name.uppercased())")'",
          "an entity that an in-place migration renamed keeps its old name in Z_PRIMARYKEY: specify the store's model")
      }
    }
    for (table, counts) in counted.sorted(by: { $0.key < $1.key }) { check(counts, in: table) }
  }

  private static func sum(_ counts: [Int64: (objects: Int, highest: Int64)]) -> (objects: Int, highest: Int64)? {
    guard let highest = counts.values.map(\.highest).max() else { return nil }
    return (counts.values.reduce(0) { $0 + $1.objects }, highest)
  }

  private mutating func check(_ counts: [Int64: (objects: Int, highest: Int64)], in table: String) {
    let owners = entities.filter { $0.tableName == table }
    let strays = counts.filter { stray in !owners.contains { Int64($0.number) == stray.key } }
    if owners.count == 1 {
      let count = strays.values.reduce(0) { $0 + $1.objects }
      let rows = MisnumberedRows(entity: owners[0].name, table: table, count: count)
      if count > 0, let diagnostic = [rows].diagnostic { notes.append(diagnostic) }
    } else {
      for (number, count) in strays.sorted(by: { $0.key < $1.key }) {
        let other = entities.first { Int64($0.number) == number }
        note(
          "unknown-entity-number",
          "table \(table) has \(count.objects.grouped) row\(count.objects == 1 ? "" : "s") of entity number \(number), "
            + (other.map { "which is that of '\($0.name)' in another table" } ?? "which Z_PRIMARYKEY does not list"),
          "the store cannot be dumped or migrated until these rows are removed or assigned to an entity",
          severity: .warning)
      }
    }
    let highest = counts.values.map(\.highest).max() ?? 0
    guard let root = entities.first(where: { $0.tableName == table && $0.depth == 0 }), let maximum = root.maximumKey,
      highest > maximum
    else { return }
    note(
      "low-maximum", "Z_MAX of entity '\(root.name)' is \(maximum), but its highest key is \(highest)",
      "a new object would get the key of an existing one: set Z_MAX to \(highest)", severity: .warning)
  }

  private static func counts(
    in table: String, of file: StoreFile
  ) throws -> [Int64: (objects: Int, highest: Int64)] {
    var cursor = try file.database.prepare(
      "SELECT Z_ENT, count(*), max(Z_PK) FROM \(table.asSQLIdentifier) GROUP BY 1"
    ).query()
    var counts: [Int64: (objects: Int, highest: Int64)] = [:]
    while try cursor.next() {
      counts[cursor.row.integer(at: 0)] = (Int(cursor.row.integer(at: 1)), cursor.row.integer(at: 2))
    }
    return counts
  }

  private static func lineage(of row: PrimaryKeyRow, _ byNumber: [Int: PrimaryKeyRow]) -> [PrimaryKeyRow] {
    var lineage = [row]
    while let parent = lineage.last.flatMap({ byNumber[$0.superNumber] }), !lineage.contains(parent) {
      lineage.append(parent)
    }
    return lineage
  }

  mutating func note(
    _ code: String, _ problem: String, _ remedy: String?, severity: Diagnostic.Severity = .note
  ) {
    notes.append(Diagnostic(severity, code: "store.\(code)", problem: problem, remedy: remedy))
  }

  /// The store's tables, found by name regardless of case.
  private struct Tables {
    private let names: [String: String]

    init(_ file: StoreFile) {
      names = Dictionary(
        file.schema.filter { $0.type == .table }.map { ($0.name.uppercased(), $0.name) },
        uniquingKeysWith: { first, _ in first })
    }

    func actualName(_ name: String) -> String? { names[name.uppercased()] }
  }
}

extension StoreInspection {
  private static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
  private static let own: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  /// Finds the schema objects that belong neither to the model nor to Core Data.
  mutating func findUnknown(_ file: StoreFile, _ layout: PhysicalLayout?) throws {
    var known = Self.own
    if let layout {
      known.formUnion(layout.entities.map { $0.tableName.uppercased() })
      known.formUnion(layout.entities.flatMap { $0.toManys.map { $0.tableName.uppercased() } })
      foreignEntities = entities.filter { entity in
        entity.tableName.map { !known.contains($0.uppercased()) } ?? false
      }
    } else {
      known.formUnion(entities.compactMap { $0.tableName?.uppercased() })
    }
    for object in file.schema.sorted(by: { $0.name < $1.name }) {
      switch object.type {
      case .table: try sort(object.name, known, layout, file)
      case .view: views.append(object.name)
      case .trigger:
        let isKnown = object.name.hasPrefix("Z_DA_") || layout?.triggers.contains { $0.name == object.name } == true
        if !isKnown { unknownTriggers.append(object.name) }
      case .index:
        guard let layout, object.sql != nil, known.contains(object.tableName.uppercased()),
          !layout.indexes.contains(where: { $0.name == object.name }), !object.isIndexOfCoreData
        else { continue }
        unknownIndexes.append(object.name)
      }
    }
    if let layout { try findColumns(file, layout) }
  }

  private mutating func sort(
    _ table: String, _ known: Set<String>, _ layout: PhysicalLayout?, _ file: StoreFile
  ) throws {
    let name = table.uppercased()
    guard !known.contains(name), !name.hasPrefix("SQLITE_"), !metadata.isLeftover(table: table) else { return }
    if Self.history.contains(name) {
      historyTables.append(Table(name: table, rows: try Self.rows(in: table, of: file)))
      return
    }
    // Without a model, a table with a join table's name and columns counts as a join table.
    if layout == nil, try Self.looksLikeJoinTable(table, file) { return }
    unknownTables.append(Table(name: table, rows: try Self.rows(in: table, of: file)))
  }

  private static func rows(in table: String, of file: StoreFile) throws -> Int {
    // A virtual table whose module is missing cannot be read, but still exists.
    let count = try? file.database.firstValue("SELECT count(*) FROM \(table.asSQLIdentifier)")
    guard case .integer(let count)? = count ?? nil else { return 0 }
    return Int(count)
  }

  private static func looksLikeJoinTable(_ table: String, _ file: StoreFile) throws -> Bool {
    func isNumbered(_ name: String) -> Bool {
      name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
    }
    guard isNumbered(table) else { return false }
    return try file.columns(of: table).allSatisfy {
      isNumbered($0) || $0.hasPrefix("Z_FOK_") || $0 == "REFLEXIVE"
    }
  }

  private mutating func findColumns(_ file: StoreFile, _ layout: PhysicalLayout) throws {
    var known: [String: Set<String>] = [:]
    for entity in layout.entities {
      var columns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
      columns.formUnion(entity.attributes.flatMap { $0.leafColumns.map { $0.uppercased() } })
      for toOne in entity.toOnes + entity.ownerColumns {
        columns.formUnion(
          [toOne.column, toOne.entityColumn, toOne.orderColumn].compactMap { $0?.uppercased() })
      }
      known[entity.tableName, default: []].formUnion(columns)
    }
    for (table, columns) in known.sorted(by: { $0.key < $1.key }) {
      for column in try file.columns(of: table)
      where !columns.contains(column.uppercased()) && !metadata.isLeftover(column: column, of: table) {
        unknownColumns.append(Column(table: table, name: column))
      }
    }
  }
}

extension SchemaObject {
  /// True for an index with a name such as `Z_Track_byTitle` or `ZTRACK_ZALBUM_INDEX`. Which of these exist depends on
  /// the model and the release of Core Data.
  var isIndexOfCoreData: Bool {
    guard type == .index else { return false }
    let name = name.uppercased()
    return name.hasPrefix("Z_") || name.hasPrefix("\(tableName.uppercased())_")
  }
}
