import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// What can be seen of a store from outside: its files, its entities and how many objects they have, and all that nobody
/// here knows the meaning of.
///
/// ```swift
/// let inspection = try StoreInspection(StoreFile(url: url), layout: nil)
/// for entity in inspection.entities { print(entity.name, entity.objects ?? 0) }
/// ```
///
/// A model is not needed; with its layout more is known, such as which columns are left over. Objects are counted, their
/// values are not looked at.
public struct StoreInspection: Hashable, Sendable {
  /// An entity as the store lists it.
  public struct Entity: Hashable, Sendable {
    /// The name that the model has for it, or else the one in `Z_PRIMARYKEY`.
    public var name: String
    public var number: Int
    public var parentName: String?
    /// The number of entities above it.
    public var depth: Int
    /// The hierarchy's table; nil if it is not found.
    public var tableName: String?
    /// Objects of the entity itself, without those of its sub-entities.
    public var objects: Int?
    /// The highest key of an object of the entity itself.
    public var highestKey: Int64?
    /// The highest key ever handed out in the hierarchy; only the root counts it.
    public var maximumKey: Int64?
  }

  /// A table and how many rows it has.
  public struct Table: Hashable, Sendable {
    public var name: String
    public var rows: Int
  }

  /// A column that no property of the model is stored in.
  public struct Column: Hashable, Sendable {
    public var table: String
    public var name: String
  }

  public internal(set) var files: DatabaseFiles
  /// Files with large values in the folder beside the store, and their size together.
  public internal(set) var externalFileCount = 0
  public internal(set) var externalByteCount: Int64 = 0
  /// `wal`, `delete` …, as the file says.
  public internal(set) var journalMode: String
  /// Bytes of pages that hold nothing any more.
  public internal(set) var freeByteCount: Int64 = 0
  public internal(set) var metadata: StoreMetadata
  /// Parents before their children, in order of numbers.
  public internal(set) var entities: [Entity] = []
  /// Tables of persistent history.
  public internal(set) var historyTables: [Table] = []
  /// Tables that are neither Core Data's nor the model's.
  public internal(set) var unknownTables: [Table] = []
  /// Columns that are not the model's; empty without one.
  public internal(set) var unknownColumns: [Column] = []
  /// Tables of entities that the model lacks, all of them among the unknown ones; empty without a model.
  public internal(set) var foreignEntities: [Entity] = []
  /// Indexes of Core Data's tables that neither Core Data nor the model has given them; empty without a model.
  public internal(set) var unknownIndexes: [String] = []
  /// Triggers that keep no derived attribute.
  public internal(set) var unknownTriggers: [String] = []
  public internal(set) var views: [String] = []
  /// What is odd, none of which keeps the store from being read.
  public internal(set) var notes: [Diagnostic] = []

  /// All objects that were counted.
  public var objectCount: Int { entities.reduce(0) { $0 + ($1.objects ?? 0) } }

  /// Looks at a store.
  ///
  /// - Parameters:
  ///   - file: the store's.
  ///   - layout: where the store's model says that things are; nil if it is not known.
  public init(_ file: StoreFile, layout: PhysicalLayout?) throws {
    try self.init(file, layout: layout, isCounting: true)
  }

  /// Looks at a store.
  ///
  /// - Parameter isCounting: Whether objects and files are counted, which takes a look at all of them.
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
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: file.url)
    }
  }

  private static func damagedLog(of file: StoreFile) -> Diagnostic {
    Diagnostic(
      .warning, code: "store.damaged-log",
      problem: "store '\(file.url.path)' has a damaged -wal, which SQLite passes over: changes in it are missing here",
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
  /// What stands against each of the models, the nearest first, whether or not the store knows its model by itself.
  package func misfits(among models: [ManagedObjectModel]) throws -> [StoreVersion.Misfit] {
    try models.map { StoreVersion.Misfit(model: $0, reasons: try reasonsAgainst($0)) }
      .sorted { $0.reasons.count < $1.reasons.count }
  }
}
