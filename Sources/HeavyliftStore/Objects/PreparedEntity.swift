/// An entity with many objects that are created or accessed by key, looked up only once.
package struct PreparedEntity {
  let entity: EntityRuntime

  /// Returns nil if the store does not have the entity.
  package init?(_ entityName: String, in store: PersistentStore) {
    guard let entity = store.runtime.byName[entityName] else { return nil }
    self.entity = entity
  }
}

extension ManagedObjectContext {
  /// Returns the number of instances of exactly this entity that the context has created.
  package func insertedCount(of entity: PreparedEntity) -> Int { objectCounts[entity.entity.index].inserted }

  /// Creates an object with a key that no other object has.
  package func insert(_ entity: PreparedEntity, key: Int64) throws -> ManagedObject {
    try insert(entity.entity, key: key)
  }

  /// Creates an object.
  package func insert(_ entity: PreparedEntity) throws -> ManagedObject { try insertNew(entity.entity) }

  /// Returns the object with that key, as a fault if it is not in memory. Does not access the store.
  ///
  /// Faster than other methods if the object will probably be released before another one is created.
  package func fault(_ entity: PreparedEntity, key: Int64) -> ManagedObject {
    registeredObject(ObjectKey(root: entity.entity.rootNumber, key: key)) ?? unregisteredFault(entity.entity, key: key)
  }
}
