import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Makes a store that is filled by a migration, and that nobody looks at before `finishBuilding()`.
  ///
  /// It has no journal, and a crash leaves nothing that could be repaired: the file must be thrown away then. Uniqueness
  /// is not enforced while it is filled, so that all duplicates can be told together; its indexes are there without it,
  /// because policies look for objects by what is unique.
  ///
  /// - Parameters:
  ///   - reservedKeys: Keys up to these are not given to new objects later either, by the name of a root entity.
  ///   - defersIndexes: Whether there are no indexes before `buildIndexes()`: to sort all rows once costs less than to
  ///     find a place for each.
  package static func beginBuilding(
    at url: URL, model: ManagedObjectModel, options: CreationOptions, reservedKeys: [String: Int64] = [:],
    defersIndexes: Bool = false
  ) throws -> PersistentStore {
    guard try FileIdentity(url) == nil else { throw StoreMistake.alreadyExists.diagnostic(url) }
    let mistakes = model.check().filter { $0.severity == .error }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    if let configuration = options.configuration { try model.requireConfiguration(configuration) }
    do {
      try write(model, options, to: url, isBuilding: true, defersIndexes: defersIndexes)
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
      return store
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Makes the indexes of a store that was begun without them.
  package func buildIndexes() throws {
    try reporting {
      try database.transaction(.immediate) {
        for index in layout.indexes { try database.execute(index.buildingSQL) }
      }
    }
  }

  /// Turns the store into one like any other, and closes it: uniqueness is enforced from now on, changes are journalled.
  ///
  /// Duplicates must have been looked for before. Whoever gives the file its place makes sure that it is on disk.
  package func finishBuilding() throws {
    try reporting {
      try dropSearchIndexes()
      for index in layout.indexes where index.isUnique {
        try database.execute("DROP INDEX IF EXISTS \(SQLName(index.buildingName))")
        try database.execute(index.sql)
      }
      try database.execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL")
      try database.close()
    }
  }

  /// Throws for rows that belong to no entity of their table: nobody would see them, and they would be lost in silence.
  package func refuseForeignRows() throws {
    try reporting {
      for table in Set(layout.entities.map(\.tableName)).sorted() {
        let numbers = layout.entities.filter { $0.tableName == table }.map { String($0.number) }
        var cursor = try database.prepare(
          "SELECT Z_ENT, Z_PK FROM \(SQLName(table)) "
            + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", "))) ORDER BY Z_PK LIMIT 1"
        ).query()
        guard try cursor.next() else { continue }
        throw StoreMistake.unknownEntityNumber(
          cursor.row.integer(at: 0), table: table, key: cursor.row.integer(at: 1)
        ).diagnostic(url)
      }
    }
  }

  /// The highest key that was ever given in each hierarchy, by the name of its root entity.
  package func highestKeys() throws -> [String: Int64] {
    try reporting {
      var keys: [String: Int64] = [:]
      for entity in layout.entities where entity.superNumber == 0 {
        // A counter that lags behind its rows must not have a key given twice.
        let value = try database.firstValue(
          "SELECT max(ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0), "
            + "ifnull((SELECT max(Z_PK) FROM \(SQLName(entity.tableName))), 0))", .integer(Int64(entity.number)))
        if case .integer(let key)? = value { keys[entity.name] = key }
      }
      return keys
    }
  }

  /// Runs a body that sees one state of the store throughout.
  package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try readingConsistently(body)
  }
}

extension IndexLayout {
  /// The index's name while it does not enforce anything yet.
  var buildingName: String { "HEAVYLIFT_BUILDING_\(name)" }

  /// The statement that makes the index for a store that is filled.
  var buildingSQL: String {
    guard isUnique else { return sql }
    var plain = self
    plain.isUnique = false
    plain.name = buildingName
    return plain.sql
  }
}

extension PersistentStore {
  /// Remembers that keys up to this one were given.
  package func noteHighestKey(_ key: Int64, ofEntity name: String) throws {
    guard key > 0, let entity = layout.entity(named: name) else { return }
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ?) WHERE Z_ENT = ?", .integer(key),
      .integer(Int64(entity.rootNumber)))
  }
}
