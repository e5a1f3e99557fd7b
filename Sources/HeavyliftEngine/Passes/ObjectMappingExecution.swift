import HeavyliftStore
import HeavyliftExpression

/// Runs an entity mapping object by object, through its policy.
///
/// Source objects are read one at a time and then released. New objects are written and released from time to time.
struct ObjectMappingExecution {
  /// The number of objects that are processed together in the second pass.
  static let chunk = 256

  private let run: MigrationRun
  private let step: EntityMappingStep

  init(_ run: MigrationRun, _ step: EntityMappingStep) {
    self.run = run
    self.step = step
  }

  func createDestinationInstances() throws {
    // An entity mapping that removes objects creates none, but a policy may handle the objects that are removed.
    guard step.complete.destinationEntityName != nil || step.hasPolicy else { return }
    switch step.sourceObjects {
    case .none: return
    case .request(let request): try createDestinationInstances(for: request)
    case .expression(let expression):
      for source in try sources(of: expression) { try create(for: source) }
    }
  }

  private func createDestinationInstances(for request: FetchRequest) throws {
    try run.stores.evaluatingFilter(of: step.name) { try enumerate(request) }
  }

  private func enumerate(_ request: FetchRequest) throws {
    // Prefetched rows do not contain a policy's changes to source objects.
    guard !run.isSourceChanged, let rows = run.prepared.prefetch(for: step, in: run.destination) else {
      return try run.sourceContext.enumerateCurrent(request) { try create(for: $0) }
    }
    step.prefetch = rows
    defer { step.prefetch = nil }
    let pageSize = run.prepared.options.prefetching.pageSize
    try run.sourceContext.enumerate(request, prefetching: rows, pageSize: pageSize) { try create(for: $0) }
  }

  private func create(for source: ManagedObject) throws {
    // An earlier call of the policy may have deleted it.
    guard !source.isDeleted else { return }
    step.sourceCount += 1
    if step.hasPolicy { run.noteRead(source.primaryKey, ofEntity: source.entityNumber) }
    let before = createdCounts
    try run.calling("createDestinationInstances", step, object: source) {
      try step.policy.createDestinationInstances(forSource: source, in: step.mapping, manager: run.manager)
    }
    if step.hasPolicy, source.entityNumber == step.sourceNumber {
      let after = createdCounts
      if after.all > before.all { step.keysOfObjectsWithoutSuper.insert(source.primaryKey) }
      if after.own > before.own { step.keysOfInstancesWithoutSuper.insert(source.primaryKey) }
    }
    try run.didProcessObject()
  }

  /// The numbers of objects that were created without `super`: of all entities, and of the mapping's own.
  private var createdCounts: (all: Int, own: Int) {
    let context = run.destinationContext
    return (
      context.insertionCount - step.declaredCount,
      step.destinationEntity.map { context.insertedCount(of: $0) - step.declaredCount } ?? 0
    )
  }

  private func sources(of expression: CompiledExpression) throws -> [ManagedObject] {
    let value: ExpressionValue
    do {
      value = try step.evaluation.evaluate(expression, source: nil, destination: nil)
    } catch {
      throw HopError.wrapping(error, .migration, .init(mapping: step.name))
    }
    guard let list = ObjectList(expressionValue: value),
      list.objects.allSatisfy({ $0.context === run.sourceContext })
    else {
      throw HopError(
        .migration, place: .init(mapping: step.name),
        problem: "its source expression gives \(value.kind), not source objects",
        remedy: "write an expression that fetches objects from $manager.sourceContext")
    }
    if run.stores.mayNotDouble(step.mappingIndex) { try refuseRepeated(list.objects) }
    return list.objects
  }

