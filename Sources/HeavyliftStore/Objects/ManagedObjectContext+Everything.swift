extension ManagedObjectContext {
  /// Every object that the store holds, none of them read.
  ///
  /// Held from the second call on: a policy that looks through all objects once needs no more memory for it, and one that
  /// does so for each source object does not read all keys each time.
  func everyObject() throws -> [ManagedObject] {
    if held != nil { return held?.all() ?? [] }
    let roots = store.runtime.entities.filter { $0.layout.superNumber == 0 }
    let objects = try roots.flatMap { root in
      var request = FetchRequest(entityName: root.name)
      request.fetchBatchSize = 256
      return try fetch(request)
    }
    wholeReadCount += 1
    if wholeReadCount > 1 { held = HeldObjects(objects, roots: roots.map(\.rootNumber)) }
    return objects
  }

  /// Lets objects go that are only held because all of them were asked for. To be called before statements write rows.
  package func releaseHeldObjects() {
    held = nil
    wholeReadCount = 0
  }
}
