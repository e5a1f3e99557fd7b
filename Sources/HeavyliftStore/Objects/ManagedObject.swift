import HeavyliftExpression
import HeavyliftModel

/// An object of a store: an instance of one of its model's entities, without a class of its own.
///
/// ```swift
/// let book = try context.insert("Book")
/// book["title"] = "Cosmos"
/// book[toOne: "author"] = author
/// try context.save()
/// ```
///
/// Subscripts neither trap nor throw. The context keeps the first error, such as an unknown name, a value of the wrong
/// type, or an unreadable row; its next `save()` throws that error and saves nothing. The throwing methods report
/// errors immediately.
public final class ManagedObject {
  /// The values that are restored if changes are discarded.
  struct Snapshot {
    var attributes: [Value]
    var toOnes: [Int64]
    var externalFiles: [Int: String]
  }

  /// The state that few objects have. A box of its own, because millions of objects are created and released.
  private final class RareState {
    var externalFiles: [Int: String] = [:]
    var committedFiles: [Int: String] = [:]
    var committed: Snapshot?
  }

  var link: ContextLink
  let runtime: EntityRuntime
  var key: Int64
  var isFault: Bool
  /// True if the object was created in its context and is not saved yet.
  var isNew = false
  /// The number of objects that the context had created when it created this one, including this one.
  var insertionNumber: Int64 = 0
  var isMarkedForDeletion = false
  var isDeletedFromStore = false
  /// The values of attributes that are not in `prefetched`.
  var held: [Value]
  /// The row of a page that contains the prefetched attributes.
  var prefetched: PageRow?
  /// The slots of the prefetched attributes that were set since, and are in `held`, as bits.
  var overriddenSlots = SlotSet()
  /// The keys of the targets by slot; 0 for none.
  var toOnes: [Int64]
  var toManys: [ToManyContents]
  /// `Z_OPT` of the row that was read.
  var rowVersion: Int64 = 0
  /// The row that contains a fault's values, while it is the current row of an enumeration.
  package internal(set) var row: CurrentRow?
  /// The faults that are read together with this one.
  var batch: FaultBatch?
  /// The object's index in the batch.
  var batchPlace = 0
  /// The typed object that wraps this one. It retains this object, and clears the reference when it is deallocated.
  package unowned(unsafe) var typedObject: AnyObject?

  private var rare: RareState?

  init(_ runtime: EntityRuntime, key: Int64, isFault: Bool, context: ManagedObjectContext) {
    self.runtime = runtime
    self.key = key
    self.isFault = isFault
    link = context.link
    held = isFault ? [] : runtime.defaults
    toOnes = isFault ? [] : runtime.noTargets
    toManys = isFault ? runtime.unreadTargets : runtime.emptyTargets
  }

  deinit {
    batch?.remove(self)
    link.context?.forget(self)
  }

  /// The values of all attributes by slot; access decodes prefetched ones.
  var attributes: [Value] {
    get {
      if prefetched != nil { takePrefetched() }
      return held
    }
    set {
      prefetched = nil
      overriddenSlots = SlotSet()
      held = newValue
    }
  }

  /// The files of values that were not read yet, by slot of the attribute.
  var externalFiles: [Int: String] {
    get { rare?.externalFiles ?? [:] }
    set { if rare != nil || !newValue.isEmpty { makeRare().externalFiles = newValue } }
  }

  /// True if some values are in files and were not read yet.
  var hasExternalFiles: Bool { rare.map { !$0.externalFiles.isEmpty } ?? false }

  /// The files of values that were read and not changed, by slot of the attribute.
  var committedFiles: [Int: String] {
    get { rare?.committedFiles ?? [:] }
    set { if rare != nil || !newValue.isEmpty { makeRare().committedFiles = newValue } }
  }

  /// The stored values, from the first change on.
  var committed: Snapshot? {
    get { rare?.committed }
    set { if rare != nil || newValue != nil { makeRare().committed = newValue } }
  }

  /// True if the object was changed since it was read or saved.
  var isChanged: Bool { rare.map { $0.committed != nil } ?? false }

  private func makeRare() -> RareState {
    if let rare { return rare }
    let made = RareState()
    rare = made
    return made
  }

  /// Discards the names of the files with an attribute's value.
  func forgetFiles(at slot: Int) {
    guard let rare else { return }
    rare.externalFiles[slot] = nil
    rare.committedFiles[slot] = nil
  }

  /// Discards the stored values, and the names of files.
  func clearRare() { rare = nil }

