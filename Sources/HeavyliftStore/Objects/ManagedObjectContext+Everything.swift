extension ManagedObjectContext {
  /// Returns every object of the store, as faults unless they are in memory.
  ///
  /// The context holds the objects from the second call on. So a policy that goes through all objects only once needs
  /// no additional memory, and one that does so for each source object does not read all keys each time.
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

  /// Releases the objects that are held only because all of them were requested. To be called before statements write
  /// rows.
  package func releaseHeldObjects() {
    held = nil
    wholeReadCount = 0
  }
}
