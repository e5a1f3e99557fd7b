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
