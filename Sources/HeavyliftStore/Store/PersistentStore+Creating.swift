import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Options for creating a store.
  public struct CreationOptions: Sendable {
    /// The store's UUID, which is part of every object's URI.
    public var identifier = UUID().uuidString
    /// The configuration of the model that the store holds; nil for all entities.
    public var configuration: String?
    /// A Boolean value that indicates whether the store embeds its model, so that it can be opened and migrated
    /// without the model's file.
    ///
    /// Off by default: Core Data reads the embedded model, and no release of Core Data has been tested with a model
    /// that Heavylift embedded. A store without an embedded model is like those of older versions of Core Data.
    public var carriesModel = false
    /// Metadata to add to Core Data's own.
    public var applicationValues: [String: PropertyList] = [:]

    /// The names of join tables and their columns, where the model leaves a choice.
    package var joinTableChoices = JoinTableChoices()
    /// The encoding of texts, by SQLite's name; nil for UTF-8, in which Core Data creates all stores.
    package var textEncoding: String?
    /// The access rights of the store's file; nil for the process's defaults.
    package var rights: FileRights?

    /// Creates options.
    public init() {}
  }

  /// Creates an empty store for a model.
  ///
  /// The file gets its name only once it is complete.
  public static func create(
    at url: URL, model: ManagedObjectModel, options: CreationOptions = CreationOptions()
  ) throws -> PersistentStore {
    guard url.isFileURL else { throw StoreMistake.notAFile.diagnostic(url) }
    guard try FileIdentity(url) == nil else { throw StoreMistake.alreadyExists.diagnostic(url) }
    if let log = try leftoverLog(at: url) { throw StoreMistake.leftoverLog(log).diagnostic(url) }
    let mistakes = model.check().filter { $0.severity == .error }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    if let configuration = options.configuration { try model.requireConfiguration(configuration) }
    let folder = url.deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw StoreMistake.missingFolder.diagnostic(url)
    }
    let temporary = folder.appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      try write(model, options, to: temporary)
      let place = try OpenFolder.walking(to: folder.resolvingSymlinksInPath())
      try place.synchronize(temporary.lastPathComponent)
      // A file that has taken the name in the meantime is not overwritten: it would be another program's data.
      guard link(temporary.path, url.path) == 0 else { throw linkFailure(url) }
      unlink(temporary.path)
      // Like SQLite, accepts a folder that cannot be synced.
      try? place.synchronize()
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: temporary.path + suffix)
      }
      if let error = error as? SQLiteError { throw StoreOpening.diagnostic(for: error, url: url) }
      throw error
    }
    let file = try StoreFile(url: url, mode: .readWrite)
    return try PersistentStore(file: file, model: model, configuration: options.configuration)
  }

  /// Returns the log of a store that is gone from a path. SQLite would read it as part of a new store there.
  package static func leftoverLog(at url: URL) throws -> URL? {
    try ["-wal", "-journal"].map { URL(filePath: url.path + $0, directoryHint: .notDirectory) }.first {
      try FileIdentity($0)?.size ?? 0 > 0
    }
  }

  private static func linkFailure(_ url: URL) -> Diagnostic {
    errno == EEXIST
      ? StoreMistake.alreadyExists.diagnostic(url)
      : StoreMistake.readOnlyFolder(reason: String(cString: strerror(errno))).diagnostic(url)
  }

  static func write(
    _ model: ManagedObjectModel, _ options: CreationOptions, to url: URL, isBulkLoading: Bool = false
  ) throws {
    // An empty file is an empty database. SQLite gives the same rights to the companion files that it creates.
    try options.rights?.makeFile(at: url)
    let database = try Database(path: url.path, mode: .create)
    if let encoding = options.textEncoding { try database.execute("PRAGMA encoding = '\(encoding)'") }
    // An unfinished store needs no journal: it is discarded after any failure. This comes first, because the next
    // statement writes to the file.
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    // Both settings, and the encoding, can only be changed while the file is empty.
    try database.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
    try fill(database, model, options, hasIndexes: !isBulkLoading)
    if !isBulkLoading { try database.execute("PRAGMA journal_mode = WAL") }
    try database.close()
  }

  /// Creates the tables that a file does not have yet, optionally their indexes, and writes the metadata.
  static func fill(
    _ database: Database, _ model: ManagedObjectModel, _ options: CreationOptions, hasIndexes: Bool
  ) throws {
    let held = model.restricted(to: options.configuration)
    let layout = PhysicalLayout(model: held, choices: options.joinTableChoices)
    try database.registerDerivedAttributeFunctions()
    try database.transaction {
      try layout.create(in: database, hasIndexes: hasIndexes)
      var metadata = StoreMetadata(
        model: model, entityNames: options.configuration.map(model.entityNames(of:)), identifier: options.identifier)
      metadata.values.merge(options.applicationValues) { own, _ in own }
      try database.writeMetadata(metadata)
      if options.carriesModel {
        try database.run(
          "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", .blob(try CompiledModelWriter.modelCache(for: model)))
      }
    }
  }
}

extension PhysicalLayout {
  /// Creates every table and trigger, optionally the indexes, and the entities' rows.
  func create(in database: Database, hasIndexes: Bool = true) throws {
    let present = Set(try database.schemaObjects().map(\.name))
    for table in tables + joinTables where !present.contains(table.name) { try database.execute(table.sql) }
    if hasIndexes {
      for index in indexes where !present.contains(index.name) { try database.execute(index.sql) }
    }
    for trigger in triggers { try database.execute(trigger.sql) }
    try database.execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      """)
    for entity in entities {
      try database.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)", .integer(Int64(entity.number)),
        .text(entity.name), .integer(Int64(entity.superNumber)))
    }
  }
}
