import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Records that a destination object is a counterpart of a source object.
  func associate(_ source: ManagedObject, _ object: ManagedObject, in step: EntityMappingStep) throws {
    guard source.context === sourceContext else {
      throw Diagnostic(
        .error, code: "migration.association", problem: "object \(source) does not belong to the source context",
        remedy: "associate objects of manager.sourceContext with objects of manager.destinationContext")
    }
    guard source.primaryKey > 0 else {
      throw Diagnostic(
        .error, code: "migration.association",
        problem: "object \(source) was created during the migration and is not in the source",
        remedy: "create new objects in manager.destinationContext")
    }
    guard object.context === destinationContext else {
      throw Diagnostic(
        .error, code: "migration.association", problem: "object \(object) does not belong to the destination context",
        remedy: "associate objects of manager.sourceContext with objects of manager.destinationContext")
    }
    if let declared = declaredKey(of: source, in: step), declared == object.primaryKey,
      object.entityNumber == step.destinationNumber
    {
      return
    }
    // Links that are due must not lead to this object.
    try dueLinks?.observe()
    if !associations.hasShared, steps.contains(where: { isDeclared(object, in: $0) }) { associations.noteShared() }
    try associations.record(
      source: .init(entity: source.entityNumber, key: source.primaryKey),
      destination: .init(entity: object.entityNumber, key: object.primaryKey), mapping: step.mappingIndex)
  }

  /// Returns the distinct counterparts of source objects; if `sources` is nil, all that the entity mapping created.
  func destinationInstances(of step: EntityMappingStep, sources: [ManagedObject]?) throws -> [ManagedObject] {
    var found = DistinctObjects()
    guard let sources else {
      try forEachDeclared(of: step) { found.append(try destinationObject($0, of: step)) }
      try associations.forEachRecorded(mapping: step.mappingIndex) { found.append(try destinationObject($1)) }
      return found.objects
    }
    let hasRecorded = associations.hasRecorded(mapping: step.mappingIndex)
    if !hasRecorded, sources.count == 1, let source = sources.first {
      // The fast path for the call that policies make most often.
      try check(source, in: sourceContext, "source")
      guard let key = declaredKey(of: source, in: step), let entity = step.destinationEntity else { return [] }
      return [destinationContext.fault(entity, key: key)]
    }
    for source in sources {
      try check(source, in: sourceContext, "source")
      if let key = declaredKey(of: source, in: step), let number = step.destinationNumber {
        found.append(try destinationContext.fault(numbered: number, key: key))
      }
      guard hasRecorded else { continue }
      let recorded = try associations.recordedDestinations(
        of: .init(entity: source.entityNumber, key: source.primaryKey), mapping: step.mappingIndex)
      for object in recorded { found.append(try destinationObject(object)) }
    }
    return found.objects
  }

  /// Returns the counterparts of source objects through all entity mappings that create targets of the current
  /// relationship.
  func destinationInstances(ofRelationship name: String, sources: [ManagedObject]) throws -> [ManagedObject] {
    let steps = try steps(ofRelationship: name)
    var found = DistinctObjects()
    for source in sources {
      for step in steps {
        for object in try destinationInstances(of: step, sources: [source]) { found.append(object) }
      }
    }
    return found.objects
  }

  /// Returns the distinct source objects of counterparts; if `destinations` is nil, those of all counterparts.
  func sourceInstances(of step: EntityMappingStep, destinations: [ManagedObject]?) throws -> [ManagedObject] {
    var found = DistinctObjects()
    guard let destinations else {
      try forEachDeclared(of: step) { key in
        if let name = step.complete.sourceEntityName { found.append(try sourceContext.fault(name, key: key)) }
      }
      try associations.forEachRecorded(mapping: step.mappingIndex, ofSources: true) { source, _ in
        found.append(try sourceObject(source))
      }
      return found.objects
    }
    for object in destinations {
      try check(object, in: destinationContext, "destination")
      if isDeclared(object, in: step), let rule = step.keyRule, let name = step.complete.sourceEntityName {
        found.append(try sourceContext.fault(name, key: rule.sourceKey(ofDestination: object.primaryKey)))
      }
      let recorded = try associations.recordedSources(
        of: .init(entity: object.entityNumber, key: object.primaryKey), mapping: step.mappingIndex)
      for source in recorded { found.append(try sourceObject(source)) }
    }
    return found.objects
  }

  /// True if an object was created as the mapping declares, with a key that was computed from its source object's key.
  func isDeclared(_ object: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard let rule = step.keyRule, object.entityNumber == step.destinationNumber else { return false }
    return associations.isDeclared(rule.sourceKey(ofDestination: object.primaryKey), mapping: step.mappingIndex)
  }

  /// True if an object was created from this source object as the mapping declares.
  func isDeclared(_ object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard let rule = step.keyRule, object.entityNumber == step.destinationNumber else { return false }
    return source.entityNumber == step.sourceNumber
      && rule.destinationKey(ofSource: source.primaryKey) == object.primaryKey
      && associations.isDeclared(source.primaryKey, mapping: step.mappingIndex)
  }

  func sourceObject(_ object: Associations.Object) throws -> ManagedObject {
    try sourceContext.fault(numbered: object.entity, key: object.key)
  }

  func destinationObject(_ object: Associations.Object) throws -> ManagedObject {
    try destinationContext.fault(numbered: object.entity, key: object.key)
  }

  /// Removes the associations of an object that is being deleted, and returns a function that restores them.
  func forgetAssociations(of object: ManagedObject) -> () -> Void {
    let keys = steps.compactMap { step -> (mapping: Int, key: Int64)? in
      guard isDeclared(object, in: step), let rule = step.keyRule else { return nil }
      return (step.mappingIndex, rule.sourceKey(ofDestination: object.primaryKey))
    }
    for (number, key) in keys { noteRead(key, ofEntity: steps[number].sourceNumber) }
    let restoring = destinationContext.keeping({}) { () throws -> () throws -> Void in
      try associations.forget(.init(entity: object.entityNumber, key: object.primaryKey), declaredKeys: keys)
    }
    return { [unowned destinationContext] in destinationContext.keeping((), restoring) }
  }

  /// Returns the key of the object that was created as declared from a source object.
  private func declaredKey(of source: ManagedObject, in step: EntityMappingStep) -> Int64? {
    guard let rule = step.keyRule, source.entityNumber == step.sourceNumber,
      associations.isDeclared(source.primaryKey, mapping: step.mappingIndex)
    else { return nil }
    return rule.destinationKey(ofSource: source.primaryKey)
  }

  private func destinationObject(_ sourceKey: Int64, of step: EntityMappingStep) throws -> ManagedObject? {
    guard let rule = step.keyRule, let name = step.complete.destinationEntityName else { return nil }
    return try destinationContext.fault(name, key: rule.destinationKey(ofSource: sourceKey))
  }

  private func forEachDeclared(of step: EntityMappingStep, _ body: (Int64) throws -> Void) throws {
    let keys = associations.declaredKeys(mapping: step.mappingIndex)
    for key in keys.keys(after: 0, atMost: .max, pages: keys.sortedPages) { try body(key) }
  }

  private func check(_ object: ManagedObject, in context: ManagedObjectContext, _ side: String) throws {
    guard object.context !== context else { return }
    throw Diagnostic(
      .error, code: "migration.association", problem: "object \(object) does not belong to the \(side) context",
      remedy: "request the counterparts of source objects, or the origins of destination objects")
  }
}

