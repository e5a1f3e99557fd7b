import HeavyliftModel

/// The objects of a context that are in memory, by key. The register does not retain them.
///
/// An object removes itself when it is deallocated (see `ManagedObject.deinit`), on the context's own thread, so a
/// plain pointer in the register is always valid. Weak references would cost each object a second allocation.
///
/// Every object is inserted and removed again, and every key of a target is looked up. A `Dictionary` would spend more
/// time on hashing two integers than it takes to create the object. This hash table uses linear probing, and closes the
/// gap when an object is removed.
///
/// A class with plain memory: each access to an array that a class changes in place costs a check for exclusive access,
/// which takes longer than the look-up itself.
final class ObjectRegister {
  private struct Entry {
    var key: ObjectKey
    var object: Unmanaged<ManagedObject>?
  }

  private static var free: Entry { Entry(key: ObjectKey(root: 0, key: 0), object: nil) }

  private var entries: UnsafeMutablePointer<Entry>
  /// The number of entries: a power of two. Some of them are always free.
  private var capacity = 16
  private var shift = UInt64.bitWidth - 4
  /// Random, so that no store can have keys that all hash to the same entry.
  private let factor = UInt64.random(in: 0...UInt64.max) | 1

  /// The last object, which is not in the table yet: most objects are released before the next one is inserted.
  private var passing: (key: ObjectKey, object: Unmanaged<ManagedObject>)?

  private(set) var count = 0
  /// The largest number of objects at once.
  private(set) var peak = 0

  init() { entries = Self.makeEntries(capacity) }

  deinit { entries.deallocate() }

