import Foundation
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
  public let layout: PhysicalLayout
  /// A Boolean value that indicates whether saving is an error.
  public let isReadOnly: Bool
  /// The contents of `Z_METADATA`: the identifier, the version and the application's values.
  public private(set) var metadata: StoreMetadata
  /// The folder of large binary values.
  public package(set) var externalData: ExternalDataFolder
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
  var carriedIndexes: Set<String> = []
  /// The properties that code has handled; nil if they are not recorded.
  package var handledProperties: HandledProperties?
  let runtime: StoreRuntime
  /// The functions of translated expressions that are registered with the connection.
  var registeredFunctions: Set<String> = []

  /// Opens a store with the model that it was written with; throws if no model or more than one matches.
  public convenience init(
    url: URL, models: [ManagedObjectModel], mode: Database.Mode = .readWrite, busyTimeout: Int = 5_000
  ) throws {
    let file = try StoreFile(url: url, mode: mode, busyTimeout: busyTimeout)
    let fit = try file.model(among: models)
    try self.init(file: file, model: fit.model, configuration: fit.configuration)
  }

  /// Opens a store with the model that it embeds.
  public convenience init(url: URL, mode: Database.Mode = .readWrite, busyTimeout: Int = 5_000) throws {
    try self.init(url: url, models: [], mode: mode, busyTimeout: busyTimeout)
  }

  /// Opens a store from an open file and a chosen model, whose tables and columns must exist.
  public init(file: StoreFile, model: ManagedObjectModel, configuration: String? = nil) throws {
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
    settle()
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
    settle()
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
  package func settle() {
    finishWriting()
    prefetchThread?.pause()
    endIndexing { try $0.stop() }
  }

  /// Waits until all queued rows are written.
  func finishWriting() { writer?.settle() }

  // MARK: Indexing on another thread

  /// True from `beginIndexing()` until this thread needs the connection.
  package var isIndexing: Bool { indexBuilder != nil }

  /// Starts to create the indexes of a store under construction on another thread. It stops when this thread needs the
  /// connection, and `makeDeferredIndexes()` creates what is missing then.
  package func beginIndexing() {
    guard !isIndexing else { return }
    settle()
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
