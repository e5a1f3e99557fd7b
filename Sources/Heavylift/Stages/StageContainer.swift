public import HeavyliftModel
public import HeavyliftStore
import HeavyliftSQLite
import HeavyliftEngine

/// Opens contexts on the store of a stage while a handler runs.
///
/// ```swift
/// stage.didMigrateHandler = { manager, stage in
///   guard let container = manager.container else { return }
///   try container.enumerate(FetchRequest(entityName: "Track")) { track in
///     track["title"] = .string(track["title"].string ?? "Untitled")
///   }
/// }
/// ```
///
/// The store is a private copy; no other program sees it. All contexts share one transaction, which ends when the
/// handler returns: until then, a save is not final, and if the handler throws an error, all saves are undone.
public final class StageContainer {
  /// The model of the store's objects.
  public var managedObjectModel: ManagedObjectModel { store.model }
  /// A context that lives as long as the handler runs.
  public private(set) lazy var viewContext = newBackgroundContext()

  let store: PersistentStore
  private let cancellation: MigrationCancellation
  private let report: (_ done: Int, _ total: Int) -> Void
  private var contexts: [ManagedObjectContext] = []

  init(
    _ store: PersistentStore, cancellation: MigrationCancellation,
    report: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    self.store = store
    self.cancellation = cancellation
    self.report = report
  }

  /// Creates a context. Use it on the handler's thread only, and save it before the handler returns.
  public func newBackgroundContext() -> ManagedObjectContext {
    releaseUnused()
    let context = ManagedObjectContext(store: store)
    context.throwsFailures = true
    contexts.append(context)
    return context
  }

  /// Calls a body with each object that matches a request, and saves its changes from time to time: of all the other
  /// objects, only their keys are in memory.
  ///
  /// The objects are those that match when the method is called, in that order: objects that the body inserts or
  /// changes are not visited again, and objects that it deletes before their turn are skipped.
  ///
  /// - Parameters:
  ///   - request: The objects to visit. Its `fetchBatchSize` is ignored.
  ///   - batchSize: The number of objects between two saves.
  ///   - body: The body, which may change any object of the context that it gets the object from.
  /// - Throws: The first error of the body, or of a save.
  public func enumerate(
    _ request: FetchRequest, batchSize: Int = 1_000, _ body: (ManagedObject) throws -> Void
  ) throws {
    try enumerate(request, batchSize: batchSize, willVisit: { _ in }, body)
  }

  /// - Parameter willVisit: Called before each of the parts that are read at once.
  func enumerate(
    _ request: FetchRequest, batchSize: Int = 1_000, willVisit: (ObjectPlaces.SubSequence) throws -> Void,
    _ body: (ManagedObject) throws -> Void
  ) throws {
    let context = newBackgroundContext()
    let places = try ObjectPlaces(of: request, in: context)
    var part = VisitedPart(context)
    let partSize = min(VisitedPart.mostObjects, max(1, batchSize))
    for (index, place) in places.enumerated() {
      if index % max(1, batchSize) == 0, index > 0 {
        try part.saving { try context.save() }
        try advance(to: index, of: places.count)
      }
      if index % partSize == 0 {
        let places = places[index..<min(index + partSize, places.count)]
        try willVisit(places)
        try part.begin(places)
      }
      part.refresh()
      guard let object = try context.existingObject(numbered: place.entity, key: place.key), !object.isDeleted
      else { continue }
      do {
        try body(object)
        if let failure = context.failure { throw failure }
      } catch {
        throw HopError.wrapping(error, .migration, .init(object: object.description))
      }
    }
    try context.save()
    try advance(to: places.count, of: places.count)
  }

  /// Reports the progress of a handler that does not use ``enumerate(_:batchSize:_:)``.
  ///
  /// - Parameters:
  ///   - done: The number of objects that are done.
  ///   - total: The number of objects in total.
  /// - Throws: The reason if the migration was cancelled.
  public func advance(to done: Int, of total: Int) throws {
    if let reason = cancellation.reason { throw reason }
    report(done, total)
  }

