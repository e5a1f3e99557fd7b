/// The objects of a context that somebody holds, by key; the register itself holds none of them.
///
/// An object takes itself out when it goes (see `ManagedObject.deinit`), on the context's own thread, so that a plain
/// pointer here always points to a living object. Weak references would cost each object a second allocation.
struct ObjectRegister {
  private var objects: [ObjectKey: Unmanaged<ManagedObject>] = [:]

  /// The most that there ever were at once.
  private(set) var peak = 0

  var count: Int { objects.count }

  subscript(key: ObjectKey) -> ManagedObject? { objects[key]?.takeUnretainedValue() }

  var all: [ManagedObject] { objects.values.map { $0.takeUnretainedValue() } }

  mutating func insert(_ object: ManagedObject) {
    objects[object.objectKey] = .passUnretained(object)
    if objects.count > peak { peak = objects.count }
  }

  /// Takes the object out, unless another one has taken its place.
  mutating func remove(_ object: ManagedObject) {
    let key = object.objectKey
    guard let place = objects.index(forKey: key) else { return }
    // Compared as addresses: the object may be on its way out, and must not be retained any more.
    guard objects.values[place].toOpaque() == Unmanaged.passUnretained(object).toOpaque() else { return }
    objects.remove(at: place)
  }
}
