import HeavyliftModel
import HeavyliftSQLite

/// A program's working set of a store's objects, including unsaved changes.
///
/// ```swift
/// let context = ManagedObjectContext(store: store)
/// let author = try context.insert("Author")
/// author["name"] = "Franz Kafka"
/// try context.save()
/// ```
///
/// A context has only one object for each row. Objects without changes are released as soon as the program releases
/// them. A context belongs to one thread at a time.
public final class ManagedObjectContext {
  /// The store that the objects come from and are saved to.
  public let store: PersistentStore
  private(set) lazy var link = ContextLink(context: self, storeIdentifier: store.metadata.identifier)

  let registered = ObjectRegister()
  let inserted = NewObjects()
  var updated: [ObjectKey: ManagedObject] = [:] {
    didSet {
      updatedCount = updated.count
      if updatedCount == 0 { updatedBytes = 0 }
    }
  }
  /// The approximate number of bytes that the values of changed objects have on the heap.
  var updatedBytes = 0
  var deleted: [ObjectKey: ManagedObject] = [:] { didSet { deletedCount = deleted.count } }
  private var nextTemporaryKey: Int64 = -1
  /// The number of objects that the context has created.
  package private(set) var insertionCount = 0
  /// The state of a context that gives new objects their keys immediately; nil if a save gives them their keys.
  var bulkLoad: BulkLoad?
  /// New objects of a store under construction that were deleted before they were written.
  var vanished: Set<ObjectKey> = [] { didSet { vanishedCount = vanished.count } }
  // Several checks for each object read these counts, and each access to a collection that is changed in place costs a
  // check for exclusive access.
  private(set) var (updatedCount, deletedCount, vanishedCount) = (0, 0, 0)
  /// The relationships that were changed by way of objects; nil if none was.
  package private(set) var changedRelationships: HandledProperties?
  /// True if an object was deleted.
  package internal(set) var hasDeleted = false
  /// By the entity's index.
  let objectCounts: [ObjectCount]
  /// True if `registeredObjects` returns all objects of the store.
  package var registersEverything = false
  /// True if the engine throws the first failure as soon as the program's code returns.
  package var throwsFailures = false
  /// All objects of a migration's store, if a policy has requested them more than once.
  var held: HeldObjects?
  /// The number of times that all objects were read since the last `releaseHeldObjects()`.
  var wholeReadCount = 0
  /// Writes the links of a store under construction that are due; nil if none are. Called before links are read, and
  /// before an object is deleted.
  package var willReadLinks: (() throws -> Void)?
  /// Called for each object that is deleted; returns a function that undoes what it did.
  package var deletionHandler: ((ManagedObject) -> () -> Void)?
  /// The objects of a store under construction that `rollback()` discarded.
  var rolledBack = RolledBackObjects()
  /// The deletions in a store under construction that the delete rule "Deny" may forbid.
  var deniedDeletions: [DeniedDeletion] = []
  /// The values of transient attributes that differ from the defaults, by the object's key and the attribute's slot, for
  /// written objects of a store under construction.
  var transientValues: [ObjectKey: [Int: Value]] = [:]
  /// The functions that `deletionHandler` returned for the objects in `deleted`.
  var undoingDeletions: [() -> Void] = []
  /// By the entity's index.
  private var faultStatements: [Int: Statement] = [:]
  private var readers: [Int: RowReader] = [:]
  /// The first error that prevents saving, such as one in a subscript. `save()` throws it until `rollback()` discards
  /// it.
  public var failure: (any Error)? { firstFailure }
  private var firstFailure: (any Error)?
  /// The object with the property that caused the failure, by entity and key.
  package private(set) var failedObject: String?

  /// Creates a context for a store.
  public init(store: PersistentStore) {
    self.store = store
    objectCounts = store.runtime.entities.map { _ in ObjectCount() }
  }

  deinit { link.cut() }

  /// A Boolean value that indicates whether there are unsaved changes.
  public var hasChanges: Bool { !inserted.isEmpty || updatedCount > 0 || deletedCount > 0 }

