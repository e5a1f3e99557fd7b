import Foundation
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
    store.carriedIndexes = Set(
      try store.database.schemaObjects().filter { $0.type == .index && keptTables.contains($0.tableName) }.map(\.name))
    store.deferredIndexes = store.indexesToBuild
    return store
  }

  /// The indexes that did not come with a carried table.
  private var indexesToBuild: [IndexLayout] { layout.indexes.filter { !carriedIndexes.contains($0.name) } }

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
