import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Errors about a store: detected elsewhere, worded here.
enum StoreMistake {
  case notFound
  case notAFile
  case missingFolder
  case isFolder
  case unopenable
  /// The store's file, or the companion file with the suffix `part`, is a special file.
  case special(SpecialFile, part: String?)
  case notADatabase
  case empty
  case truncated(expected: Int64, actual: Int64)
  case notAStore(missing: String)
  case noMetadata
  case damagedMetadata(String)
  case damagedPrimaryKeys
  case futureVersion(String)
  case locked
  case readOnlyFolder(reason: String)
  case needsRecovery
  /// A transaction was interrupted; only a connection that may write can roll it back.
  case unfinishedChange
  case unreadable(SQLiteError)
  case alreadyExists
  /// The log of another store has the name that the new store's log would have.
  case leftoverLog(URL)
  case missingTable(String, entity: String)
  case missingColumn(String, table: String, property: String, entity: String)
  case missingEntity(String, known: [String])
  case badValue(entity: String, key: Int64, table: String, column: String, attribute: String, problem: String)
  case badLink(entity: String, key: Int64, storage: ToManyStorage)
  case badLinkKey(String, table: String, column: String, relationship: String, row: String)
  /// `owner` is the entity that has the number, but in another table.
  case unknownEntityNumber(Int64, table: String, key: Int64, owner: EntityLayout? = nil)
  case missingObject(entity: String, key: Int64)
  case changedMeanwhile(entity: String, key: Int64)
  case noModel
  /// The embedded model is of another version than the store.
  case staleModel
  case unreadableModel(String)
  case keysExhausted(entity: String)
  case badKey(table: String)
  case wrongEntity(entity: String, key: Int64, found: Int64)
}

extension StoreMistake {
  /// Returns the mistake as an error about a store.
  func diagnostic(_ store: URL) -> Diagnostic {
    let (code, problem, remedy) = words
    let name = store.isFileURL ? store.path : store.absoluteString
    return Diagnostic(
      .error, code: "store.\(code)", problem: "store '\(name)' \(problem)",
      remedy: mayBeInLog ? [remedy, MissingLog(store)?.remedy].compactMap(\.self).joined(separator: "; ") : remedy)
  }

  /// True if what is missing may be in a `-wal` that was not copied.
  private var mayBeInLog: Bool {
    switch self {
    case .notAStore, .missingTable, .missingColumn: true
    default: false
    }
  }

