/// Objects that were made and not saved, in the order in which they were made.
struct NewObjects {
  private var objects: [ManagedObject?] = []
  /// The insertion number of the first: a context counts what it makes, without a gap.
  private var firstNumber: Int64 = 0
  private(set) var count = 0
  /// What `weigh()` has found so far, and of how many.
  private var (bytes, weighed) = (0, 0)
  /// How many of the first were offered to be passed on.
  private var seen = 0

  var isEmpty: Bool { count == 0 }

  /// How many there were since there was none, those that were taken out included.
  var span: Int { objects.count }

  /// Whether some were not offered yet to be passed on.
  var hasUnseen: Bool { seen < objects.count }

  var all: [ManagedObject] { objects.compactMap(\.self) }

  /// Appends the object that its context made last.
  mutating func append(_ object: ManagedObject) {
    if objects.isEmpty { firstNumber = object.insertionNumber }
    objects.append(object)
    count += 1
  }

  /// About how many bytes they hold, each as it was when this was asked for the first time after it was made.
  mutating func weigh() -> Int {
    while weighed < objects.count {
      bytes += objects[weighed]?.heapBytes ?? 0
      weighed += 1
    }
    return bytes
  }

  /// Offers the objects that nobody else holds, in their order, and takes out those that `take` says it has taken. Each is
  /// offered once.
  mutating func passOn(_ take: (ManagedObject) throws -> Bool) rethrows {
    while seen < objects.count {
      let place = seen
      seen += 1
      guard isKnownUniquelyReferenced(&objects[place]), let object = objects[place], !object.isWeaklyReferenced,
        try take(object)
      else { continue }
      objects[place] = nil
      count -= 1
    }
    if count == 0 { clear() }
  }

  /// Takes an object out; nothing where it is not among them.
  mutating func remove(_ object: ManagedObject) {
    let place = Int(object.insertionNumber - firstNumber)
    guard objects.indices.contains(place), objects[place] === object else { return }
    objects[place] = nil
    count -= 1
    if count == 0 { clear() }
  }

  private mutating func clear() {
    objects.removeAll(keepingCapacity: true)
    (bytes, weighed, seen) = (0, 0, 0)
  }
}
