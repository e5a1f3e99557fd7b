import HeavyliftExpression
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
        if !loss.readers.isEmpty || !loss.visits.isEmpty { return nil }
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
    if loss.visits.contains(where: { visit in visitors(visit).contains { selectsObjects($0) } }) { return true }
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
      if loss.readers.isEmpty, loss.visits.isEmpty, isWhole {
        found[lossIndex] = try stores.sourceStore.count(of: property, entity: loss.entity)
        continue
      }
      let taken = isWhole ? nil : try keys(takers)
      var read = try keys(mappingIndexes(loss.readers, loss.entity).filter { !selectsObjects($0) })
      for visit in loss.visits {
        for mappingIndex in visitors(visit) where !selectsObjects(mappingIndex) {
          read.formUnion(try visitedKeys(visit.objects, from: keys([mappingIndex]), of: mappingIndex))
        }
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

  private func visitors(_ visit: MappingLoss.Visit) -> [Int] {
    stores.mappings.indices.filter { stores.mappings[$0].name == visit.entityMapping }
  }

  /// Returns the keys of the objects that an expression gives for some source objects of an entity mapping.
  private func visitedKeys(
    _ objects: MappingExpression, from keys: KeySet, of mappingIndex: Int
  ) throws -> KeySet {
    guard let entity = stores.mappings[mappingIndex].sourceEntityName else { return KeySet() }
    if let path = objects.relationshipPath(of: entity, in: stores.sourceModel) {
      return try path.reduce(keys) { keys, relationship in
        var targets = KeySet()
        try stores.sourceStore.forEachLink(ofEntity: relationship.entity, relationship: relationship.name) {
          if keys.contains($0) { targets.insert($1) }
        }
        return targets
      }
    }
    var environment = EvaluationEnvironment()
    let slot = environment.declare("source", shape: try stores.sourceStore.shape(ofEntity: entity))
    let compiled = try CompiledExpression(objects, in: environment)
    var context = EvaluationContext(environment)
    var (found, request) = (KeySet(), FetchRequest(entityName: entity))
    request.includesSubentities = false
    try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { object in
      guard keys.contains(object.primaryKey) else { return }
      context[slot] = .object(object)
      for target in try compiled.evaluate(in: &context).managedObjects ?? [] { found.insert(target.primaryKey) }
    }
    return found
  }

  package func mappingIndexes(_ names: [String], _ entity: String) -> [Int] {
    stores.mappings.indices.filter { mappingIndex in
      names.contains(stores.mappings[mappingIndex].name) && stores.mappings[mappingIndex].sourceEntityName == entity
    }
  }

  /// Returns the keys of the source objects that entity mappings take.
  private func keys(_ mappingIndexes: [Int]) throws -> KeySet {
    try mappingIndexes.reduce(into: KeySet()) { $0.formUnion(try keys.taken(by: $1)) }
  }
}

extension MappingExpression {
  /// The relationships that a path from the source object follows; nil for any other expression.
  fileprivate func relationshipPath(of entity: String, in model: ManagedObjectModel) -> [RelationshipEnd]? {
    guard case .keyPath(let base, let path) = kind, case .variable("source") = base.kind else { return nil }
    var (ends, entity) = ([RelationshipEnd](), entity)
    for key in path.keys {
      guard case .name(let name) = key, let relationship = model.relationship(name, of: entity),
        !relationship.isTransient, let target = relationship.destinationEntityName
      else { return nil }
      ends.append(RelationshipEnd(entity: entity, name: name))
      entity = target
    }
    return ends
  }
}

extension SourceSurvey {
  /// Finds the keys of the source objects that entity mappings without a policy remove with a filter.
  ///
  /// - Throws: `HopError` if it cannot be known which objects are removed: they would be removed in silence.
  mutating func findRemovedKeys() throws {
    for (mappingIndex, mapping) in stores.mappings.enumerated()
    where mapping.destinationEntityName == nil && mapping.policyClassName == nil {
      let filter: MappingPredicate?
      do {
        filter = try stores.filter(of: mapping)
      } catch {
        throw HopError(
          .migration, place: .init(mapping: mapping.name),
          problem: "which objects it removes is not known: \(error.reason)",
          remedy: "write a filter, or fetch objects of its source entity with a predicate")
      }
      guard filter != nil else { continue }
      removedKeys[mappingIndex] = try keys.taken(by: mappingIndex)
    }
  }

  /// Returns the number of objects that an entity mapping removes: those that match its filter or, without a filter, those
  /// that no other entity mapping takes; nil for all objects of the entity, or if the number is not known in advance.
  func removedCount(_ mappingIndex: Int) -> Int? {
    if let keys = removedKeys[mappingIndex] { return keys.count }
    let mapping = stores.mappings[mappingIndex]
    guard mapping.policyClassName == nil, let entity = mapping.sourceEntityName, let count = counts[entity] else {
      return nil
    }
    let others = stores.mappings.indices.filter {
      $0 != mappingIndex && stores.mappings[$0].takenEntities.contains(entity)
    }
    if others.isEmpty { return nil }
    var taken = KeySet()
    for other in others {
      guard let keys = removedKeys[other] ?? knownKeys(other) else { return nil }
      taken.formUnion(keys)
    }
    return count - taken.count
  }

  /// Throws if the source has objects that no entity mapping takes, because they do not match the filter of the entity
  /// mapping that removes objects of their entity.
  func checkRemovals() throws {
    guard !stores.dropsUnmentioned, stores.mappings.allSatisfy({ $0.policyClassName == nil }) else { return }
    var mappingIndexes: [String: [Int]] = [:]
    for (mappingIndex, mapping) in stores.mappings.enumerated() {
      for name in mapping.takenEntities { mappingIndexes[name, default: []].append(mappingIndex) }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let own = mappingIndexes[name] ?? []
      let removed = own.compactMap { removedKeys[$0] }
      guard !own.isEmpty, removed.count == own.count else { continue }
      var keys = KeySet()
      for some in removed { keys.formUnion(some) }
      guard keys.count < count else { continue }
      throw RowReconciliation.unexplained(count - keys.count, of: count, name, own.map { stores.mappings[$0].name })
    }
  }
}
