import HeavyliftModel
import HeavyliftSQLite

/// One save: assigns keys to new objects, writes rows and links, and finally updates the objects.
///
/// Everything happens in one transaction, which the caller opens. New external files are written before the transaction
/// ends, and obsolete ones are removed after it, so every row's file exists no matter when the process dies.
final class SaveOperation {
  let context: ManagedObjectContext
  var store: PersistentStore { context.store }
  var database: Database { context.store.database }
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]
  /// The keys of new objects, in the order of their temporary keys, which are consecutive.
  private var keys: [Int64]
  private let firstTemporaryKey: Int64
  /// True to set changed columns of uniqueness constraints to null first.
  var vacatesConstraints = false
  /// The statements that insert rows, by the entity's index.
  var insertStatements: [Int: Statement] = [:]
  var updateStatements: [ChangedColumns: Statement] = [:]
  /// The order keys of targets whose rows this save inserts, by target and column.
  var orderKeys: [OrderSlot: Int64] = [:]
  /// The new order keys of each changed ordered relationship, by the target's key.
  var newOrders: [(object: ManagedObject, slot: Int, keys: [Int64: Int64])] = []
  /// The new row versions of changed objects.
  var versions: [ObjectIdentifier: Int64] = [:]
  private var writtenFiles: [String] = []
  /// The values that were written to files.
  private var newFiles: [(object: ManagedObject, slot: Int, name: String)] = []
  private var obsoleteFiles: [String] = []

  struct OrderSlot: Hashable {
    var target: ObjectKey
    var column: String
  }

  init(_ context: ManagedObjectContext) {
    self.context = context
    inserted = context.newObjects
    updated = context.updatedObjects
    deleted = context.deletedObjects
    let temporary = inserted.lazy.map(\.key).filter { $0 < 0 }
    firstTemporaryKey = temporary.first ?? -1
    let span = firstTemporaryKey - (temporary.last ?? 0) + 1
    keys = [Int64](repeating: 0, count: temporary.isEmpty ? 0 : Int(span))
  }

  func write() throws {
    try assignKeys()
    try collectOrders()
    // Deletions come first, so that new rows can reuse the constraint values of deleted rows.
    for object in deleted { try delete(object) }
    if vacatesConstraints { try vacateConstraints() }
    for object in updated { try update(object) }
    for object in inserted { try insert(object) }
    for object in inserted + updated { try writeLinks(of: object) }
    try writeOrders()
  }

  /// Removes the files of a failed save.
  func discardFiles() {
    for name in writtenFiles { store.externalData.remove(name) }
  }

  /// Marks the objects as saved, and removes files that no row names anymore.
  func finish() {
    let orders = Dictionary(
      newOrders.map { (SlotOfObject(object: ObjectIdentifier($0.object), slot: $0.slot), $0.keys) },
      uniquingKeysWith: { _, last in last })
    for object in inserted + updated {
      if let version = versions[ObjectIdentifier(object)] { object.rowVersion = version }
      for slot in object.toOnes.indices where object.toOnes[slot] < 0 {
        object.replaceTarget(permanentKey(object.toOnes[slot]), at: slot)
      }
      for slot in object.toManys.indices where object.toManys[slot].hasChanges {
        object.toManys[slot].commit(
          translating: permanentKey,
          orderKeys: orders[SlotOfObject(object: ObjectIdentifier(object), slot: slot)])
      }
    }
    for file in newFiles { file.object.committedFiles[file.slot] = file.name }
    context.didSave(self)
    for name in obsoleteFiles { store.externalData.remove(name) }
  }

  private struct SlotOfObject: Hashable {
    var object: ObjectIdentifier
    var slot: Int
  }

  // MARK: Keys

  /// Assigns keys above the highest one ever assigned; a key is never reused, even if its object is gone.
  private func assignKeys() throws {
    for (root, objects) in Dictionary(grouping: inserted, by: \.runtime.layout.rootNumber).sorted(by: {
      $0.key < $1.key
    }) {
      if context.isBulkLoading {
        try noteKeys(of: objects, root: root)
        continue
      }
      var next = try database.highestKey(ofRoot: root, in: objects[0].runtime.layout.tableName)
      guard next < Int64.max - Int64(objects.count) else {
        throw StoreMistake.keysExhausted(entity: objects[0].runtime.name).diagnostic(store.url)
      }
      for object in objects {
        next += 1
        keys[Int(firstTemporaryKey - object.key)] = next
      }
      try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", .integer(next), .integer(Int64(root)))
    }
  }

  /// Records the highest key in a store under construction, where objects already have their keys.
  private func noteKeys(of objects: [ManagedObject], root: Int) throws {
    guard let highest = objects.lazy.map(\.key).max() else { return }
    try database.noteHighestKey(highest, ofRoot: root)
  }

  func root(of destination: Int) -> Int { store.runtime.entities[destination].layout.rootNumber }

  /// Returns the key that an object has in the store after this save.
  func permanentKey(_ key: Int64) -> Int64 {
    guard key < 0 else { return key }
    let place = Int(firstTemporaryKey - key)
    return keys.indices.contains(place) ? keys[place] : 0
  }

  // MARK: Files

  /// Returns the stored form of a value; a large value goes into a file if its attribute permits it.
  func stored(_ value: Value, as column: AttributeColumn) throws -> SQLiteValue {
    guard column.mayBeExternal, let data = value.data else {
      return try AttributeCodec.encode(value, as: column)
    }
    guard data.count >= ExternalDataFolder.threshold else { return ExternalDataFormat.inline(data) }
    let name = try store.externalData.write(data)
    writtenFiles.append(name)
    return ExternalDataFormat.reference(to: name)
  }

  /// Calls `write`, and records the file that it may create for an attribute's value.
  func notingFile(of object: ManagedObject, _ slot: Int, _ write: () throws -> Void) rethrows {
    let count = writtenFiles.count
    try write()
    if writtenFiles.count > count { newFiles.append((object, slot, writtenFiles[count])) }
  }

  func removeAfterwards(_ files: some Sequence<String>) { obsoleteFiles += files }
}
