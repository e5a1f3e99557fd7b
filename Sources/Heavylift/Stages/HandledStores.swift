import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// The stores in the work folder on which a stage's handlers ran, or were running, when a run was interrupted.
struct HandledStores {
  private let work: WorkFolder

  init(_ work: WorkFolder) { self.work = work }

  /// Finds out which handlers of a hop have run, notes it in the journal, and returns the stores that must be kept.
  ///
  /// A store in which the handlers have not run is not used again, even though SQLite would roll back their changes: a
  /// save may have removed large values from its folder.
  ///
  /// Unless all handlers have run, none of their stores is kept: `willMigrate` may have put values that are no longer in
  /// the store into the memory of a process that has died, for the handlers after it.
  ///
  /// - Parameter hasLaterHandlers: True if the hop has handlers after the change of structure.
  func resume(_ hop: Int, hasLaterHandlers: Bool, _ journal: inout MigrationJournal) throws -> [URL] {
    guard var handlers = journal.handlers else { return [] }
    let old = handlers
    guard handlers.hop == hop else {
      journal.handlers = nil
      try work.write(journal)
      return []
    }
    let stores = [(work.handledSource(hop), \MigrationJournal.Handlers.before, true), (work.hop(hop), \.after, false)]
    var kept: [URL] = []
    for (store, part, isBefore) in stores {
      guard let handled = handlers[keyPath: part] else { continue }
      guard try FileIdentity(store)?.isSameFile(as: handled.identity) == true else {
        handlers[keyPath: part] = nil
        continue
      }
      if !handled.isDone {
        guard let mark = try HandlerMark(journal, hop: hop, isBefore: isBefore).find(in: store) else {
          handlers[keyPath: part] = nil
          continue
        }
        handlers.report = mark.report ?? handlers.report
      }
      handlers[keyPath: part]?.isDone = true
      kept.append(store)
    }
    if hasLaterHandlers, handlers.after == nil {
      handlers.before = nil
      kept = []
    }
    if handlers != old {
      journal.handlers = handlers
      try work.write(journal)
    }
    return kept
  }
}

/// A table that proves, by its existence, that the handlers before or after a hop have run on a store.
///
/// It is created in the same transaction as the handlers' changes, so a store has either both or neither. For the
/// handlers after a hop, it contains the hop's report, because they do not run again. The journal takes note of both,
/// and then the table is removed: it never reaches the user's store.
struct HandlerMark {
  /// A mark that was found in a store.
  struct Found {
    var report: MigrationReport?
  }

  private let table: String

  /// - Parameter journal: The journal's mark, so that no other migration has this table.
  init(_ journal: MigrationJournal, hop: Int, isBefore: Bool) {
    table = "heavylift_\(journal.mark)_\(hop)_\(isBefore ? "before" : "after")"
  }

  func make(in database: Database, with report: MigrationReport?) throws {
    try database.execute("CREATE TABLE \(table.asSQLIdentifier) (report)")
    guard let report else { return }
    try database.run("INSERT INTO \(table.asSQLIdentifier) VALUES (?)", .blob(JSONEncoder().encode(report)))
  }

  /// Returns the mark in a store; nil if there is none. A transaction that was interrupted is rolled back first.
  func find(in store: URL) throws -> Found? {
    let database = try Database(path: store.path, mode: .readWrite)
    defer { try? database.close() }
    guard try !database.columns(of: table).isEmpty else { return nil }
    guard case .blob(let data)? = try database.firstValue("SELECT report FROM \(table.asSQLIdentifier)") else {
      return Found()
    }
    // The handlers run again after another version of this program, whose report has another form.
    return try? Found(report: JSONDecoder().decode(MigrationReport.self, from: data))
  }

  func remove(from store: URL) throws {
    let database = try Database(path: store.path, mode: .readWrite)
    try database.execute("DROP TABLE IF EXISTS \(table.asSQLIdentifier)")
    try database.close()
  }
}

/// Runs the handlers before or after a hop on a working copy, in one transaction that also makes their mark.
///
/// SQLite nests the saves of the handlers' contexts as savepoints (https://sqlite.org/lang_savepoint.html), so nothing
/// that a handler saves is final before the mark is.
struct HandlerTransaction {
  let store: URL
  let model: ManagedObjectModel
  let mark: HandlerMark
  let manager: StagedMigrationManager
  let cancellation: MigrationCancellation

  /// - Parameters:
  ///   - report: Receives the progress of the handlers.
  ///   - body: Runs the handlers.
  ///   - check: Checks the result, before the transaction ends. Returns the report to keep with the mark.
  /// - Returns: The container of the handlers' contexts, whose store is closed.
  @discardableResult func run(
    report: @escaping (_ done: Int, _ total: Int) -> Void, _ body: (StageContainer) throws -> Void,
    check: (PersistentStore) throws -> MigrationReport? = { _ in nil }
  ) throws -> StageContainer {
    let store = try PersistentStore(url: store, models: [model], mode: .readWrite)
    defer { try? store.close() }
    store.handledProperties = HandledProperties(of: store)
    store.interrupt { [cancellation] in cancellation.isCancelled }
    let container = StageContainer(store, cancellation: cancellation, report: report)
    manager.container = container
    defer { manager.container = nil }
    // With a log, all changes of the transaction would be written twice more.
    try store.reporting {
      try store.database.execute("PRAGMA journal_mode = DELETE")
      try store.database.transaction {
        try body(container)
        if let reason = cancellation.reason { throw reason }
        let report = try check(store)
        try mark.make(in: store.database, with: report)
      }
    }
    try store.close()
    return container
  }
}

/// Finds the old object that a migrated object comes from.
final class ObjectPairs {
  private struct Origin {
    var entity: Int
    var offset: Int64
  }

  private let old: ManagedObjectContext
  /// The possible origins of objects, by the number of their entity.
  private var origins: [Int: [Origin]] = [:]
  /// Old objects that are read together.
  private var ahead: [ManagedObject] = []

  /// - Parameter report: The report of the hop between the stores.
  init(old: PersistentStore, new: PersistentStore, _ report: MigrationReport) throws {
    self.old = ManagedObjectContext(store: old)
    for mapping in report.mappings {
      guard let source = old.layout.entity(named: mapping.sourceEntityName),
        let destination = new.layout.entity(named: mapping.destinationEntityName),
        let offset = mapping.keyOffset
      else { continue }
      origins[destination.number, default: []].append(Origin(entity: source.number, offset: offset))
    }
  }

  /// Prepares for calls with these objects.
  func prepare(for objects: ObjectPlaces.SubSequence) throws {
    ahead = []
    for (number, objects) in Dictionary(grouping: objects, by: \.entity) {
      // With several origins, only the rows tell which one an object has.
      guard let origin = origins[number]?.first, origins[number]?.count == 1 else { continue }
      let keys = objects.map { $0.key - origin.offset }.filter { $0 > 0 }
      ahead += try old.faults(numbered: origin.entity, keys: keys)
    }
  }

  /// Calls a handler with an object and its origin; does nothing if the object has none, because a handler inserted it.
  func call(_ body: CustomMigrationStage.ObjectHandler, for object: ManagedObject) throws {
    for origin in origins[object.entityNumber] ?? [] {
      guard
        let source = try old.existingObject(numbered: origin.entity, key: object.primaryKey - origin.offset)
      else { continue }
      try body(source, object)
      if let failure = old.failure { throw failure }
      guard old.hasChanges else { return }
      throw Diagnostic(
        .error, code: "stage.changed-old-object", problem: "the handler changed the old object \(source)",
        remedy: "change the new object: the old one is read-only")
    }
  }
}
