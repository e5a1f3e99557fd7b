import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Creates the object that an entity mapping declares for a source object, as `super` does in a policy.
struct DeclaredInstances {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  func create(for source: ManagedObject, in step: EntityMappingStep) throws {
    guard let entity = step.destinationEntity else { return }
    let object = try insert(entity, for: source, in: step)
    if step.isConnected, step.setsRelationships { step.lateKeys.insert(object.primaryKey) }
    step.declaredCount += 1
    defer { step.evaluation.releaseObjects() }
    for attribute in setTogether(on: object, from: source, in: step) {
      do {
        try set(attribute, of: object, from: source, in: step)
      } catch {
        throw HopError.wrapping(
          error, .migration,
          .init(mapping: step.name, property: attribute.attribute.name, object: "\(source)"))
      }
    }
    if step.hasPolicy { try populate(object, from: source, in: step) }
  }

  private func populate(_ object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) throws {
    do {
      try run.noting { try step.policy.populate(object, from: source, in: run.manager) }
    } catch {
      throw HopError.wrapping(
        error, .entityMigrationPolicy, .init(mapping: step.name, hook: "populate", object: "\(source)"))
    }
  }

  /// Sets all attributes that can be set together, and returns those that remain.
  private func setTogether(
    on object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep
  ) -> [AttributeStep] {
    // A policy may have set other expressions.
    guard step.areCopiesAsDeclared else { return step.attributes }
    if let rows = step.prefetch, rows.give(object, madeFrom: source) { return step.attributesAfterPrefetch }
    return step.copies?.copy(from: source, to: object) ?? false ? step.computedAttributes : step.attributes
  }

  /// Creates the object and associates it with its source object. Its key is computed from the source object's key
  /// unless that key is already used.
  private func insert(
    _ entity: PreparedEntity, for source: ManagedObject, in step: EntityMappingStep
  ) throws -> ManagedObject {
    let key = source.primaryKey
    // Links that are due must not lead to this object.
    try run.dueLinks?.observe()
    // Entity mappings share a range of keys if no object belongs to the entities of both. An object of another entity
    // could collide with them, so it gets a new key.
    if let rule = step.keyRule, source.entityNumber == step.sourceNumber, key > 0,
      run.associations.noteDeclared(key, mapping: step.mappingIndex)
    {
      return try run.destinationContext.insert(entity, key: rule.destinationKey(ofSource: key))
    }
    let object = try run.destinationContext.insert(entity)
    try run.associate(source, object, in: step)
    return object
  }

  private func set(
    _ attribute: AttributeStep, of object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep
  ) throws {
    if try attribute.copy(from: source, to: object) { return }
    switch try attribute.knownSource ?? attribute.source(in: step.evaluation.environment) {
    case .none: return
    case .constant(let value): try attribute.set(value, of: object)
    case .expression(let expression):
      let value = try step.evaluation.evaluate(
        expression, source: source, destination: object, property: attribute.mapping, isOneOfMany: true)
      try attribute.set(attribute.converted(value), of: object)
    }
  }
}

/// Sets the relationships that an entity mapping declares for a destination object, as `super` does in a policy.
struct DeclaredRelationships {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  func create(of object: ManagedObject, in step: EntityMappingStep) throws {
    guard !step.relationships.isEmpty else { return }
    step.lateKeys.remove(object.primaryKey)
    if let sources = try run.sharedObjects.sources(of: object, in: step) {
      return try connect(object, toAllOf: sources, in: step)
    }
    let source = try firstSource(of: object, in: step)
    let declaringSource = source.flatMap { run.isDeclared(object, from: $0, in: step) ? $0 : nil }
    if let declaringSource, run.dueLinks?.add(declaringSource, in: step) == true { return }
    for relationship in step.relationships where !step.setByStatements.contains(relationship.relationship.name) {
      let outer = run.currentProperty
      defer { run.currentProperty = outer }
      run.currentProperty = relationship
      do {
        try set(relationship, of: object, from: source, in: step)
      } catch {
        throw HopError.wrapping(
          error, .migration,
          .init(
            mapping: step.name, property: relationship.relationship.name, object: source.map { "\($0)" } ?? "\(object)")
        )
      }
    }
  }

  /// Sets the relationships of an object that several source objects are associated with.
  ///
  /// A to-many relationship gets the targets for all source objects, along with those that its inverse gave it before.
  /// A to-one relationship gets the first target.
  private func connect(
    _ object: ManagedObject, toAllOf sources: [ManagedObject], in step: EntityMappingStep
  ) throws {
    for relationship in step.relationships where !step.setByStatements.contains(relationship.relationship.name) {
      let outer = run.currentProperty
      defer { run.currentProperty = outer }
      run.currentProperty = relationship
      var found: [ManagedObject] = []
      for source in sources {
        do {
          guard let objects = try objects(for: relationship, of: object, from: source, in: step) else { continue }
          found += objects
        } catch {
          throw HopError.wrapping(
            error, .migration,
            .init(mapping: step.name, property: relationship.relationship.name, object: "\(source)"))
        }
        if !relationship.relationship.isToMany, !found.isEmpty { break }
      }
      if !found.isEmpty { try run.sharedObjects.connect(object, relationship, to: found) }
    }
    run.sharedObjects.didConnect(object)
  }

