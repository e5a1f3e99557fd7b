import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension SourceSurvey {
  /// Returns the losses of the mapping models that affect data in the source, with their counts.
  ///
  /// - Parameter reader: Reads half of the rows of large tables.
  func counted(_ losses: [MappingLoss], with reader: ParallelReader) throws -> [MigrationLoss] {
    let found = try lostProperties(losses, with: reader)
    return zip(losses, found).compactMap { loss, found in
      let objects = counts[loss.entity] ?? 0
      guard objects > 0 else { return nil }
      guard let property = loss.property else {
        return MigrationLoss(entity: loss.entity, reason: loss.reason, unit: .objects, count: objects)
      }
      let isRelationship = stores.sourceModel.relationship(property, of: loss.entity) != nil
      guard let count = found else {
        // Unknown: the entity mappings that read the property may take all of the objects.
        if !loss.readers.isEmpty || !loss.links.isEmpty { return nil }
        return MigrationLoss(
          entity: loss.entity, property: property, reason: loss.reason, entityMappings: loss.entityMappings,
          unit: isRelationship ? .links : .values, count: nil)
      }
      if count == 0 { return nil }
      return MigrationLoss(
        entity: loss.entity, property: property, reason: loss.reason, entityMappings: loss.entityMappings,
        unit: isRelationship ? .links : .values, count: isUpperBound(loss) ? nil : count)
    }
  }

  /// Returns true if only some of the counted values may be lost: it is unknown which objects a source expression will
  /// return.
  private func isUpperBound(_ loss: MappingLoss) -> Bool {
    let takers = mappingIndexes(loss.entityMappings, loss.entity)
    return (takers + mappingIndexes(loss.readers, loss.entity)).contains { selectsObjects($0) }
      && !(loss.readers.isEmpty && takers.contains { stores.isUnfiltered($0) })
  }

  /// True if an entity mapping takes the objects that its source expression returns.
  private func selectsObjects(_ mappingIndex: Int) -> Bool {
    stores.mappings[mappingIndex].description.sourceExpression != nil
  }

  /// Returns the number of values or links that each loss affects; nil for losses of objects, and for a property that
  /// is not stored.
  private func lostProperties(_ losses: [MappingLoss], with reader: ParallelReader) throws -> [Int?] {
    var found: [Int?] = losses.map { _ in nil }
    var known: [[Int]: KeySet] = [:]
    func keys(_ mappingIndexes: [Int]) throws -> KeySet {
      if let known = known[mappingIndexes] { return known }
      let keys = try self.keys(mappingIndexes)
      known[mappingIndexes] = keys
      return keys
    }
    // The properties of each entity that are lost for some of its objects, counted together.
    var partial: [String: [(lossIndex: Int, name: String, isLost: (Int64) -> Bool)]] = [:]
    for (lossIndex, loss) in losses.enumerated() where counts[loss.entity] ?? 0 > 0 {
      guard let property = loss.property else { continue }
      let takers = mappingIndexes(loss.entityMappings, loss.entity)
      let isWhole = takers.isEmpty || takers.contains { stores.isUnfiltered($0) }
      if loss.readers.isEmpty, loss.links.isEmpty, isWhole {
        found[lossIndex] = try stores.sourceStore.count(of: property, entity: loss.entity)
        continue
      }
      let taken = isWhole ? nil : try keys(takers)
      var read = try keys(mappingIndexes(loss.readers, loss.entity).filter { !selectsObjects($0) })
      for link in loss.links {
        try stores.sourceStore.forEachLink(ofEntity: loss.entity, relationship: link) { key, _ in read.insert(key) }
      }
      partial[loss.entity, default: []].append(
        (lossIndex, property, { [read] in taken?.contains($0) != false && !read.contains($0) }))
    }
    for (entity, properties) in partial {
      let counts = try stores.sourceStore.counts(
        of: properties.map { ($0.name, $0.isLost) }, entity: entity, with: reader)
      for (property, count) in zip(properties, counts) { found[property.lossIndex] = count }
    }
    return found
  }

  private func mappingIndexes(_ names: [String], _ entity: String) -> [Int] {
    stores.mappings.indices.filter { mappingIndex in
      names.contains(stores.mappings[mappingIndex].name) && stores.mappings[mappingIndex].sourceEntityName == entity
    }
  }

  /// Returns the keys of the source objects that entity mappings take.
  private func keys(_ mappingIndexes: [Int]) throws -> KeySet {
    var keys = KeySet()
    for mappingIndex in mappingIndexes { keys.formUnion(try keysBySQL(mappingIndex) ?? keysOfObjects(mappingIndex)) }
    return keys
  }

  /// Returns nil if SQL cannot select the objects, or if the filter fails for one of them.
  private func keysBySQL(_ mappingIndex: Int) -> KeySet? {
    let mapping = stores.mappings[mappingIndex]
    guard mapping.description.sourceExpression == nil else { return nil }
    if let known = keys(likeThoseOf: mappingIndex) { return known }
    guard let rows = try? stores.rowsAlone(of: mappingIndex) else { return nil }
    var keys = KeySet()
    do {
      try stores.sourceStore.forEachSourceKey(of: rows) { keys.insert($0) }
      return keys
    } catch {
      return nil
    }
  }

  private func keysOfObjects(_ mappingIndex: Int) throws -> KeySet {
    var keys = KeySet()
    guard let entity = stores.mappings[mappingIndex].sourceEntityName else { return keys }
    var request = FetchRequest(entityName: entity)
    request.includesSubentities = false
    request.predicate = stores.mappings[mappingIndex].filter
    try stores.evaluatingFilter(of: stores.mappings[mappingIndex].name) {
      try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
    }
    return keys
  }
}
