import HeavyliftModel

extension ManagedObjectContext {
  /// The object of the entity with that `Z_ENT` and that key, read; nil if there is none, or one of another entity.
  package func existingObject(numbered number: Int, key: Int64) throws -> ManagedObject? {
    guard key > 0 else { return nil }
    let object = try fault(numbered: number, key: key)
    guard object.entityNumber == number else { return nil }
    do {
      try object.fulfill()
      return object
    } catch let error as Diagnostic where ["store.missing-object", "store.wrong-entity"].contains(error.code) {
      return nil
    }
  }
}
