/// Where a context makes objects of one entity under given keys, found once for many objects.
package struct InsertionPlace {
  let entity: EntityRuntime

  /// Nil where the store does not have the entity.
  package init?(_ entityName: String, in store: PersistentStore) {
    guard let entity = store.runtime.byName[entityName] else { return nil }
    self.entity = entity
  }
}

extension ManagedObjectContext {
  /// Makes a new object under a key that nobody has.
  package func insert(_ place: InsertionPlace, key: Int64) throws -> ManagedObject {
    try insert(place.entity, key: key)
  }

  /// Makes a new object.
  package func insert(_ place: InsertionPlace) throws -> ManagedObject { try insertNew(place.entity) }
}
