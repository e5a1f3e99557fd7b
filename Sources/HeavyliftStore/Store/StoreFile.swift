import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// A store's file before its model is known: its metadata, its entities' numbers, and its schema.
///
/// ```swift
/// let file = try StoreFile(url: url, mode: .readOnly)
/// switch try file.version(among: models) {
/// case .one(let fit): print("version \(fit.model.name ?? "?"), by its \(fit.evidence)")
/// case .several(let fits): print("fits \(fits.count) models")
/// case .none(let misfits): print("fits none; of the nearest:", misfits.first?.reasons ?? [])
/// }
/// ```
public final class StoreFile {
  /// The store's file.
  public let url: URL
  /// The mode in which the file is open.
  public let mode: Database.Mode
  package let database: Database
  /// The contents of `Z_METADATA`.
  public internal(set) var metadata: StoreMetadata
  /// The rows of `Z_PRIMARYKEY`, sorted by number.
  public let primaryKeys: [PrimaryKeyRow]
  /// Every table, index, trigger and view.
  public let schema: [SchemaObject]

  /// Opens an existing store; throws if the file is not a store.
  ///
  /// A store in a folder that is not writable is opened read-only if its write-ahead log holds no changes.
  public convenience init(url: URL, mode: Database.Mode = .readOnly, busyTimeout: Int = 5_000) throws {
    // A new file would not be a store; `PersistentStore.create` creates stores.
    let mode = mode == .create ? .readWrite : mode
    do {
      let database = try StoreOpening.open(url, mode: mode, busyTimeout: busyTimeout)
      try database.registerDerivedAttributeFunctions()
      try self.init(url: url, mode: mode, database: database)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Reads a store through a connection that is already open, in the state that the connection's transaction sees.
  package convenience init(reopening file: StoreFile) throws {
    try self.init(url: file.url, mode: file.mode, database: file.database)
  }

  /// Calls a function with the store in its present state, whatever another program writes meanwhile.
  package func readingConsistently<Result>(_ body: (StoreFile) throws -> Result) throws -> Result {
    // Lets SQLite sort large results on disk. The setting cannot be changed within a transaction.
    try database.execute("PRAGMA temp_store = FILE")
    return try database.transaction(.deferred) { try body(StoreFile(reopening: self)) }
  }

  private init(url: URL, mode: Database.Mode, database: Database) throws {
    self.url = url
    self.mode = mode
    self.database = database
    do {
      schema = try database.schemaObjects()
      let tables = Set(schema.filter { $0.type == .table }.map { $0.name.uppercased() })
      for table in ["Z_METADATA", "Z_PRIMARYKEY"] where !tables.contains(table) {
        throw StoreMistake.notAStore(missing: table).diagnostic(url)
      }
      metadata = try database.readMetadata(of: url)
      primaryKeys = try database.readPrimaryKeys(of: url)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// A Boolean value that indicates whether the store embeds its own model.
  public var hasModelCache: Bool { schema.contains { $0.type == .table && $0.name == "Z_MODELCACHE" } }

  /// Returns the column names of a table.
  func columns(of table: String) throws -> [String] { try database.columns(of: table).map(\.name) }

  /// Returns the layout of a model's objects in this store.
  ///
  /// - Throws: `Diagnostic` if a table or a column is missing.
  package func layout(of model: ManagedObjectModel, configuration: String?) throws -> PhysicalLayout {
    if let configuration { try model.requireConfiguration(configuration) }
    let held = model.restricted(to: configuration)
    do {
      let numbers = try EntityNumbers(matching: held, rows: primaryKeys, store: url)
      var layout = PhysicalLayout(model: held, numbers: numbers)
      try layout.fit(to: database, store: url)
      return layout
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Closes the file; results that still refer to it can no longer be used.
  public func close() throws { try database.close() }
}