  private func refuseRepeated(_ objects: [ManagedObject]) throws {
    let distinct = Set(objects.map(\.objectID)).count
    guard distinct < objects.count else { return }
    throw HopError(
      .migration, place: .init(mapping: step.name),
      problem: "its source expression gives \(objects.count) source objects, of which only \(distinct) are different",
      remedy: "write an expression that gives each object once, for example with '@distinctUnionOfObjects' or "
        + "'@distinctUnionOfSets', or write duplicates=\"intended\"")
  }

  func createRelationships() throws {
    guard step.mayConnect else { return }
    try connectDeclared()
    step.isConnected = true
    try run.associations.forEachRecorded(mapping: step.mappingIndex) { source, destination in
      // The policy may have deleted the object meanwhile.
      if run.destinationContext.hasDeleted,
        try run.associations.recordedSources(of: destination, mapping: step.mappingIndex).isEmpty
      {
        return
      }
      let object = try run.destinationObject(destination)
      guard !run.isDeclared(object, in: step) else { return }
      try connect(object, run.sourceObject(source))
    }
  }

  /// Sets the relationships of the objects that were created as declared, including those that the policy creates
  /// meanwhile.
  private func connectDeclared() throws {
    var done = KeySet()
    while true {
      let keys = run.associations.declaredKeys(mapping: step.mappingIndex)
      if keys.isSubset(of: done) { return }
      var new = keys
      done.forEach { new.remove($0) }
      try connectDeclared(new)
      done.formUnion(keys)
    }
  }

  /// Sets the relationships of the objects with these source keys, in their order.
  private func connectDeclared(_ keys: KeySet) throws {
    guard let rule = step.keyRule, let sourceEntity = step.sourceEntity, let destinationEntity = step.destinationEntity
    else { return }
    let pages = keys.sortedPages
    var last: Int64 = 0
    // While the policy neither reads nor keeps an object, because it only calls `super`, no row needs to be read.
    var areUsed = false
    while true {
      let some = keys.keys(after: last, atMost: Self.chunk, pages: pages)
      guard let end = some.last else { return }
      if !areUsed {
        for key in some where run.associations.isDeclared(key, mapping: step.mappingIndex) {
          var source = run.sourceContext.fault(sourceEntity, key: key)
          var object = run.destinationContext.fault(destinationEntity, key: rule.destinationKey(ofSource: key))
          try connect(object, source)
          if source.hasValues || object.hasValues || !isKnownUniquelyReferenced(&source)
            || !isKnownUniquelyReferenced(&object)
          {
            areUsed = true
          }
        }
        last = end
        continue
      }
      try forEachPair(some) { source, object in
        guard run.associations.isDeclared(source.primaryKey, mapping: step.mappingIndex) else { return }
        try connect(object, source)
      }
      last = end
    }
  }

  private func connect(_ object: ManagedObject, _ source: ManagedObject) throws {
    step.currentPair = (object, source)
    defer { step.currentPair = nil }
    try run.calling("createRelationships", step, object: source) {
      try step.policy.createRelationships(forDestination: object, in: step.mapping, manager: run.manager)
    }
    try run.didProcessObject()
  }

  /// Calls `body` with each source object and the counterpart that was created from it as declared. Each pair is
  /// released before the next one.
  private func forEachPair(
    _ keys: [Int64],
    _ body: (_ source: ManagedObject, _ object: ManagedObject) throws -> Void
  ) throws {
    var pairs = try pairs(keys)
    while let (source, object) = pairs.popLast() { try body(source, object) }
  }

  /// Returns the pairs in reverse, so `popLast` returns and releases them in key order.
  private func pairs(_ keys: [Int64]) throws -> [(source: ManagedObject, object: ManagedObject)] {
    guard let rule = step.keyRule, let source = step.complete.sourceEntityName,
      let destination = step.complete.destinationEntityName
    else { return [] }
    let sources = try run.sourceContext.faults(source, keys: keys)
    let objects = try run.destinationContext.faults(destination, keys: keys.map(rule.destinationKey(ofSource:)))
    return zip(sources, objects).reversed().map { ($0, $1) }
  }
}