  // Arrays are moved out of their properties to be changed. If a property was changed in place anywhere, each access to
  // it would be checked for exclusive access, which costs more than a move.

  /// Sets a value in `held`.
  func replaceHeld(_ value: Value, at slot: Int) {
    var values = held
    held = []
    values[slot] = value
    held = values
  }

  /// Sets the key of a to-one relationship's target.
  func replaceTarget(_ key: Int64, at slot: Int) {
    var targets = toOnes
    toOnes = []
    targets[slot] = key
    toOnes = targets
  }

  /// The object's context; nil once the context has been deallocated or has released the object.
  public var context: ManagedObjectContext? { link.context }

  /// The object's own entity.
  public var entity: EntityDescription { runtime.description }

  /// The object's identifier; temporary until it is saved.
  public var objectID: ManagedObjectID {
    ManagedObjectID(storeIdentifier: link.storeIdentifier, entityName: runtime.name, key: key)
  }

  var objectKey: ObjectKey { ObjectKey(root: runtime.rootNumber, key: key) }

  /// A Boolean value that indicates whether the object was created in its context and has not been saved yet.
  ///
  /// A migration saves once, at its end: its new objects count as inserted until then, even if their rows are already
  /// written.
  public var isInserted: Bool { !isDeleted && (isNew || context?.isBulkLoading == true) }

  /// True if the next save or flush writes the object's row for the first time.
  var isToBeInserted: Bool { isNew && !isMarkedForDeletion }

  /// A Boolean value that indicates whether the next save will delete the object, or an earlier save has deleted it.
  public var isDeleted: Bool { isMarkedForDeletion || isDeletedFromStore }

  /// A Boolean value that indicates whether the object has changed since it was read or saved.
  public var isUpdated: Bool { isChanged && !isMarkedForDeletion && !isInserted }

  /// A Boolean value that indicates whether the object has unsaved changes.
  public var hasChanges: Bool { isInserted || isPending }

  /// True if the next save or flush writes the object's row or deletes it.
  var isPending: Bool { isNew || isChanged || isMarkedForDeletion }

  /// A Boolean value that indicates whether the object is a fault; its values are read on first access.
  ///
  /// New objects of a migration are never faults, as in a context that saves only once, at the end.
  public var isFaulted: Bool { isFault && row == nil && context?.isBulkLoading != true }
}

extension ManagedObject: Hashable {
  /// Compares identities: a context has only one object for each row.
  public static func == (lhs: ManagedObject, rhs: ManagedObject) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
  /// The entity and the key; descriptions never include values.
  public var description: String { "\(runtime.name)/\(key < 0 ? "t" : "p")\(key.magnitude)" }
}

/// The slots of properties, for typed objects, which look a name up only once.
extension ManagedObject {
  /// The index of the object's entity among the store's entities.
  package var entityIndex: Int { runtime.index }

  /// True if the object is not saved yet, and not a row of a store under construction either.
  package var isUnsaved: Bool { isNew }

  /// Keeps an error, which the next save of the object's context throws.
  package func keep(_ error: any Error) { context?.keep(error, of: self) }
}

extension PersistentStore {
  /// A property's kind and slot.
  package enum PropertySlot: Hashable, Sendable {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
  }

  /// Returns the slots of an entity's properties by name, including inherited ones; nil if the store lacks the entity.
  package func propertySlots(ofEntityNamed name: String) -> [String: PropertySlot]? {
    runtime.byName[name]?.slots.mapValues { slot in
      switch slot {
      case .attribute(let slot): .attribute(slot)
      case .toOne(let slot): .toOne(slot)
      case .toMany(let slot): .toMany(slot)
      }
    }
  }

  /// Returns the index of an entity among the store's entities; nil if the store lacks it.
  package func index(ofEntityNamed name: String) -> Int? { runtime.byName[name]?.index }
}

/// Lets functions of expressions take objects such as `$source` as arguments, and return objects.
extension ManagedObject: ExpressionReference {
  /// The term for managed objects in messages.
  public static var expressionKind: String { "an object of a store" }
}

extension ManagedObject {
  /// Reads the object's row if the object is a fault.
  func fulfill() throws {
    guard isFault else { return }
    let context = try livingContext()
    guard let row else { return try context.fulfill(self) }
    take(try row.read(in: context))
  }

  /// Returns the value of an attribute; nil if the value is in a file. In an enumeration, only this value of the
  /// current row is decoded.
  @inline(__always)
  func value(at slot: Int) throws -> Value? {
    if isFault {
      if let row, row.holds(slot) { return try value(at: slot, of: row) }
      try fulfill()
    }
    return !hasExternalFiles || externalFiles[slot] == nil ? heldValue(at: slot) : Value?.none
  }

