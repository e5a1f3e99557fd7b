import Foundation
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Creates a store that a migration fills, and that is not used before `finishBulkLoad()`.
  ///
  /// It has no journal: after a crash, it cannot be repaired, and the file must be deleted. Uniqueness is not enforced
  /// while the store is filled, so that all duplicates can be reported together. Instead of its unique indexes, it gets
  /// ordinary ones, because policies search for objects by unique values. Indexes are created when a query needs them,
  /// or at the end.
  ///
  /// - Parameter reservedKeys: The highest reserved key of each hierarchy, by the name of its root entity. New objects
  ///   get higher keys.
  package static func beginBulkLoad(
    at url: URL, model: ManagedObjectModel, options: CreationOptions, reservedKeys: [String: Int64] = [:]
  ) throws -> PersistentStore {
    guard try FileIdentity(url) == nil else { throw StoreMistake.alreadyExists.diagnostic(url) }
    let mistakes = model.check().filter { $0.severity == .error }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    if let configuration = options.configuration { try model.requireConfiguration(configuration) }
    do {
      try write(model, options, to: url, isBulkLoading: true)
      return try openUnfinished(url, model, options, reservedKeys)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Opens a file in order to fill it.
  static func openUnfinished(
    _ url: URL, _ model: ManagedObjectModel, _ options: CreationOptions, _ reservedKeys: [String: Int64],
    keptTables: Set<String> = []
  ) throws -> PersistentStore {
    let file = try StoreFile(url: url, mode: .readWrite)
    let store = try PersistentStore(file: file, model: model, configuration: options.configuration)
    try store.database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -4096; PRAGMA threads = 1
      """)
    for (name, key) in reservedKeys {
      guard let entity = store.layout.entity(named: name) else { continue }
      try store.database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", .integer(key), .integer(Int64(entity.rootNumber)))
    }
    store.keptIndexes = Set(
      try store.database.schemaObjects().filter { $0.type == .index && keptTables.contains($0.tableName) }.map(\.name))
    store.deferredIndexes = store.indexesToBuild
    return store
  }

  /// The indexes that did not come with a kept table.
  private var indexesToBuild: [IndexLayout] { layout.indexes.filter { !keptIndexes.contains($0.name) } }

  /// Turns the store into an ordinary one and closes it: from now on, uniqueness is enforced, and changes are
  /// journaled. Free pages are returned to the file system.
  ///
  /// The store must have been checked for duplicates. The file is not synced to disk; the code that moves it into place
  /// must do that.
  package func finishBulkLoad() throws {
    try makeDeferredIndexes()
    try reporting {
      try dropSearchIndexes()
      for index in indexesToBuild where index.isUnique {
        try database.execute("DROP INDEX IF EXISTS \(SQLName(index.buildingName))")
        try database.execute(index.sql)
      }
      try database.execute("PRAGMA incremental_vacuum")
      try database.execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL")
      try database.close()
    }
  }

  /// Throws for rows whose entity does not belong to their table: no fetch would find them, so they would be lost
  /// silently. In a table with only one entity, every row is one of its objects.
  ///
  /// - Parameters:
  ///   - tables: The tables to check; nil for all.
  ///   - reader: Reads half of the rows.
  package func refuseForeignRows(in tables: Set<String>? = nil, with reader: ParallelReader? = nil) throws {
    try reporting {
      for table in Set(layout.entities.map(\.tableName)).sorted() where tables?.contains(table) != false {
        let numbers = layout.entities.filter { $0.tableName == table }.map { String($0.number) }
        guard numbers.count > 1 else { continue }
        let isForeign = "(Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", "))))"
        func first(_ database: Database, where condition: KeyCondition? = nil) throws -> (number: Int64, key: Int64)? {
          let isInPart = condition.map { " AND \($0.sql(of: "Z_PK"))" } ?? ""
          var cursor = try database.prepare(
            "SELECT Z_ENT, Z_PK FROM \(SQLName(table)) WHERE \(isForeign)\(isInPart) ORDER BY Z_PK LIMIT 1"
          ).query()
          guard try cursor.next() else { return nil }
          return (cursor.row.integer(at: 0), cursor.row.integer(at: 1))
        }
        let halves = try reader?.halves(of: table, lower: first, upper: first)
        guard let row = try halves.map({ $0.lower ?? $0.upper }) ?? first(database) else { continue }
        throw unknownEntityNumber(row.number, table: table, key: row.key)
      }
    }
  }

  /// Returns the highest key that was ever used in each hierarchy, by the name of its root entity.
  package func highestKeys() throws -> [String: Int64] {
    try reporting {
      var keys: [String: Int64] = [:]
      for entity in layout.entities where entity.superNumber == 0 {
        keys[entity.name] = try database.highestKey(ofRoot: entity.number, in: entity.tableName)
      }
      return keys
    }
  }

  /// Calls a function with the key of each object of exactly one entity.
  package func forEachKey(ofEntity name: String, _ body: (Int64) -> Void) throws {
    guard let entity = layout.entity(named: name) else { return }
    try reporting {
      var cursor = try database.prepare(
        "SELECT Z_PK FROM \(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number)"
      ).query()
      while try cursor.next() { body(cursor.row.integer(at: 0)) }
    }
  }

  /// Returns the keys of a table's rows by their `Z_ENT`, even in a table with one entity, where it does not matter.
  package func keysByNumber(inTable table: String) throws -> [Int64: KeySet] {
    try reporting {
      var keys: [Int64: KeySet] = [:]
      var cursor = try database.prepare("SELECT Z_ENT, Z_PK FROM \(SQLName(table))").query()
      while try cursor.next() { keys[cursor.row.integer(at: 0), default: KeySet()].insert(cursor.row.integer(at: 1)) }
      return keys
    }
  }

  /// Calls `body` with the `Z_ENT` and the key of every row, table by table. If `root` is set, visits only its
  /// hierarchy.
  ///
  /// - Throws: An error if an object's key is not valid.
  package func forEachKey(ofHierarchy root: Int? = nil, _ body: (_ number: Int, _ key: Int64) -> Void) throws {
    let held = layout.entities.filter { root == nil || $0.rootNumber == root }
    for table in Set(held.map(\.tableName)).sorted() {
      let statement = try database.prepare("SELECT \(layout.numberSQL(inTable: table)), Z_PK FROM \(SQLName(table))")
      var cursor = statement.query()
      while try cursor.next() {
        guard let number = Int(exactly: cursor.row.integer(at: 0)) else { continue }
        let key = cursor.row.integer(at: 1)
        guard key > 0 || runtime.entity(numbered: Int64(number)) == nil else {
          throw StoreMistake.badKey(table: table).diagnostic(url)
        }
        body(number, key)
      }
    }
  }
}

extension IndexLayout {
  /// The index's name while it does not enforce uniqueness yet.
  var buildingName: String { "HEAVYLIFT_BUILDING_\(name)" }

  /// The statement that creates the index in a store that is being filled.
  var buildingSQL: String {
    guard isUnique else { return sql }
    var plain = self
    plain.isUnique = false
    plain.name = buildingName
    return plain.sql
  }
}

extension PersistentStore {
  /// Records that keys up to this one have been used.
  package func noteHighestKey(_ key: Int64, ofEntity name: String) throws {
    guard key > 0, let entity = layout.entity(named: name) else { return }
    try database.noteHighestKey(key, ofRoot: entity.rootNumber)
  }
}

extension Database {
  /// Records that keys up to this one have been used in the hierarchy of a root entity.
  func noteHighestKey(_ key: Int64, ofRoot number: Int) throws(SQLiteError) {
    try run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ?) WHERE Z_ENT = ?", .integer(key),
      .integer(Int64(number)))
  }

  /// Returns the highest key that was ever used in the hierarchy of a root entity; 0 if there is none.
  ///
  /// A key must not be used twice, even if the counter lags behind the rows.
  func highestKey(ofRoot number: Int, in table: String) throws(SQLiteError) -> Int64 {
    let key = try firstValue(
      "SELECT max(ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0), "
        + "ifnull((SELECT max(Z_PK) FROM \(SQLName(table))), 0))", .integer(Int64(number)))
    guard case .integer(let key)? = key else { return 0 }
    return key
  }
}

/// Building an index from all rows at once costs less than updating it for each row that is inserted or changed.
extension PersistentStore {
  /// Creates the indexes of a store under construction, as far as it does not have them.
  package func makeDeferredIndexes() throws {
    guard !deferredIndexes.isEmpty else { return }
    endIndexing { try $0.finish() }
    try reporting {
      if let indexingFailure { throw indexingFailure }
      try database.transaction(.immediate) {
        for index in deferredIndexes { try database.execute(index.buildingSQL) }
      }
    }
    deferredIndexes = []
  }
}

/// Policies often search for an object by an attribute without an index, once for each source object. Reading the whole
/// table each time would take time that grows with the square of the store.
extension PersistentStore {
  /// The number of searches by an attribute after which its column gets an index.
  private static let searchesBeforeIndex = 16

  /// Counts a search by the value of a column, and indexes the column once there have been many.
  func noteSearch(table: String, column: String) throws {
    let name = "HEAVYLIFT_LOOKUP_\(table)_\(column)"
    guard let count = searchCounts[name] else {
      let isIndexed = layout.indexes.contains { $0.tableName == table && $0.columns.first?.name == column }
      return searchCounts[name] = isIndexed ? Int.min : 1
    }
    searchCounts[name] = count + 1
    guard count + 1 == Self.searchesBeforeIndex else { return }
    try reporting {
      try database.execute("CREATE INDEX \(SQLName(name)) ON \(SQLName(table)) (\(SQLName(column)))")
    }
    searchIndexes.append(name)
  }

  /// Drops the indexes that were created for searches.
  func dropSearchIndexes() throws {
    guard !searchIndexes.isEmpty else { return }
    for name in searchIndexes { try database.execute("DROP INDEX \(SQLName(name))") }
    searchIndexes = []
  }
}

/// Creates the indexes of a store under construction on a thread of its own.
///
/// The connection belongs to that thread until `stop()` or `finish()` returns. `PersistentStore.database` makes sure
/// that no other code uses it in the meantime.
final class IndexBuilder {
  private let isStopped: Locked<Bool>
  private let work: ThreadedWork<Int>

  /// - Parameter statements: The statements that create the indexes.
  init(_ database: Database, _ statements: [String]) {
    let isStopped = Locked(false)
    self.isStopped = isStopped
    work = ThreadedWork("Heavylift index builder") {
      for (count, statement) in statements.enumerated() {
        if isStopped.withLock({ $0 }) { return count }
        try database.transaction(.immediate) { try database.execute(statement) }
      }
      return statements.count
    }
  }

  /// Waits until all indexes are created.
  ///
  /// - Returns: Their number.
  func finish() throws -> Int { try work.result().get() }

  /// Waits for the index that is being created, and creates no more.
  ///
  /// - Returns: The number of created indexes.
  func stop() throws -> Int {
    isStopped.withLock { $0 = true }
    return try work.result().get()
  }
}

/// The state of a context that works on a store under construction: objects get their keys immediately, and are
/// released once they are written.
///
/// If other programs use a store, keys must be reserved by the save that uses them. No other program uses a store under
/// construction, so its objects can get their keys earlier: they can then be identified, linked and released before any
/// of them is complete.
final class BulkLoad {
  /// The next free key of each hierarchy, by `Z_ENT` of its root; 1 by default.
  private var nextKeys: [Int: Int64]
  /// Prepared statements: there are few different sets of changed columns, each in very many objects.
  var updateStatements: [ChangedColumns: Statement] = [:]

  init(firstKeys: [Int: Int64]) { nextKeys = firstKeys }

  /// Returns an unused key; nil if none is left.
  func nextKey(root: Int) -> Int64? {
    let key = nextKeys[root] ?? 1
    guard key < Int64.max else { return nil }
    nextKeys[root] = key + 1
    return key
  }
}

/// The columns of an entity's rows that one statement sets, by their indexes in `RowColumns`.
struct ChangedColumns: Hashable {
  var entity: Int
  var attributes: [Int] = []
  var toOnes: [Int] = []
}

extension Array {
  /// Returns true if both arrays share their memory, so that they are certainly equal. False does not mean that they
  /// differ.
  func isSameStorage(as other: [Element]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
    }
  }
}
