/// Objects that were made and not saved, in the order in which they were made.
struct NewObjects {
  private var objects: [ManagedObject?] = []
  /// The insertion number of the first: a context counts what it makes, without a gap.
  private var firstNumber: Int64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var all: [ManagedObject] { objects.compactMap(\.self) }

  /// Appends the object that its context made last.
  mutating func append(_ object: ManagedObject) {
    if objects.isEmpty { firstNumber = object.insertionNumber }
    objects.append(object)
    count += 1
  }

  /// Takes an object out; nothing where it is not among them.
  mutating func remove(_ object: ManagedObject) {
    let place = Int(object.insertionNumber - firstNumber)
    guard objects.indices.contains(place), objects[place] === object else { return }
    objects[place] = nil
    count -= 1
    if count == 0 { objects = [] }
  }
}