  private func value(at slot: Int, of row: CurrentRow) throws -> Value {
    do { return try row.value(at: slot) } catch { throw try livingContext().worded(error) }
  }

  /// Sets the object's values to those of its row.
  func take(_ row: StoredRow) {
    held = row.attributes
    if !runtime.transientSlots.isEmpty, let context, context.isBulkLoading { context.restoreTransients(of: self) }
    toOnes = row.toOnes
    externalFiles = row.externalFiles
    committedFiles = [:]
    self.row = nil
    rowVersion = row.version
    isFault = false
    batch?.remove(self)
    batch = nil
  }

  /// Discards the object's values and changes, so that the next access reads its row again.
  func turnIntoFault() {
    isFault = true
    prefetched = nil
    overriddenSlots = SlotSet()
    held = []
    toOnes = []
    toManys = runtime.unreadTargets
    clearRare()
  }

  /// To be called before the first change since the object was read or saved.
  func willChange() throws {
    guard !isNew, !isChanged else { return }
    let context = try livingContext()
    guard !isDeletedFromStore else {
      throw StoreMistake.missingObject(entity: runtime.name, key: key).diagnostic(context.store.url)
    }
    try fulfill()
    let files = committedFiles.isEmpty ? externalFiles : externalFiles.merging(committedFiles) { own, _ in own }
    committed = Snapshot(attributes: attributes, toOnes: toOnes, externalFiles: files)
    guard !isMarkedForDeletion else { return }
    context.updated[objectKey] = self
    context.updatedBytes += heapBytes
  }
}

/// Takes back the changes of an object's links at their other ends.
extension ManagedObject {
  /// Restores the stored links at the other ends. The object's own end must be read again afterward.
  func takeBackLinks() throws {
    guard let committed else { return }
    for (slot, toOne) in runtime.toOnes.enumerated() where toOnes[slot] != committed.toOnes[slot] {
      guard let inverse = toOne.inverse else { continue }
      try takeBack(
        added: [toOnes[slot]], removed: [committed.toOnes[slot]], .toOne(slot), toOne.destination, inverse)
    }
    for (slot, toMany) in runtime.toManys.enumerated() {
      guard let inverse = toMany.inverse else { continue }
      try takeBack(
        added: toManys[slot].added.sorted(), removed: toManys[slot].removed.sorted(), .toMany(slot),
        toMany.destination, inverse)
    }
  }

  private func takeBack(
    added: [Int64], removed: [Int64], _ slot: EntityRuntime.Slot, _ destination: Int, _ inverse: EntityRuntime.Slot
  ) throws {
    let context = try livingContext()
    for key in added {
      guard let target = try context.readObject(key, destination), !target.isDeleted else { continue }
      try target.unlink(self.key, from: inverse)
      try target.regainTarget(at: inverse)
    }
    for key in removed {
      guard let target = try context.readObject(key, destination), !target.isDeleted else { continue }
      if case .toOne(let index) = inverse, target.toOnes[index] != 0, target.toOnes[index] != self.key,
        let other = try context.readObject(target.toOnes[index], target.runtime.toOnes[index].destination)
      {
        try other.unlink(key, from: slot)
        if other !== self { try other.regainTarget(at: slot) }
      }
      try target.regainLink(to: self.key, at: inverse)
    }
  }

  /// Restores the stored link of a to-one relationship that another object's change has taken, unless its target is
  /// deleted or has another link by now.
  private func regainTarget(at slot: EntityRuntime.Slot) throws {
    guard case .toOne(let index) = slot, toOnes[index] == 0, let stored = committed?.toOnes[index],
      let target = try livingContext().readObject(stored, runtime.toOnes[index].destination), !target.isDeleted
    else { return }
    guard let inverse = runtime.toOnes[index].inverse else { return replaceTarget(stored, at: index) }
    if case .toOne(let back) = inverse, target.toOnes[back] != 0, target.toOnes[back] != key { return }
    replaceTarget(stored, at: index)
    try target.regainLink(to: key, at: inverse)
  }

  /// Restores this end of a stored link.
  private func regainLink(to otherKey: Int64, at slot: EntityRuntime.Slot) throws {
    try willChange()
    switch slot {
    case .attribute: return
    case .toOne(let index): replaceTarget(otherKey, at: index)
    case .toMany(let index): toManys[index].putBack(otherKey)
    }
  }
}