  /// New objects that are not saved yet, in order of creation.
  public var insertedObjects: [ManagedObject] {
    isBulkLoading ? keeping([]) { try everyObject() } : newObjects
  }

  /// The objects that the next save writes for the first time, in order of creation.
  var newObjects: [ManagedObject] { inserted.all }

  /// Changed objects that are not saved yet, sorted by entity and key.
  public var updatedObjects: [ManagedObject] { updated.values.sorted(by: Self.inOrder) }

  /// Objects that the next save will delete, sorted by entity and key.
  public var deletedObjects: [ManagedObject] { deleted.values.sorted(by: Self.inOrder) }

  /// Every object in memory, sorted by entity and key; in the contexts of a migration, every object of the store.
  ///
  /// Each call returns a list of all objects, so a loop that calls it for each source object takes time that grows
  /// with the square of the store. Keep a dictionary instead, from the value that you search by to the object's ID:
  ///
  /// ```swift
  /// if let id = artists[name], let artist = try context.existingObject(with: id) { return artist }
  /// ```
  public var registeredObjects: [ManagedObject] {
    isBulkLoading || registersEverything
      ? keeping([]) { try everyObject() } : registered.all.sorted(by: Self.inOrder)
  }

  static func inOrder(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    if left.runtime.index != right.runtime.index { return left.runtime.index < right.runtime.index }
    return ManagedObject.keysInOrder(left.key, right.key)
  }

  /// Creates an object with the model's default values.
  public func insert(_ entityName: String) throws -> ManagedObject {
    try insertNew(runtime(of: entityName))
  }

  func insertNew(_ entity: EntityRuntime) throws -> ManagedObject {
    guard isBulkLoading else { return try insert(entity, key: nextTemporaryKey) }
    guard let key = bulkLoad?.nextKey(root: entity.rootNumber) else {
      throw StoreMistake.keysExhausted(entity: entity.name).diagnostic(store.url)
    }
    return try insert(entity, key: key)
  }

  func insert(_ entity: EntityRuntime, key: Int64) throws -> ManagedObject {
    guard !entity.isAbstract else { throw ObjectMistake.abstractEntity(entity.name).diagnostic }
    let object = ManagedObject(entity, key: key, isFault: false, context: self)
    if key < 0 { nextTemporaryKey -= 1 }
    object.isNew = true
    // The program may still hold a deleted object with that key, which must not be found any more.
    if hasDeleted, let replaced = registered[object.objectKey] { forget(replaced) }
    insertionCount += 1
    objectCounts[entity.index].inserted += 1
    object.insertionNumber = Int64(insertionCount)
    if bulkLoad == nil { register(object) } else { register(passing: object) }
    inserted.append(object)
    // A migration creates the counterpart of a source object again with the same key.
    if vanishedCount > 0 { vanished.remove(object.objectKey) }
    held?.insert(object)
    return object
  }

  /// Records that a relationship is changed by way of objects.
  func noteLinked(_ object: ManagedObject, _ slot: EntityRuntime.Slot) {
    let changed = changedRelationships ?? HandledProperties(of: store)
    changedRelationships = changed
    changed.note(slot, of: object.runtime)
  }

  /// Returns the object with that ID as a fault; nil if the ID is from another store or its entity is unknown.
  public func object(with id: ManagedObjectID) throws -> ManagedObject? {
    guard id.storeIdentifier == store.metadata.identifier, let entity = store.runtime.byName[id.entityName] else {
      return nil
    }
    if id.isTemporary { return registered[ObjectKey(root: entity.layout.rootNumber, key: id.key)] }
    return try object(id.key, of: entity)
  }

