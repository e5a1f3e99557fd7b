import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension SourceSurvey {
  /// Returns the losses of the mapping models that affect data in the source, with their counts.
  func counted(_ losses: [MappingLoss]) throws -> [MigrationLoss] {
    try losses.compactMap { loss in
      let objects = counts[loss.entity] ?? 0
      guard objects > 0 else { return nil }
      guard let property = loss.property else {
        return MigrationLoss(entity: loss.entity, reason: loss.reason, unit: .objects, count: objects)
      }
      let isRelationship = stores.sourceModel.relationship(property, of: loss.entity) != nil
      guard let count = try count(loss, property) else {
        // Unknown: the entity mappings that read the property may take all of the objects.
        if !loss.readers.isEmpty { return nil }
        return MigrationLoss(
          entity: loss.entity, property: property, reason: loss.reason, entityMappings: loss.entityMappings,
          unit: isRelationship ? .links : .values, count: nil)
      }
      if count == 0 { return nil }
      return MigrationLoss(
        entity: loss.entity, property: property, reason: loss.reason, entityMappings: loss.entityMappings,
        unit: isRelationship ? .links : .values, count: count)
    }
  }

  /// Returns the number of values or links that are lost; nil for a property that is not stored.
  private func count(_ loss: MappingLoss, _ property: String) throws -> Int? {
    let takers = places(loss.entityMappings, loss.entity)
    let isWhole = takers.isEmpty || takers.contains { stores.isUnfiltered($0) }
    if loss.readers.isEmpty, isWhole { return try stores.sourceStore.count(of: property, entity: loss.entity) }
    let taken = isWhole ? nil : try keys(takers)
    let read = try keys(places(loss.readers, loss.entity))
    return try stores.sourceStore.count(of: property, entity: loss.entity) { key in
      taken?.contains(key) != false && !read.contains(key)
    }
  }

  private func places(_ names: [String], _ entity: String) -> [Int] {
    stores.mappings.indices.filter { place in
      names.contains(stores.mappings[place].name) && stores.mappings[place].sourceEntityName == entity
    }
  }

  /// Returns the keys of the source objects that entity mappings take.
  private func keys(_ places: [Int]) throws -> KeySet {
    var keys = KeySet()
    for place in places { keys.formUnion(try keysBySQL(place) ?? keysOfObjects(place)) }
    return keys
  }

  /// Returns nil if SQL cannot select the objects, or if the filter fails for one of them.
  private func keysBySQL(_ place: Int) -> KeySet? {
    let mapping = stores.mappings[place]
    guard mapping.description.sourceExpression == nil else { return nil }
    if let known = keys(likeThoseOf: place) { return known }
    guard let rows = try? stores.rowsAlone(of: place) else { return nil }
    var keys = KeySet()
    do {
      try stores.sourceStore.forEachSourceKey(of: rows) { keys.insert($0) }
      return keys
    } catch {
      return nil
    }
  }

  private func keysOfObjects(_ place: Int) throws -> KeySet {
    var keys = KeySet()
    guard let entity = stores.mappings[place].sourceEntityName else { return keys }
    var request = FetchRequest(entityName: entity)
    request.includesSubentities = false
    request.predicate = stores.mappings[place].filter
    try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
    return keys
  }
}