/// A list of objects that contains each object once, in the order of insertion.
private struct DistinctObjects {
  private(set) var objects: [ManagedObject] = []
  private var seen: Set<ObjectIdentifier> = []

  mutating func append(_ object: ManagedObject?) {
    guard let object else { return }
    // There are rarely more, and searching a short array is faster than maintaining a set.
    if objects.count < 8 {
      if objects.contains(where: { $0 === object }) { return }
    } else {
      if seen.isEmpty { seen = Set(objects.map(ObjectIdentifier.init)) }
      guard seen.insert(ObjectIdentifier(object)).inserted else { return }
    }
    objects.append(object)
  }
}

extension MigrationRun {
  /// Calls `body` with each pair of a source object and a destination object that an entity mapping created from it, or
  /// that a policy associated with it, each as its `Z_ENT` and its key.
  package func forEachOrigin(
    of step: EntityMappingStep,
    _ body: (_ source: (entity: Int, key: Int64), _ destination: (entity: Int, key: Int64)) throws -> Void
  ) throws {
    if let rule = step.keyRule, let old = step.sourceNumber, let new = step.destinationNumber {
      let keys = associations.declaredKeys(mapping: step.mappingIndex)
      let pages = keys.sortedPages
      var last: Int64 = 0
      // In batches: the set is small because it is a bitmap, but a list of all its keys would not be.
      while case let some = keys.keys(after: last, atMost: 4_096, pages: pages), let end = some.last {
        for key in some { try body((old, key), (new, rule.destinationKey(ofSource: key))) }
        last = end
      }
    }
    try associations.forEachAssociation(mapping: step.mappingIndex) { _, source, destination in
      try body((source.entity, source.key), (destination.entity, destination.key))
    }
  }
}