  /// Throws if there are changes that the handler did not save: they would be lost.
  func refuseUnsavedChanges() throws {
    for context in contexts {
      if let failure = context.failure {
        throw HopError.wrapping(failure, .migration, .init(object: context.failedObject))
      }
      guard let changed = Self.changes(in: context) else { continue }
      throw Diagnostic(
        .error, code: "stage.unsaved-changes",
        problem: "\(changed.count.counted(as: "changed object")) \(changed.were) not saved (\(changed.shown))",
        remedy: "call 'save()' on the context before the handler returns, or 'rollback()' to discard the changes")
    }
  }

  /// Throws if a later handler has used this handler's objects in vain: their store is closed.
  ///
  /// - Parameter title: The name of this container's handler.
  func refuseLateUse(afterHandler title: String) throws {
    for context in contexts {
      let remedy = "fetch the objects again, from a context of the handler that uses them"
      if let changed = Self.changes(in: context) {
        throw Diagnostic(
          .error, code: "stage.unsaved-changes",
          problem: "\(changed.count.counted(as: "object")) of '\(title)' \(changed.were) changed after it had returned "
            + "(\(changed.shown))", remedy: remedy)
      }
      guard context.failure != nil else { continue }
      throw HopError(
        .migration, place: .init(object: context.failedObject),
        problem: "an object of '\(title)' was used after it had returned, and its store is closed", remedy: remedy,
        underlying: context.failure)
    }
  }

  /// Returns the object that caused an error of a context's object; nil for other errors.
  func object(of error: any Error) -> String? {
    guard let error = error as? Diagnostic else { return nil }
    return contexts.first { $0.failure as? Diagnostic == error }?.failedObject
  }

  /// Returns the number of a context's unsaved objects, and the first of them in words; nil if there are none.
  private static func changes(
    in context: ManagedObjectContext
  ) -> (count: Int, were: String, shown: String)? {
    guard context.hasChanges else { return nil }
    let changed = context.insertedObjects + context.updatedObjects + context.deletedObjects
    guard !changed.isEmpty else { return nil }
    let shown = changed.prefix(3).map(\.description).joined(separator: ", ") + (changed.count > 3 ? ", …" : "")
    return (changed.count, changed.count == 1 ? "was" : "were", shown)
  }

  /// Releases contexts that only the container holds, so that a handler may create one for each batch.
  private func releaseUnused() {
    for index in contexts.indices.reversed()
    where isKnownUniquelyReferenced(&contexts[index]) && !contexts[index].hasChanges && contexts[index].failure == nil {
      contexts.remove(at: index)
    }
  }
}

/// The objects that an enumeration will visit next. Reading many rows at once takes less time than reading each.
private struct VisitedPart {
  static let mostObjects = 256

  private let context: ManagedObjectContext
  private var objects: [ManagedObject] = []
  /// The number of changed rows when the objects were valid.
  private var changes = 0
  private var totalChanges: Int { context.store.database.totalChanges }

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Prepares objects to be read together once the first of them is accessed.
  mutating func begin(_ places: ObjectPlaces.SubSequence) throws {
    objects = []
    for (number, places) in Dictionary(grouping: places, by: \.entity) {
      objects += try context.faults(numbered: number, keys: places.map(\.key))
    }
    changes = totalChanges
  }

  /// Discards what was read if another context has written to the store since.
  mutating func refresh() {
    guard totalChanges != changes else { return }
    for object in objects where !object.hasChanges && !object.isFaulted { context.refresh(object) }
    changes = totalChanges
  }

  /// Saves the enumeration's own changes, after which the objects are as valid as before.
  mutating func saving(_ save: () throws -> Void) throws {
    refresh()
    try save()
    changes = totalChanges
  }
}

/// The entity numbers and keys of objects, which take much less memory than the objects.
struct ObjectPlaces: RandomAccessCollection {
  private var places: [(entity: Int, key: Int64)] = []

  init(of request: FetchRequest, in context: ManagedObjectContext) throws {
    var request = request
    request.fetchBatchSize = 0
    try context.enumerate(request) { places.append(($0.entityNumber, $0.primaryKey)) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { places.count }
  subscript(index: Int) -> (entity: Int, key: Int64) { places[index] }
}
