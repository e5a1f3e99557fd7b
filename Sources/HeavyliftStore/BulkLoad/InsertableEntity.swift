/// An entity of which a context creates many objects, looked up only once.
package struct InsertableEntity {
  let entity: EntityRuntime

  /// Returns nil if the store does not have the entity.
  package init?(_ entityName: String, in store: PersistentStore) {
    guard let entity = store.runtime.byName[entityName] else { return nil }
    self.entity = entity
  }
}

extension ManagedObjectContext {
  /// Creates an object with a key that no other object has.
  package func insert(_ entity: InsertableEntity, key: Int64) throws -> ManagedObject {
    try insert(entity.entity, key: key)
  }

  /// Creates an object.
  package func insert(_ entity: InsertableEntity) throws -> ManagedObject { try insertNew(entity.entity) }
}
