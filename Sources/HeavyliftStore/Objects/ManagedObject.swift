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
  var row: CurrentRow?
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
