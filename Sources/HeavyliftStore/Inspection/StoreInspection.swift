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
public struct StoreInspection: Hashable, Sendable {
  /// An entity in the store.
  public struct Entity: Hashable, Sendable {
    /// The entity's name in the model, or else in `Z_PRIMARYKEY`.
    public var name: String
    /// The entity's number, `Z_ENT`.
    public var number: Int
    /// The name of the parent; nil for a root.
    public var parentName: String?
    /// The number of ancestors.
    public var depth: Int
    /// The hierarchy's table; nil if it is missing.
    public var tableName: String?
    /// The number of objects of the entity itself, without sub-entities.
    public var objects: Int?
    /// The highest key of an object of the entity itself.
    public var highestKey: Int64?
    /// The highest key ever assigned in the hierarchy; set only for the hierarchy's root.
    public var maximumKey: Int64?
  }

  /// A table and its number of rows.
  public struct Table: Hashable, Sendable {
    /// The table's name.
    public var name: String
    /// The number of rows.
    public var rows: Int
  }

  /// A column that stores no property of the model.
  public struct Column: Hashable, Sendable {
    /// The table that has the column.
    public var table: String
    /// The column's name.
    public var name: String
  }

  /// The sizes of the store's file, its `-wal` and its `-journal`.
  public internal(set) var files: DatabaseFiles
  /// The number of files in the store's external data folder.
  public internal(set) var externalFileCount = 0
  /// The size of these files in bytes.
  public internal(set) var externalByteCount: Int64 = 0
  /// The journal mode in the file: `wal`, `delete` …
  public internal(set) var journalMode: String
  /// The number of bytes in free pages.
  public internal(set) var freeByteCount: Int64 = 0
  /// The contents of `Z_METADATA`.
  public internal(set) var metadata: StoreMetadata
  /// The entities, parents before their children, sorted by number.
  public internal(set) var entities: [Entity] = []
  /// Tables of persistent history.
  public internal(set) var historyTables: [Table] = []
  /// Tables that are neither Core Data's nor the model's.
  public internal(set) var unknownTables: [Table] = []
  /// Columns that store no property of the model; empty without a model.
  public internal(set) var unknownColumns: [Column] = []
  /// Tables of entities that the model lacks, which are also among the unknown tables; empty without a model.
  public internal(set) var foreignEntities: [Entity] = []
  /// Indexes of Core Data's tables that neither Core Data nor the model defines; empty without a model.
  public internal(set) var unknownIndexes: [String] = []
  /// Triggers that do not belong to a derived attribute.
  public internal(set) var unknownTriggers: [String] = []
  /// The names of views. Core Data creates none.
  public internal(set) var views: [String] = []
  /// Tables and columns that a migration in place has left to be dropped later.
  public var deferredCleanup: [CleanupTask] { metadata.deferredCleanup }
  /// Oddities, none of which prevents reading the store.
  public internal(set) var notes: [Diagnostic] = []

  /// The total number of counted objects.
  public var objectCount: Int { entities.reduce(0) { $0 + ($1.objects ?? 0) } }

  /// Inspects a store.
  ///
  /// - Parameters:
  ///   - file: The file of the store.
  ///   - layout: The layout of the store's model; nil if the model is unknown.
  public init(_ file: StoreFile, layout: PhysicalLayout?) throws {
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