  /// Returns the object with that ID, or nil if the store does not have it.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject? {
    guard let object = try object(with: id), !object.isDeleted else { return nil }
    do {
      try object.fulfill()
      return object
    } catch let error as Diagnostic where ["store.missing-object", "store.wrong-entity"].contains(error.code) {
      return nil
    }
  }

  // MARK: For other parts of the context

  func runtime(of entityName: String) throws -> EntityRuntime {
    guard let entity = store.runtime.byName[entityName] else {
      throw ObjectMistake.unknownEntity(entityName, known: store.runtime.byName.keys.sorted()).diagnostic
    }
    return entity
  }

  /// Replaces the error that prevents saving.
  func setFailure(_ failure: (any Error)?) { (firstFailure, failedObject) = (failure, nil) }

  /// Keeps the first error until it is discarded.
  func keep(_ error: any Error, of object: ManagedObject? = nil) {
    if firstFailure == nil { (firstFailure, failedObject) = (error, object?.description) }
  }

  /// Calls a function that may fail; the next save throws its error.
  package func keeping<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      keep(error)
      return fallback
    }
  }

  func register(_ object: ManagedObject) { registered.insert(object) }

  /// Registers an object that will probably be released before the next one is registered.
  func register(passing object: ManagedObject) { registered.insert(passing: object) }

  func registeredObject(_ key: ObjectKey) -> ManagedObject? { registered[key] }

  /// Removes an object from the register, even while it is being deallocated.
  func forget(_ object: ManagedObject) { registered.remove(object) }

  func release(_ object: ManagedObject) {
    forget(object)
    object.link = link.detached
  }

  func faultStatement(for entity: EntityRuntime) throws -> Statement {
    if let statement = faultStatements[entity.index] { return statement }
    let statement = try store.database.prepare(entity.columns.selectByKey)
    faultStatements[entity.index] = statement
    return statement
  }

  func reader(for entity: EntityRuntime) -> RowReader {
    if let reader = readers[entity.index] { return reader }
    let reader = RowReader(entity, names: entity.columns.names, in: store)
    readers[entity.index] = reader
    return reader
  }
}

/// The numbers of objects of one entity that a context has created and deleted.
final class ObjectCount {
  var inserted = 0
  var deleted = 0
}

extension ManagedObjectContext {
  /// Returns every object of the store, as faults unless they are in memory.
  ///
  /// The context holds the objects from the second call on. So a policy that goes through all objects only once needs
  /// no additional memory, and one that does so for each source object does not read all keys each time.
  func everyObject() throws -> [ManagedObject] {
    if held != nil { return held?.all() ?? [] }
    let roots = store.runtime.entities.filter { $0.layout.superNumber == 0 }
    let objects = try roots.flatMap { root in
      var request = FetchRequest(entityName: root.name)
      request.fetchBatchSize = 256
      return try fetch(request)
    }
    wholeReadCount += 1
    if wholeReadCount > 1 { held = HeldObjects(objects, roots: roots.map(\.rootNumber)) }
    return objects
  }

  /// Releases the objects that are held only because all of them were requested. To be called before statements write
  /// rows.
  package func releaseHeldObjects() {
    held = nil
    wholeReadCount = 0
  }
}

extension ManagedObjectContext {
  /// Returns the object with that `Z_ENT` and that key, and reads its values; nil if it does not exist or is of another
  /// entity.
  package func existingObject(numbered number: Int, key: Int64) throws -> ManagedObject? {
    guard key > 0 else { return nil }
    let object = try fault(numbered: number, key: key)
    guard object.entityNumber == number else { return nil }
    do {
      try object.fulfill()
      return object
    } catch let error as Diagnostic where ["store.missing-object", "store.wrong-entity"].contains(error.code) {
      return nil
    }
  }

  /// Returns the object with that `Z_ENT` and that key without reading its values; nil if it does not exist or is of
  /// another entity.
  package func existingFault(numbered number: Int, key: Int64) throws -> ManagedObject? {
    guard key > 0, let entity = store.runtime.entity(numbered: Int64(number)) else { return nil }
    if let known = registeredObject(ObjectKey(root: entity.layout.rootNumber, key: key)), !known.isFault {
      return known.entityNumber == number && !known.isDeleted ? known : nil
    }
    let isThere = try store.reporting {
      let statement = try store.database.cached(
        "SELECT \(entity.layout.numberSQL()) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK = ?")
      try statement.bind(key, at: 1)
      var cursor = statement.query()
      return try cursor.next() && cursor.row.integer(at: 0) == Int64(number)
    }
    guard isThere else { return nil }
    let object = try fault(numbered: number, key: key)
    return object.entityNumber == number ? object : nil
  }
}
