import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// A store together with the model that says what its tables mean.
///
/// ```swift
/// let store = try PersistentStore(url: url, models: bundle.models)
/// let context = ManagedObjectContext(store: store)
/// for book in try context.fetch(FetchRequest(entityName: "Book")) {
///   print(book["title"].string ?? "untitled")
/// }
/// ```
///
/// A store and everything it hands out belong to one thread at a time.
public final class PersistentStore {
  public let url: URL
  public let model: ManagedObjectModel
  /// The model's configuration that the store holds; nil for all entities.
  public let configuration: String?
  public let layout: PhysicalLayout
  public let isReadOnly: Bool
  public private(set) var metadata: StoreMetadata
  /// Where large binary values are.
  public let externalData: ExternalDataFolder
  private let connection: Database
  /// Writes rows beside the thread that uses the store, while the store is being built.
  private var writer: RowWriter?
  /// Reads rows beside that thread.
  var aheadReader: AheadReader?
  /// Whether it is being built, and nobody has needed its indexes so far.
  var hasDeferredIndexes = false
  /// While it is being built: how often rows were searched by a column, by the name that the column's index would have.
  var searchCounts: [String: Int] = [:]
  /// The names of the indexes that searches were given.
  var searchIndexes: [String] = []
  /// Told when somebody is about to use the connection, or follows a relationship.
  package var accessHandler: (() -> Void)?
  let runtime: StoreRuntime
  /// The functions of translations that the connection knows.
  var registeredFunctions: Set<String> = []
  /// Whether its tables are views over those of another store, on that one's connection.
  let isViewed: Bool

  /// Opens a store with the one model that it was written with, and refuses it if none or several are.
  public convenience init(
    url: URL, models: [ManagedObjectModel], mode: Database.Mode = .readWrite, busyTimeout: Int = 5_000
  ) throws {
    let file = try StoreFile(url: url, mode: mode, busyTimeout: busyTimeout)
    let fit = try file.model(among: models)
    try self.init(file: file, model: fit.model, configuration: fit.configuration)
  }

  /// Opens a store by the model that it carries itself.
  public convenience init(url: URL, mode: Database.Mode = .readWrite, busyTimeout: Int = 5_000) throws {
    try self.init(url: url, models: [], mode: mode, busyTimeout: busyTimeout)
  }

  /// Takes an open file and a model that somebody chose for it; tables and columns that the model needs must be there.
  public init(file: StoreFile, model: ManagedObjectModel, configuration: String? = nil) throws {
    if let configuration { try model.requireConfiguration(configuration) }
    let held = model.restricted(to: configuration)
    do {
      let numbers = try EntityNumbers(matching: held, rows: file.primaryKeys, store: file.url)
      var layout = PhysicalLayout(model: held, numbers: numbers)
      try layout.fit(to: file.database, store: file.url)
      self.layout = layout
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: file.url)
    }
    url = file.url
    self.model = model
    self.configuration = configuration
    metadata = file.metadata
    connection = file.database
    isReadOnly = file.mode == .readOnly
    externalData = ExternalDataFolder(store: file.url)
    runtime = StoreRuntime(model: held, layout: layout)
    isViewed = false
  }

  /// A store that nobody has written: its tables are views over another one's, under the names that the layout has.
  init(
    viewing base: PersistentStore, model: ManagedObjectModel, configuration: String?, layout: PhysicalLayout,
    metadata: StoreMetadata
  ) {
    (url, connection, externalData) = (base.url, base.database, base.externalData)
    (self.model, self.configuration, self.layout, self.metadata) = (model, configuration, layout, metadata)
    runtime = StoreRuntime(model: model.restricted(to: configuration), layout: layout)
    registeredFunctions = base.registeredFunctions
    (isReadOnly, isViewed) = (true, true)
  }

  /// Changes what the store says about itself, at once.
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
    aheadReader?.end()
  }

  /// The connection, when nobody else uses it.
  package var database: Database {
    settle()
    return connection
  }

  /// Closes the file; objects of the store can no longer be read.
  public func close() throws {
    aheadReader?.end()
    aheadReader = nil
    writer?.end()
    writer = nil
    try connection.close()
  }

  /// Ends whatever the store does in SQLite while a condition holds.
  package func interrupt(when condition: @escaping @Sendable () -> Bool) { database.interrupt(when: condition) }

  /// Words what SQLite says as something about this store.
  package func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    // Statements that somebody has kept use the connection, too.
    settle()
    do {
      return try body()
    } catch let error as SQLiteError {
      // What a translated expression threw is told as the evaluator tells it.
      throw error.evaluationError ?? StoreOpening.diagnostic(for: error, url: url)
    }
  }

  // MARK: Writing behind

  /// Writes rows on a thread of their own; for a store that is being built.
  func rowWriter() -> RowWriter {
    if let writer { return writer }
    let made = RowWriter(connection, insertions: runtime.entities.map { RowInsertion($0) })
    writer = made
    return made
  }

  /// Waits until everything is written that was handed over.
  package func settle() {
    accessHandler?()
    writer?.settle()
    aheadReader?.pause()
  }

  /// The rules that all rows of an entity have kept which were handed over; nil where there are none.
  func rulesKeptByNewRows(of entity: Int) -> Set<PropertyRule>? { writer?.keptRules(of: entity) }

  /// What went wrong with rows that were handed over.
  var writingFailure: (any Error)? { writer?.failure }
}