  private static func makeEntries(_ count: Int) -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    entries.initialize(repeating: free, count: count)
    return entries
  }

  subscript(key: ObjectKey) -> ManagedObject? {
    if let passing, passing.key == key { return passing.object.takeUnretainedValue() }
    return entries[place(of: key)].object?.takeUnretainedValue()
  }

  var all: [ManagedObject] {
    let others = (0..<capacity).compactMap { entries[$0].object?.takeUnretainedValue() }
    return (passing.map { [$0.object.takeUnretainedValue()] } ?? []) + others
  }

  /// Inserts an object that will probably be released before the next one is inserted.
  func insert(passing object: ManagedObject) {
    settlePassing()
    passing = (object.objectKey, .passUnretained(object))
    count += 1
    if count > peak { peak = count }
  }

  /// Moves the passing object to the table, because another one replaces it.
  private func settlePassing() {
    guard let object = passing?.object.takeUnretainedValue() else { return }
    passing = nil
    count -= 1
    insert(object)
  }

  func insert(_ object: ManagedObject) {
    let key = object.objectKey
    var place = place(of: key)
    if entries[place].object == nil {
      count += 1
      if count > peak { peak = count }
      if count * 2 > capacity {
        grow()
        place = self.place(of: key)
      }
    }
    entries[place] = Entry(key: key, object: .passUnretained(object))
  }

  /// Removes the object, unless another one with its key has replaced it.
  func remove(_ object: ManagedObject) {
    if let passing, passing.object.toOpaque() == Unmanaged.passUnretained(object).toOpaque() {
      self.passing = nil
      count -= 1
      return
    }
    var gap = place(of: object.objectKey)
    // Compared as addresses: an object that is being deallocated must not be retained any more.
    guard entries[gap].object?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else { return }
    count -= 1
    let mask = capacity - 1
    var next = (gap + 1) & mask
    // Entries that follow the gap move into it, but never to an index before the one that their key hashes to.
    while entries[next].object != nil {
      if (next - home(of: entries[next].key)) & mask >= (next - gap) & mask {
        entries[gap] = entries[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    entries[gap] = Self.free
  }

  /// Returns the index of the key's entry, or of the free entry where it would be inserted.
  private func place(of key: ObjectKey) -> Int {
    let mask = capacity - 1
    var place = home(of: key)
    while entries[place].object != nil, entries[place].key != key { place = (place + 1) & mask }
    return place
  }

  private func home(of key: ObjectKey) -> Int {
    let mixed = UInt64(bitPattern: key.key) ^ (UInt64(truncatingIfNeeded: key.root) << 48)
    return Int((mixed &* factor) >> UInt64(shift))
  }

  private func grow() {
    let (old, oldCapacity) = (entries, capacity)
    capacity *= 2
    entries = Self.makeEntries(capacity)
    shift -= 1
    for index in 0..<oldCapacity where old[index].object != nil { entries[place(of: old[index].key)] = old[index] }
    old.deallocate()
  }
}

/// All objects of a context, held so that a policy can go through them again and again.
///
/// If all keys of a store were read again for each source object, a find-or-create loop would take hours. The objects
/// remain in memory as long as this value exists, as they do in a Core Data migration.
final class HeldObjects {
  /// The objects of each hierarchy, in ascending order of their keys.
  private var hierarchies: [(root: Int, objects: [ManagedObject])] = []
  /// True if some of the objects may have been deleted since the last call to `all()`.
  var hasDeletions = false

  init(_ objects: [ManagedObject], roots: [Int]) {
    hierarchies = roots.map { ($0, []) }
    for object in objects { insert(object) }
  }

  /// All objects by hierarchy and key.
  func all() -> [ManagedObject] {
    if hasDeletions {
      for place in hierarchies.indices { hierarchies[place].objects.removeAll { $0.isDeleted } }
      hasDeletions = false
    }
    return Array(hierarchies.lazy.map(\.objects).joined())
  }

  func insert(_ object: ManagedObject) {
    guard let place = hierarchies.firstIndex(where: { $0.root == object.objectKey.root }) else { return }
    guard let last = hierarchies[place].objects.last, !ManagedObject.keysInOrder(last.key, object.key) else {
      hierarchies[place].objects.append(object)
      return
    }
    var (low, high) = (0, hierarchies[place].objects.count)
    while low < high {
      let middle = (low + high) / 2
      if ManagedObject.keysInOrder(hierarchies[place].objects[middle].key, object.key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    hierarchies[place].objects.insert(object, at: low)
  }
}

/// New objects that are not saved yet, in order of creation.
///
/// A class, so that a context's counts are plain properties: they are read several times for each object.
final class NewObjects {
  /// Moved out to be changed, because each access to a property that is changed in place anywhere is checked.
  private var objects: [ManagedObject?] = []
  /// The insertion number of the first object; those of the others follow without gaps.
  private var firstNumber: Int64 = 0
  private(set) var count = 0
  /// The result of `weigh()` so far, and the number of objects that it includes.
  private var (bytes, weighed) = (0, 0)
  /// The number of objects that were offered to be passed on.
  private var seen = 0

  var isEmpty: Bool { count == 0 }

  /// The number of objects that were appended since the list was last empty, including those that were removed.
  private(set) var span = 0

  /// True if some objects were not offered to be passed on yet.
  var hasUnseen: Bool { seen < span }

  var all: [ManagedObject] { objects.compactMap(\.self) }

  /// Appends the object that its context created last.
  func append(_ object: ManagedObject) {
    if span == 0 { firstNumber = object.insertionNumber }
    var all = objects
    objects = []
    all.append(object)
    objects = all
    span += 1
    count += 1
  }

  /// Returns the approximate number of bytes that the objects have on the heap. Later changes of an object that was
  /// counted before are ignored.
  func weigh() -> Int {
    while weighed < span {
      bytes += objects[weighed]?.heapBytes ?? 0
      weighed += 1
    }
    return bytes
  }

  /// Calls `take` with each object that has no other references, in order, and removes those for which it returns true.
  /// Each object is offered once.
  func passOn(_ take: (ManagedObject) throws -> Bool) rethrows {
    var all = objects
    objects = []
    defer { objects = all }
    while seen < span {
      let place = seen
      seen += 1
      guard isKnownUniquelyReferenced(&all[place]), let object = all[place], try take(object) else { continue }
      all[place] = nil
      count -= 1
    }
    guard count == 0 else { return }
    // Keeps the capacity. There is mostly one.
    while !all.isEmpty { all.removeLast() }
    clear()
  }

  /// Removes an object; does nothing if the list does not contain it.
  func remove(_ object: ManagedObject) {
    let place = Int(object.insertionNumber - firstNumber)
    guard objects.indices.contains(place), objects[place] === object else { return }
    var all = objects
    objects = []
    all[place] = nil
    objects = all
    count -= 1
    if count == 0 { removeAll() }
  }

  func removeAll() {
    objects = []
    count = 0
    clear()
  }

  private func clear() { (span, bytes, weighed, seen) = (0, 0, 0, 0) }
}

extension Value {
  /// The approximate number of bytes that the value has on the heap.
  var heapBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .data(let data): data.count
    case .composite(let elements): elements.values.reduce(0) { $0 + $1.heapBytes }
    default: 0
    }
  }
}

extension AttributeType {
  /// True if values may have bytes on the heap, not only in the object itself.
  var mayBeBig: Bool {
    switch self {
    case .string, .uri, .binaryData, .transformable, .composite, .undefined: true
    default: false
    }
  }
}

extension ManagedObject {
  /// The approximate number of bytes that the values in memory have on the heap.
  var heapBytes: Int { heapBytes(runtime.heavySlots) }

  /// Returns the approximate number of bytes that the values of some attributes have on the heap.
  func heapBytes(_ slots: [Int]) -> Int {
    let values = held
    var bytes = 0
    for slot in slots where slot < values.count { bytes += values[slot].heapBytes }
    return bytes
  }
}
