import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// The share of this store's file that is in use, if a new store can start as a copy of the file; nil if the copy
  /// would have other properties than a new file.
  package var usedShareOfCopy: Double? {
    get throws {
      guard !database.isUnlocked else { return nil }
      return try reporting {
        guard try database.firstValue("PRAGMA page_size") == .integer(4_096),
          try database.firstValue("PRAGMA auto_vacuum") == .integer(2),
          try database.firstValue("PRAGMA encoding") == .text("UTF-8"),
          // Without its module, a virtual table cannot be removed from the copy.
          try !database.schemaObjects().contains(where: \.isVirtual),
          case .integer(let all)? = try database.firstValue("PRAGMA page_count"), all > 0,
          case .integer(let free)? = try database.firstValue("PRAGMA freelist_count")
        else { return nil }
        return Double(all - free) / Double(all)
      }
    }
  }

  /// True if the file alone contains everything that the current read transaction sees, and nothing can change the file
  /// until the transaction ends.
  private var isCompleteInFile: Bool {
    get throws {
      guard !database.isImmutable, try database.firstValue("PRAGMA journal_mode") == .text("wal") else { return true }
      // A reader of an empty log keeps other connections from merging what they add to it.
      return try FileIdentity(URL(filePath: url.resolvingSymlinksInPath().path + "-wal"))?.size ?? 0 == 0
    }
  }

  /// Creates a store that a migration fills, like `beginBulkLoad`, but from a copy of this store's file. The copy keeps
  /// the given tables and their indexes; everything else is removed.
  ///
  /// - Parameters:
  ///   - hasOnlyStatements: True if no objects are created or changed. Then unique indexes stay, too.
  ///   - check: Called from time to time while the file is copied; an error that it throws ends the copy.
  package func beginBulkLoad(
    at url: URL, keeping tables: [KeptTable], model: ManagedObjectModel, options: CreationOptions,
    reservedKeys: [String: Int64], hasOnlyStatements: Bool, _ check: () throws -> Void
  ) throws -> PersistentStore {
    guard try FileIdentity(url) == nil else { throw StoreMistake.alreadyExists.diagnostic(url) }
    do {
      try options.rights?.makeFile(at: url)
      try reporting { try isCompleteInFile ? copyFile(to: url, check) : copyPages(to: url, check) }
      try Self.prune(url, to: tables, model, options, hasOnlyStatements: hasOnlyStatements)
      try check()
      return try Self.openUnfinished(url, model, options, reservedKeys, keptTables: Set(tables.map(\.name)))
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  private func copyFile(to url: URL, _ check: () throws -> Void) throws {
    let file = Glibc.open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw POSIXError(number: errno) }
    defer { Glibc.close(file) }
    if shareBlocks(with: file) { return }
    try database.readFile { bytes in
      try check()
      try FileBytes.write(bytes, to: file)
    }
  }

  /// Makes a new file share the blocks of this store's file; returns false, with nothing changed, if that is impossible.
  private func shareBlocks(with copy: Int32) -> Bool {
    let url = url.resolvingSymlinksInPath()
    let original = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard original >= 0 else { return false }
    defer { LateClosing.close(original) }
    // Another program may have put another file at the path.
    guard !database.hasMoved, let opened = FileIdentity(ofDescriptor: original),
      (try? FileIdentity(url))??.isSameFile(as: opened) == true
    else { return false }
    return FileBytes.share(original, with: copy)
  }

  private func copyPages(to url: URL, _ check: () throws -> Void) throws {
    let copy = try Database(path: url.path, mode: .create)
    try copy.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try database.copyPages(to: copy, check)
    try copy.close()
  }

  /// Removes everything from a copy except the given tables, gives these their new form, and creates what is missing.
  private static func prune(
    _ url: URL, to tables: [KeptTable], _ model: ManagedObjectModel, _ options: CreationOptions,
    hasOnlyStatements: Bool
  ) throws {
    let layout = PhysicalLayout(model: model.restricted(to: options.configuration), choices: options.joinTableChoices)
    let database = try Database(path: url.path, mode: .readWrite)
    // Leaving WAL mode would sync the whole file.
    try database.execute("PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF")
    try database.transaction {
      try database.removeEverything(except: tables)
      // Changing a table needs the functions and collations of its indexes, which only another program may have. A
      // unique index may reject the new values, which need not be unique in the new version.
      try database.removeIndexes { table, index in
        !index.isOrdinary || index.isUnique && tables.contains { $0.source == table && $0.changesRows }
      }
      var (program, names) = (
        ChangeProgram(), FreeNames(besides: try database.schemaObjects().map(\.name) + tables.flatMap(\.columns.values))
      )
      for table in tables { table.addStatements(to: &program, &names, renumbersRows: true) }
      program.renameTables(tables.map { ($0.source, $0.name) }, taken: tables.map(\.source), &names)
      for statement in program.statements { try database.run(statement.sql, statement.bindings) }
      let expected = Dictionary(layout.indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      try database.removeIndexes { table, index in
        // Only statements cannot break uniqueness before it is checked.
        guard let wanted = expected[index.name], hasOnlyStatements || !wanted.isUnique else { return true }
        return !index.isIndex(wanted, of: table)
      }
    }
    try database.execute("PRAGMA user_version = 0; PRAGMA application_id = 0")
    try fill(database, model, options, hasIndexes: false)
    try database.close()
  }
}

extension Database {
  /// Removes all objects of the schema other than tables that are kept and their indexes.
  fileprivate func removeEverything(except tables: [KeptTable]) throws(SQLiteError) {
    let kept = Set(tables.map(\.source))
    let objects = try schemaObjects()
    for object in objects where object.type == .trigger { try execute("DROP TRIGGER \(object.name.asSQLIdentifier)") }
    for object in objects where object.type == .view { try execute("DROP VIEW \(object.name.asSQLIdentifier)") }
    for object in objects where object.type == .table && !kept.contains(object.name) {
      guard object.isRemovable else { continue }
      // A virtual table removes its shadow tables.
      guard try tableExists(object.name) else { continue }
      try execute("DROP TABLE \(object.name.asSQLIdentifier)")
    }
  }

  /// Removes the indexes that were created by statements and that pass a test.
  fileprivate func removeIndexes(
    where isUnwanted: (_ table: String, _ index: IndexInfo) -> Bool
  ) throws(SQLiteError) {
    for (table, index) in try createdIndexes(among: schemaObjects()) where isUnwanted(table, index) {
      try execute("DROP INDEX \(index.name.asSQLIdentifier)")
    }
  }
}

extension SchemaObject {
  fileprivate var isVirtual: Bool { type == .table && sql?.uppercased().hasPrefix("CREATE VIRTUAL") == true }

  /// False for the tables that SQLite itself needs.
  fileprivate var isRemovable: Bool { !name.hasPrefix("sqlite_") || name.hasPrefix("sqlite_stat") }
}
