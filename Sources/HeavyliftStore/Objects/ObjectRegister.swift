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
