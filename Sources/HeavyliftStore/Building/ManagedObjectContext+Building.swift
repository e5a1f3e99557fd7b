import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// How many targets of one relationship stay in memory once they are written.
  private static let mostTargetsKept = 256

  /// Gives new objects their keys at once from now on, and lets `flush()` write what is not complete yet.
  ///
  /// What `save()` does is then what `flush()` does; fetches see everything, and `registeredObjects` and
  /// `insertedObjects` are all objects that the store holds, as in a context that saves once at its end.
  ///
  /// - Parameter firstKeys: The first free key of each hierarchy, by the name of its root entity; 1 where none is given.
  package func beginBuilding(firstKeys: [String: Int64]) {
    var byRoot: [Int: Int64] = [:]
    for (name, key) in firstKeys {
      if let entity = store.runtime.byName[name] { byRoot[entity.layout.rootNumber] = key }
    }
    building = StoreBuilding(firstKeys: byRoot)
  }

  /// Whether keys are given at once.
  package var isBuilding: Bool { building != nil }

  /// How many objects are to be written by the next flush.
  package var pendingCount: Int { inserted.span + updated.count + deleted.count }

  /// About how many bytes the objects hold that are to be written by the next flush.
  package func weighPending() -> Int { inserted.weigh() + updatedBytes }

  /// By entity, how many objects the store must hold because of this context: those that it made without those that it
  /// deleted.
  package var objectBalance: [String: Int] {
    store.runtime.entities.reduce(into: [:]) { balance, entity in
      let count = insertionCounts[entity.index, default: 0] - deletionCounts[entity.index, default: 0]
      if count != 0 { balance[entity.name] = count }
    }
  }

  /// How many objects are in memory.
  package var livingObjectCount: Int { registered.count }

  /// The most objects that ever were in memory at once.
  package var peakObjectCount: Int { registered.peak }

  /// Makes a new object under a key that nobody has.
  package func insert(_ entityName: String, key: Int64) throws -> ManagedObject {
    try insert(runtime(of: entityName), key: key)
  }

  /// Writes every change without asking the model's rules, which cannot hold yet. Objects that nobody holds are gone
  /// afterwards.
  ///
  /// A failure stays: what was half written cannot be taken back, and the store is of no use any more.
  package func flush() throws {
    if let failure { throw failure }
    let isHandedOver = try handOver()
    try settle()
    guard !isHandedOver, pendingCount > 0 else { return }
    let save = SaveOperation(self)
    for object in save.inserted + save.updated { unwatchedEntities.insert(object.runtime.index) }
    do {
      try store.reporting {
        try store.database.transaction(.immediate) { try save.write() }
      }
    } catch {
      save.discardFiles()
      keep(error)
      throw error
    }
    save.finish()
    for object in save.inserted { object.hiddenTargets = [] }
    for object in save.inserted + save.updated { object.shedTargets(beyond: Self.mostTargetsKept) }
    vanished = []
  }

  /// The same, but new objects are written by another thread while this one goes on; what goes wrong there is told by one
  /// of the next flushes. Only for where nobody is reading the store's rows.
  package func flushBehind() throws {
    if let failure { throw failure }
    if try !handOver() { try flush() }
  }

  /// Hands the rows of new objects that nobody holds over to the thread that writes, and lets go of the objects.
  ///
  /// Only for where nobody is reading the store's rows. Objects that somebody holds when this is called for the first time
  /// after they were made are left to the next flush.
  package func passOn() throws {
    guard inserted.hasUnseen, mayHandOver else { return }
    let writer = store.rowWriter()
    // Whoever looks back again and again finds objects sooner than rows.
    guard !writer.isInterruptedOften else { return }
    do {
      try inserted.passOn { object in
        guard let insertion = writer.insertion(of: object.runtime.index), insertion.suffices(for: object) else {
          return false
        }
        try writer.write(object)
        object.prefetched = nil
        keepSpare(object)
        return true
      }
    } catch {
      throw told(error)
    }
  }

  /// To make an object costs more than most of what is done with it.
  private func keepSpare(_ object: ManagedObject) {
    guard spare == nil else { return }
    forget(object)
    spare = object
  }

  /// The object that was passed on last, as a new one of that entity and key; nil where there is none that nobody knows.
  func takeSpare(_ entity: EntityRuntime, _ key: Int64) -> ManagedObject? {
    guard let object = spare, object.runtime === entity else { return nil }
    spare = nil
    object.begin(key)
    return object
  }

  private var mayHandOver: Bool {
    updated.isEmpty && deleted.isEmpty && vanished.isEmpty && !store.runtime.hasDerivedAttributes
  }

  /// Hands new objects over to the thread that writes; false where there are none, or something else is to be written.
  private func handOver() throws -> Bool {
    guard mayHandOver, !inserted.isEmpty else { return false }
    let objects = inserted.all
    let writer = store.rowWriter()
    for object in objects {
      guard let insertion = writer.insertion(of: object.runtime.index), insertion.suffices(for: object) else {
        return false
      }
    }
    for object in objects {
      do { try writer.write(object) } catch { throw told(error) }
    }
    inserted = NewObjects()
    for object in objects {
      object.isNew = false
      object.rowVersion = 1
      object.hiddenTargets = []
    }
    return true
  }

  /// Waits until everything is written that was handed over.
  package func settle() throws {
    store.settle()
    if let failure = store.writingFailure { throw told(failure) }
  }

  /// A failure of the thread that writes, in words; it stays.
  private func told(_ failure: any Error) -> any Error {
    do {
      try store.reporting { throw failure }
    } catch {
      keep(error)
      return error
    }
    return failure
  }

  /// The object of an entity with that key, not read; nothing is asked of the store.
  package func fault(_ entityName: String, key: Int64) throws -> ManagedObject {
    let entity = try runtime(of: entityName)
    return fault(entity, key: key)
  }

  /// The object of the entity with that `Z_ENT`, not read.
  package func fault(numbered number: Int, key: Int64) throws -> ManagedObject {
    fault(try entity(numbered: Int64(number), key: key, table: "Z_PRIMARYKEY"), key: key)
  }

  /// The objects of an entity with those keys, in that order; they are read together as soon as one of them is.
  package func faults(_ entityName: String, keys: [Int64]) throws -> [ManagedObject] {
    let entity = try runtime(of: entityName)
    let batch = FaultBatch(entity)
    return keys.map { key in
      let object = fault(entity, key: key)
      if object.isFault { batch.append(object) }
      return object
    }
  }

  private func fault(_ entity: EntityRuntime, key: Int64) -> ManagedObject {
    if let object = registeredObject(ObjectKey(root: entity.layout.rootNumber, key: key)) { return object }
    let object = ManagedObject(entity, key: key, isFault: true, context: self)
    register(object)
    return object
  }
}

extension ManagedObject {
  /// `Z_ENT` of the object's row.
  package var entityNumber: Int { runtime.layout.number }

  /// `Z_PK` of the object's row; negative while it is temporary.
  package var primaryKey: Int64 { key }

  /// Forgets the targets of big relationships, which are read again if somebody asks.
  func shedTargets(beyond limit: Int) {
    for slot in toManys.indices where toManys[slot].isLoaded && toManys[slot].keys.count > limit {
      if !toManys[slot].hasChanges { toManys[slot] = ToManyContents() }
    }
  }
}
