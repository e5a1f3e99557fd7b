import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// A store together with the model that describes its tables.
///
/// ```swift
/// let store = try PersistentStore(url: url, models: bundle.models)
/// let context = ManagedObjectContext(store: store)
/// for book in try context.fetch(FetchRequest(entityName: "Book")) {
///   print(book["title"].string ?? "untitled")
/// }
/// ```
///
/// A store and all its contexts and objects belong to one thread at a time.
public final class PersistentStore {
  /// The store's file.
  public let url: URL
  /// The model that the store was opened or created with.
  public let model: ManagedObjectModel
  /// The configuration of the model that the store holds; nil for all entities.
  public let configuration: String?
  /// The tables and columns of the model's entities in this store.
  package let layout: PhysicalLayout
  /// The ways to open a store.
  public enum Mode: Hashable, Sendable {
    /// The store is not changed, and saving is an error.
    case readOnly
    /// Changes can be saved.
    case readWrite
  }

  /// A Boolean value that indicates whether saving is an error.
  public let isReadOnly: Bool
  /// The contents of `Z_METADATA`: the identifier, the version and the application's values.
  public private(set) var metadata: StoreMetadata
  /// The folder of large binary values.
  package var externalData: ExternalDataFolder
  private let connection: Database
  /// Writes rows on another thread while the store is under construction.
  private var writer: RowWriter?
  /// Reads rows on another thread.
  var prefetchThread: PrefetchThread?
  /// Creates indexes on another thread.
  private var indexBuilder: IndexBuilder?
  /// The indexes that a store under construction does not have yet, because no query needed them.
  var deferredIndexes: [IndexLayout] = []
  /// The error from creating them on another thread.
  private(set) var indexingFailure: (any Error)?
  /// The number of searches by each column while the store is under construction, keyed by the name that the column's
  /// index would have.
  var searchCounts: [String: Int] = [:]
  /// The names of the indexes that were created for searches.
  var searchIndexes: [String] = []
  /// The indexes that a store under construction has taken over with their tables.
  var keptIndexes: Set<String> = []
  /// The properties that code has handled; nil if they are not recorded.
  package var handledProperties: HandledProperties?
  let runtime: StoreRuntime
  /// The functions of translated expressions that are registered with the connection.
  var registeredFunctions: Set<String> = []

  /// Opens a store with the model that it was written with; throws if no model or more than one matches.
  public convenience init(
    url: URL, models: [ManagedObjectModel], mode: Mode = .readWrite, busyTimeout: Int = 5_000
  ) throws {
    let file = try StoreFile(url: url, mode: mode == .readOnly ? .readOnly : .readWrite, busyTimeout: busyTimeout)
    let fit = try file.model(among: models)
    try self.init(file: file, model: fit.model, configuration: fit.configuration)
  }

  /// Opens a store with the model that it embeds.
  public convenience init(url: URL, mode: Mode = .readWrite, busyTimeout: Int = 5_000) throws {
    try self.init(url: url, models: [], mode: mode, busyTimeout: busyTimeout)
  }

  /// Opens a store from an open file and a chosen model, whose tables and columns must exist.
  package init(file: StoreFile, model: ManagedObjectModel, configuration: String? = nil) throws {
    layout = try file.layout(of: model, configuration: configuration)
    url = file.url
    self.model = model
    self.configuration = configuration
    metadata = file.metadata
    connection = file.database
    isReadOnly = file.mode == .readOnly
    externalData = ExternalDataFolder(store: file.url)
    runtime = StoreRuntime(model: model.restricted(to: configuration), layout: layout)
  }

  /// Changes the store's metadata immediately.
  public func updateMetadata(_ change: (inout StoreMetadata) throws -> Void) throws {
    guard !isReadOnly else { throw ObjectMistake.readOnly.diagnostic }
    var changed = metadata
    try change(&changed)
    do {
      try database.writeMetadata(changed)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
    metadata = changed
  }

  deinit {
    writer?.end()
    prefetchThread?.end()
    endIndexing { try $0.stop() }
  }

  /// The connection. Reading this property waits until no other thread uses the connection.
  package var database: Database {
    waitForThreads()
    return connection
  }

  /// Closes the file; the store's objects can no longer be read.
  public func close() throws {
    prefetchThread?.end()
    prefetchThread = nil
    writer?.end()
    writer = nil
    endIndexing { try $0.stop() }
    try connection.close()
    // If a new store shares blocks with the file, another descriptor of it has waited for this.
    LateClosing.closeUnshared()
  }

  /// Interrupts the store's SQLite operations while a condition holds.
  package func interrupt(when condition: @escaping @Sendable () -> Bool) { database.interrupt(when: condition) }

  /// Runs `body`, and converts SQLite errors into errors about this store.
  package func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    // Waits for other threads: `body` can use the connection through statements that the caller already has.
    waitForThreads()
    do {
      return try body()
    } catch let error as SQLiteError {
      // Rethrows a translated expression's error as the evaluator would throw it.
      throw error.evaluationError ?? StoreOpening.diagnostic(for: error, url: place(of: error))
    }
  }

  /// The store that an error is about: two stores can be read at the same time.
  private func place(of error: SQLiteError) -> URL {
    guard let path = error.path, path.hasPrefix("/") else { return url }
    let place = URL(filePath: path)
    return place.resolvingSymlinksInPath() == url.resolvingSymlinksInPath() ? url : place
  }

  // MARK: Writing behind

  /// Returns the writer that writes rows on its own thread, for a store under construction.
  func rowWriter() -> RowWriter {
    endIndexing { try $0.stop() }
    if let writer { return writer }
    let tables = Dictionary(layout.tables.map { ($0.name, $0.columns.map(\.name)) }, uniquingKeysWith: { a, _ in a })
    let created = RowWriter(
      connection,
      insertions: runtime.entities.map { RowInsertion($0, tableColumns: tables[$0.layout.tableName] ?? []) })
    writer = created
    return created
  }

  /// Waits until no other thread uses the connection: all queued rows are written, no page is being read, and no index is
  /// being created.
  package func waitForThreads() {
    waitUntilWritten()
    prefetchThread?.pause()
    endIndexing { try $0.stop() }
  }

  /// Waits until all queued rows are written.
  func waitUntilWritten() { writer?.waitUntilWritten() }

  // MARK: Indexing on another thread

  /// True from `beginIndexing()` until this thread needs the connection.
  var isIndexing: Bool { indexBuilder != nil }

  /// Starts to create the indexes of a store under construction on another thread. It stops when this thread needs the
  /// connection, and `makeDeferredIndexes()` creates what is missing then.
  package func beginIndexing() {
    guard !isIndexing else { return }
    waitForThreads()
    guard !deferredIndexes.isEmpty else { return }
    indexBuilder = IndexBuilder(connection, deferredIndexes.map(\.buildingSQL))
  }

  /// Ends the creation of indexes on another thread.
  ///
  /// - Parameter end: Waits for the thread, and returns the number of indexes that it has created.
  func endIndexing(_ end: (IndexBuilder) throws -> Int) {
    guard let builder = indexBuilder else { return }
    indexBuilder = nil
    do { deferredIndexes.removeFirst(try end(builder)) } catch { indexingFailure = error }
  }

  /// Stops the connection's running statements from any thread.
  package var interrupter: Interrupter { connection.interrupter }

  /// The error from writing queued rows, if any.
  var writingFailure: (any Error)? { writer?.failure }
}

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
