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
