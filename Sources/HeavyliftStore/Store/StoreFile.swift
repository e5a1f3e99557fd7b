import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// A store's file before anybody knows its model: its metadata, its entities' numbers, and what its tables look like.
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
  public let url: URL
  public let mode: Database.Mode
  package let database: Database
  public internal(set) var metadata: StoreMetadata
  /// In order of their numbers.
  public let primaryKeys: [PrimaryKeyRow]
  /// Every table, index, trigger and view.
  public let schema: [SchemaObject]

  /// Opens a store that exists, and refuses what is none.
  ///
  /// A store whose folder cannot be written is opened read-only if nothing is left to be merged into it.
  public init(url: URL, mode: Database.Mode = .readOnly, busyTimeout: Int = 5_000) throws {
    // A file that is made here would be no store yet; `PersistentStore.create` makes stores.
    let mode = mode == .create ? .readWrite : mode
    self.url = url
    self.mode = mode
    do {
      database = try StoreOpening.open(url, mode: mode, busyTimeout: busyTimeout)
      try database.registerDerivedAttributeFunctions()
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

  /// Whether the store carries its own model.
  public var hasModelCache: Bool { schema.contains { $0.type == .table && $0.name == "Z_MODELCACHE" } }

  /// The columns of a table by upper-case name.
  func columns(of table: String) throws -> [String] { try database.columns(of: table).map(\.name) }

  /// Closes the file; everything read from it is unusable afterwards.
  public func close() throws { try database.close() }
}