  /// Returns the targets of a relationship for one of the source objects; nil if the mapping does not set the
  /// relationship.
  private func objects(
    for relationship: RelationshipStep, of object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep
  ) throws -> [ManagedObject]? {
    let outer = step.currentPair
    defer { step.currentPair = outer }
    step.currentPair = (object, source)
    guard try relationship.source(in: step.evaluation.environment, isToMany: { step.sourceToManys[$0] }).isSet,
      let expression = relationship.mapping.valueExpression
    else { return nil }
    let compiled = try CompiledExpression(expression, in: step.evaluation.environment)
    let value = try step.evaluation.evaluate(
      compiled, source: source, destination: object, property: relationship.mapping)
    return try relationship.objects(value)
  }

  private func set(
    _ relationship: RelationshipStep, of object: ManagedObject, from source: ManagedObject?, in step: EntityMappingStep
  ) throws {
    let way = try relationship.source(in: step.evaluation.environment) { step.sourceToManys[$0] }
    switch way {
    case .none: return
    case .related(let key, let isToMany, let mapping) where source?.entityNumber == step.sourceNumber:
      let target = try run.step(named: mapping)
      if let source, let here = step.sourceSlots[key],
        try isConnected(relationship, of: object, to: target, from: source, here)
      {
        return
      }
      let sources =
        try isToMany ? source?.objects(forKey: key) : source?.object(forKey: key).map { [$0] }
      let targets = try run.destinationInstances(of: target, sources: sources ?? [])
      // The link that the object may have comes from the other end.
      if targets.isEmpty, !isToMany, contradicts(key, in: step) { return }
      try give(targets, to: relationship, of: object)
    case .related:
      // A source object of an entity other than the mapping's has other relationships.
      guard let expression = relationship.mapping.valueExpression else { return }
      let compiled = try CompiledExpression(expression, in: step.evaluation.environment)
      try evaluate(compiled, relationship, object, source, step)
    case .same(let mapping, let expression):
      guard let source, let target = run.knownStep(named: mapping) else {
        return try evaluate(expression, relationship, object, source, step)
      }
      if try isConnected(relationship, of: object, to: target, from: source, nil) { return }
      try give(run.destinationInstances(of: target, sources: [source]), to: relationship, of: object)
    case .expression(let expression): try evaluate(expression, relationship, object, source, step)
    }
  }

  /// True for a one-to-one relationship of the source whose ends contradict each other.
  private func contradicts(_ relationship: String, in step: EntityMappingStep) -> Bool {
    let ends = run.survey.contradictoryEnds
    guard !ends.isEmpty, let entity = step.complete.sourceEntityName else { return false }
    return run.manager.sourceModel.end(of: relationship, entity: entity).map(ends.contains) ?? false
  }

  /// True if the relationship certainly has the right targets already, usually because its inverse was set before.
  /// Compares keys, so it returns false if not all keys can be computed.
  ///
  /// - Parameter here: The source relationship that leads to the targets' source objects; nil for the source object
  ///   itself.
  private func isConnected(
    _ relationship: RelationshipStep, of object: ManagedObject, to target: EntityMappingStep,
    from source: ManagedObject, _ here: RelationshipSlot?
  ) throws -> Bool {
    guard let there = relationship.slot, object.entityNumber == there.entity, let rule = target.keyRule,
      let made = target.destinationNumber, there.targets.contains(made), let wanted = target.sourceNumber,
      !run.associations.hasRecorded(mapping: target.mappingIndex)
    else { return false }
    // If the targets could belong to several entities, the entity of each would have to be looked up.
    if let here {
      guard here.targets == [wanted] else { return false }
    } else if source.entityNumber != wanted {
      return false
    }
    func destinationKey(_ key: Int64) -> Int64 {
      run.associations.isDeclared(key, mapping: target.mappingIndex) ? rule.destinationKey(ofSource: key) : 0
    }
    guard let here, here.isToMany else {
      let key = destinationKey(try here.map { try source.targetKey(at: $0) } ?? source.primaryKey)
      if !there.isToMany { return try object.targetKey(at: there) == key }
      return try object.targetKeys(at: there) == (key == 0 ? [] : [key])
    }
    var keys = try source.targetKeys(at: here).map(destinationKey).filter { $0 != 0 }
    guard there.isToMany else { return try keys.count <= 1 && object.targetKey(at: there) == keys.first ?? 0 }
    if here.isOrdered, !there.isOrdered { keys.sort() }
    return try object.targetKeys(at: there) == keys
  }

  private func evaluate(
    _ expression: CompiledExpression, _ relationship: RelationshipStep, _ object: ManagedObject,
    _ source: ManagedObject?, _ step: EntityMappingStep
  ) throws {
    let value = try step.evaluation.evaluate(
      expression, source: source, destination: object, property: relationship.mapping)
    let objects = try relationship.objects(value)
    relationship.evaluatedLinkCount += objects.count > 1 ? Set(objects.map(ObjectIdentifier.init)).count : objects.count
    try give(objects, to: relationship, of: object)
  }

  private func give(
    _ objects: [ManagedObject], to relationship: RelationshipStep, of object: ManagedObject
  ) throws {
    try relationship.set(run.sharedObjects.free(objects, for: relationship, of: object), of: object)
  }

  private func firstSource(of object: ManagedObject, in step: EntityMappingStep) throws -> ManagedObject? {
    if let pair = step.currentPair, pair.destination === object { return pair.source }
    return try run.sourceInstances(of: step, destinations: [object]).first
  }
}