  private var words: (code: String, problem: String, remedy: String) {
    switch self {
    case .notFound:
      ("not-found", "does not exist", "check the path")
    case .notAFile:
      ("not-a-file", "is not a file: its URL does not begin with 'file:'", "use 'URL(filePath:)'")
    case .missingFolder:
      ("missing-folder", "cannot be created, because its folder does not exist", "create the folder first")
    case .isFolder:
      ("is-folder", "is a folder", "specify the store's file; in a bundle such as .sqlite.bundle, it is inside")
    case .unopenable:
      ("unopenable", "cannot be read", "check that you have permission to read the file")
    case .special(let special, nil):
      ("not-regular", "is not a regular file but a \(special.rawValue)", "specify the store's file")
    case .special(let special, let part?):
      (
        "not-regular", "has a '\(part)' that is not a regular file but a \(special.rawValue)",
        "put the store's own '\(part)' there if it has one, or remove it; nothing was changed"
      )
    case .notADatabase:
      (
        "not-a-database", "is not an SQLite database, or it is encrypted",
        "decrypt it first if it is encrypted; Core Data's XML and binary stores cannot be opened"
      )
    case .empty:
      ("not-a-database", "is empty", "restore it from a backup, or remove it if a new store is to be created")
    case .truncated(let expected, let actual):
      (
        "truncated", "is truncated: its header says \(expected) bytes, but there are \(actual)",
        "make a complete copy of the store again, including its -wal; nothing was changed"
      )
    case .notAStore(let table):
      (
        "not-a-store", "is an SQLite database, but not a Core Data store: it has no table \(table)",
        "check the path; only stores in Core Data's layout can be opened"
      )
    case .noMetadata:
      (
        "no-metadata", "has no metadata: Z_METADATA has no row",
        "restore the row from a backup: without it the store's version and identifier are unknown"
      )
    case .damagedMetadata(let problem):
      (
        "damaged-metadata", "has damaged metadata: \(problem)",
        "restore Z_METADATA from a backup; the objects are not affected"
      )
    case .damagedPrimaryKeys:
      (
        "damaged-primary-keys",
        "has a damaged Z_PRIMARYKEY: a row has no number, no name, or a highest key that is not a number",
        "restore Z_PRIMARYKEY from a backup; the objects are not affected"
      )
    case .futureVersion(let what):
      (
        "future-version", "was written by a newer version of Core Data: \(what)",
        "use a newer version of this tool; nothing was changed"
      )
    case .locked:
      (
        "locked", "is locked by another process",
        "quit the application that uses it, then try again; nothing was changed"
      )
    case .readOnlyFolder(let reason):
      (
        "read-only", "cannot be written: \(reason)",
        "copy the store with its -wal and its support folder to a writable folder, or open it read-only"
      )
    case .needsRecovery:
      (
        "needs-recovery", "has changes that were never merged into it, and its folder is not writable",
        "copy the store with its -wal or -journal to a writable folder, and open the copy"
      )
    case .unfinishedChange:
      (
        "unfinished-change",
        "contains another program's unfinished change, which its -journal can roll back",
        "open it once with the program that wrote it, or migrate it in place: both roll the change back"
      )
    case .unreadable(let error) where error.isFull:
      (
        "disk-full", "cannot be written: \(error.message) (\(error.extendedCode))",
        "free some space on the disk, then try again; nothing was changed"
      )
    case .unreadable(let error) where error.isInputOutput:
      (
        "disk-failure", "cannot be read or written: \(error.message) (\(error.extendedCode))",
        "check the disk and the permissions of its files, then try again; nothing was changed"
      )
    case .unreadable(let error) where error.isConstraint:
      ("unreadable", "cannot be written: \(error.message) (\(error.extendedCode))", "nothing was changed")
    case .unreadable(let error):
      (
        error.isCorrupt ? "corrupt" : "unreadable",
        "cannot be read: \(error.message) (\(error.extendedCode))",
        error.isCorrupt
          ? "restore it from a backup, or save what can be saved with sqlite3's .recover; nothing was changed"
          : "nothing was changed"
      )
    case .alreadyExists:
      ("already-exists", "already exists", "choose another path, or remove the store first")
    case .leftoverLog(let log):
      (
        "already-exists",
        "cannot be created: SQLite would read '\(log.lastPathComponent)', which a former store of that name has left, as part "
          + "of it",
        "choose another path, or remove that file first"
      )
    case .missingTable(let table, let entity):
      (
        "missing-table", "has no table \(table) for entity '\(entity)'",
        "the store was not written with this model, or it is damaged: run 'heavylift inspect' to see which models fit"
      )
    case .missingColumn(let column, let table, let property, let entity):
      (
        "missing-column", "has no column \(column) in table \(table) for property '\(property)' of entity '\(entity)'",
        "the store was not written with this model, or it is damaged: run 'heavylift inspect' to see which models fit"
      )
    case .missingEntity(let name, let known):
      ("missing-entity", "has no entity '\(name)' in Z_PRIMARYKEY", known.suggestion(for: name, kind: "entity"))
    case .badValue(let entity, let key, let table, let column, let attribute, let problem):
      (
        "bad-value", "\(problem): column \(column) of table \(table), attribute '\(attribute)' of \(entity)/p\(key)",
        "correct the value, e.g. with sqlite3 on a copy: \(table) WHERE Z_PK = \(key)"
      )
    case .badLink(let entity, let key, let storage):
      (
        "bad-value",
        "holds an invalid value where the key of an object is expected: column \(storage.targetColumn) of table "
          + "\(storage.tableName), relationship '\(storage.name)' of \(entity)/p\(key)",
        "correct the value, e.g. with sqlite3 on a copy: \(storage.tableName) WHERE \(storage.ownerColumn) = \(key)"
      )
    case .badLinkKey(let problem, let table, let column, let relationship, let row):
      (
        "bad-value",
        "\(problem) where the key of an object is expected: column \(column) of table \(table), relationship "
          + "'\(relationship)', in the row with \(row)",
        "correct the value, e.g. with sqlite3 on a copy: \(table) WHERE \(row)"
      )
    case .unknownEntityNumber(let number, let table, let key, let owner?):
      (
        "unknown-entity-number",
        "has a row in table \(table) with the number of entity '\(owner.name)', whose objects are in table "
          + "\(owner.tableName): Z_ENT \(number), Z_PK \(key)",
        "the row is damaged: give it the number of an entity of its table, or remove it, e.g. with sqlite3 on a copy"
      )
    case .unknownEntityNumber(let number, let table, let key, nil):
      (
        "unknown-entity-number", "has a row in table \(table) that belongs to no entity: Z_ENT \(number), Z_PK \(key)",
        "the store was not written with this model, or the row is damaged"
      )
    case .missingObject(let entity, let key):
      (
        "missing-object", "has no object \(entity)/p\(key)",
        "it was deleted or never existed: clear the relationships that refer to it, or restore it from a backup"
      )
    case .changedMeanwhile(let entity, let key):
      (
        "changed-meanwhile",
        "was changed by another connection: object \(entity)/p\(key) has changed since it was read",
        "read it again, apply the change to the new state, and save again; nothing was saved"
      )
    case .keysExhausted(let entity):
      (
        "keys-exhausted",
        "has no key left for entity '\(entity)': Z_PRIMARYKEY.Z_MAX is near the largest possible number",
        "Z_MAX is damaged: set it to the highest Z_PK of the entity's table"
      )
    case .badKey(let table):
      (
        "bad-key", "has a row in table \(table) whose Z_PK is not a positive number",
        "the row is damaged: give it another key, or remove it"
      )
    case .wrongEntity(let entity, let key, let found):
      (
        "wrong-entity", "has no object \(entity)/p\(key): the row with that key has Z_ENT \(found)",
        "use the object's own entity"
      )
    case .noModel:
      (
        "no-model", "contains no model, and none was given",
        "specify the model's file, e.g. --model Library.xcdatamodeld"
      )
    case .staleModel:
      (
        "stale-model", "contains a model of another version, and no other model was given",
        "specify the model's file, e.g. --model Library.xcdatamodeld"
      )
    case .unreadableModel(let problem):
      (
        "unreadable-model", "contains a model that cannot be read, and no other was given: \(problem)",
        "specify the model's file, e.g. --model Library.xcdatamodeld"
      )
    }
  }
}

extension PersistentStore {
  /// Returns an error about a row whose number is not that of an entity of its table.
  package func unknownEntityNumber(_ number: Int64, table: String, key: Int64) -> Diagnostic {
    let owner = layout.entities.first { Int64($0.number) == number }
    return StoreMistake.unknownEntityNumber(number, table: table, key: key, owner: owner).diagnostic(url)
  }

  /// Returns an error about a column whose value is not valid for its property.
  package func badValue(
    entity: String, key: Int64, table: String, column: String, property: String, problem: String
  ) -> Diagnostic {
    StoreMistake.badValue(
      entity: entity, key: key, table: table, column: column, attribute: property, problem: problem
    ).diagnostic(url)
  }
}
