/// The objects of a context that somebody holds, by key; the register itself holds none of them.
///
/// An object takes itself out when it goes (see `ManagedObject.deinit`), on the context's own thread, so that a plain
/// pointer here always points to a living object. Weak references would cost each object a second allocation.
///
/// Every object that is made comes in and goes out again, and every key that is followed is looked up, which is why this
/// is no `Dictionary`: two numbers need no hash that costs more than the object itself. Places are searched one after the
/// other from where the key belongs, and close up when an object goes.
struct ObjectRegister {
  private struct Entry {
    var key: ObjectKey
    var object: Unmanaged<ManagedObject>?
  }

  private static var free: Entry { Entry(key: ObjectKey(root: 0, key: 0), object: nil) }

  /// A power of two of them, never all taken.
  private var entries = [Entry](repeating: free, count: 16)
  private var shift = UInt64.bitWidth - 4
  /// Differs from run to run, so that no store can have keys that all belong to one place.
  private let factor = UInt64.random(in: 0...UInt64.max) | 1

  /// The one that stands for one row after the other: its key changes too often to be given a place each time.
  private var passing: (key: ObjectKey, object: Unmanaged<ManagedObject>)?

  private(set) var count = 0
  /// The most that there ever were at once.
  private(set) var peak = 0

  subscript(key: ObjectKey) -> ManagedObject? {
    if let passing, passing.key == key { return passing.object.takeUnretainedValue() }
    return entries[place(of: key)].object?.takeUnretainedValue()
  }

  var all: [ManagedObject] {
    let others = entries.compactMap { $0.object?.takeUnretainedValue() }
    return (passing.map { [$0.object.takeUnretainedValue()] } ?? []) + others
  }

  /// Takes in an object whose key is going to change again and again.
  mutating func insert(passing object: ManagedObject) {
    settlePassing()
    passing = (object.objectKey, .passUnretained(object))
    count += 1
    if count > peak { peak = count }
  }

  /// Gives an object another key.
  mutating func rename(_ object: ManagedObject, to key: Int64) {
    if let passing, passing.object.toOpaque() == Unmanaged.passUnretained(object).toOpaque() {
      object.key = key
      self.passing = (object.objectKey, passing.object)
      return
    }
    remove(object)
    object.key = key
    insert(object)
  }

  /// Another one comes: the one before stays where it is, and has a place like any other.
  private mutating func settlePassing() {
    guard let object = passing?.object.takeUnretainedValue() else { return }
    passing = nil
    count -= 1
    insert(object)
  }

  mutating func insert(_ object: ManagedObject) {
    let key = object.objectKey
    var place = place(of: key)
    if entries[place].object == nil {
      count += 1
      if count > peak { peak = count }
      if count * 2 > entries.count {
        grow()
        place = self.place(of: key)
      }
    }
    entries[place] = Entry(key: key, object: .passUnretained(object))
  }

  /// Takes the object out, unless another one has taken its place.
  mutating func remove(_ object: ManagedObject) {
    if let passing, passing.object.toOpaque() == Unmanaged.passUnretained(object).toOpaque() {
      self.passing = nil
      count -= 1
      return
    }
    var gap = place(of: object.objectKey)
    // Compared as addresses: the object may be on its way out, and must not be retained any more.
    guard entries[gap].object?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else { return }
    count -= 1
    let mask = entries.count - 1
    var next = (gap + 1) & mask
    // Whatever was pushed on by the one that goes moves up, and nothing moves before where it belongs.
    while entries[next].object != nil {
      if (next - home(of: entries[next].key)) & mask >= (next - gap) & mask {
        entries[gap] = entries[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    entries[gap] = Self.free
  }

  /// Where the key is, or where it would come.
  private func place(of key: ObjectKey) -> Int {
    let mask = entries.count - 1
    var place = home(of: key)
    while entries[place].object != nil, entries[place].key != key { place = (place + 1) & mask }
    return place
  }

  private func home(of key: ObjectKey) -> Int {
    let mixed = UInt64(bitPattern: key.key) ^ (UInt64(truncatingIfNeeded: key.root) << 48)
    return Int((mixed &* factor) >> UInt64(shift))
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: Self.free, count: old.count * 2)
    shift -= 1
    for entry in old where entry.object != nil { entries[place(of: entry.key)] = entry }
  }
}
