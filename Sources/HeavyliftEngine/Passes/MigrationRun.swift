import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A running migration from one store to another: its entity mappings, its associations, and the three passes.
package final class MigrationRun {
  /// The number of pending objects that triggers a flush.
  private static let largestBatch = 1_000
  /// The total size of pending objects that triggers a flush, because single values can be large.
  private static let mostBytes = 8 << 20

  unowned let manager: MigrationManager
  /// The manager's own; asking the manager for each object would cost more than looking at the flag.
  let cancellation: MigrationCancellation
  package let source: PersistentStore
  package let destination: PersistentStore
  let sourceContext: ManagedObjectContext
  let destinationContext: ManagedObjectContext
  let sourceReference: ContextReference
  let destinationReference: ContextReference
  let associations: Associations
  /// True once code has discarded the associations with `MigrationManager.reset()`.
  var wasReset = false
  /// The properties of source and destination objects that policies and functions have read or set.
  let handled: (source: HandledProperties, destination: HandledProperties)
  let prepared: PreparedMigration
  let plan: MigrationPlan
  var survey: SourceSurvey { prepared.survey }
  var stores: MappedStores { prepared.stores }
  /// The keys of the source objects that policies decided about, by `Z_ENT`.
  private(set) var readKeys: [KeySet]
  /// All entity mappings in the order in which they run.
  package private(set) var steps: [EntityMappingStep] = []
  private var stepsByMapping: [ObjectIdentifier: EntityMappingStep] = [:]
  private var currentStep: EntityMappingStep?
  /// The destination objects that several source objects are associated with.
  private(set) lazy var sharedObjects = SharedObjects(self)
  /// The links that are set, but not written yet.
  private(set) var dueLinks: DueLinks?
  /// The relationship whose expression is being evaluated.
  var currentProperty: RelationshipStep?
  /// The index of the mapping model that is running.
  private(set) var modelIndex = 0 {
    didSet {
      stepsByName = Self.byName(steps, upTo: modelIndex)
      lastNamed = nil
    }
  }
  private var lastNamed: (name: String, step: EntityMappingStep)?
  private var stepsByName: [String: EntityMappingStep] = [:]
  private(set) var progress = ProgressCount()

  init(
    manager: MigrationManager, source: PersistentStore, destination: PersistentStore,
    prepared: PreparedMigration, associationsURL: URL
  ) throws {
    let (plan, stores) = (prepared.plan, prepared.stores)
    readKeys = [KeySet](repeating: KeySet(), count: (source.layout.entities.map(\.number).max() ?? 0) + 1)
    (self.prepared, self.plan) = (prepared, plan)
    self.manager = manager
    cancellation = manager.cancellation
    self.source = source
    self.destination = destination
    handled = (HandledProperties(of: source), HandledProperties(of: destination))
    sourceContext = ManagedObjectContext(store: source)
    destinationContext = ManagedObjectContext(store: destination)
    sourceContext.registersEverything = true
    for context in [sourceContext, destinationContext] { context.throwsFailures = true }
    destinationContext.beginBulkLoad(firstKeys: stores.keys.firstFreeKeys)
    sourceReference = ContextReference(sourceContext)
    destinationReference = ContextReference(destinationContext)
    associations = Associations(tableURL: associationsURL, mappings: stores.mappings.count)
    for (mappingIndex, complete) in stores.mappings.enumerated() {
      let policy =
        try complete.policyClassName.map { try manager.policies.policy(named: $0).init() } ?? EntityMigrationPolicy()
      let step = try EntityMappingStep(
        mappingIndex: mappingIndex, modelIndex: stores.modelIndexes[mappingIndex], complete: complete, policy: policy,
        keyRule: stores.keys.rules[mappingIndex], manager: manager, source: source, destination: destination)
      steps.append(step)
      stepsByMapping[ObjectIdentifier(step.mapping)] = step
    }
    destinationContext.deletionHandler = { [unowned self] object in forgetAssociations(of: object) }
  }

  // A policy may have kept the context.
  deinit {
    destinationContext.willReadLinks = nil
    destinationContext.deletionHandler = nil
  }

  /// Returns the entity mappings by name. If several have the same name, the first one in the mapping model that is
  /// running counts, or else the last one before it.
  private static func byName(_ steps: [EntityMappingStep], upTo modelIndex: Int) -> [String: EntityMappingStep] {
    var byName: [String: EntityMappingStep] = [:]
    for step in steps where step.modelIndex <= modelIndex {
      if let known = byName[step.name], known.modelIndex == step.modelIndex, step.modelIndex == modelIndex { continue }
      byName[step.name] = step
    }
    return byName
  }

  // MARK: Finding mappings

  /// Returns the step of an entity mapping that a policy was given.
  func step(for mapping: EntityMapping) throws -> EntityMappingStep {
    if let currentStep, currentStep.mapping === mapping { return currentStep }
    guard let step = stepsByMapping[ObjectIdentifier(mapping)] else {
      throw Diagnostic(
        .error, code: "migration.foreign-mapping",
        problem: "entity mapping '\(mapping.name)' is not part of the running migration",
        remedy: "use the entity mapping that was passed to the policy")
    }
    return step
  }

  /// Returns the entity mapping with a name: the one in the mapping model that is running, or else one that ran before.
  func step(named name: String) throws -> EntityMappingStep {
    // Most policies look up their own entity mapping, once for each object.
    if let lastNamed, lastNamed.name == name { return lastNamed.step }
    if let step = stepsByName[name] {
      lastNamed = (name, step)
      return step
    }
    throw Diagnostic(
      .error, code: "migration.unknown-mapping", problem: "there is no entity mapping '\(name)'",
      remedy: steps.filter { $0.modelIndex <= modelIndex }.map(\.name).suggestion(for: name, kind: "entity mapping"))
  }

  /// Returns the entity mapping with a name; nil if there is none.
  func knownStep(named name: String) -> EntityMappingStep? { stepsByName[name] }

  /// Returns the entity mappings that create objects for the relationship being set from the objects of a relationship
  /// of the current source entity.
  func steps(ofRelationship name: String) throws -> [EntityMappingStep] {
    let mapping = manager.currentEntityMapping
    let entity = manager.sourceModel.entity(named: mapping?.sourceEntityName)
    let relationships = entity.map(manager.sourceModel.allRelationships(of:)) ?? []
    guard let relationship = relationships.first(where: { $0.name == name }) else {
      throw Diagnostic(
        .error, code: "migration.unknown-relationship",
        problem: "source entity '\(entity?.name ?? "nil")' has no relationship '\(name)'",
        remedy: relationships.map(\.name).suggestion(for: name, kind: "relationship"))
    }
    let wanted = currentProperty?.relationship.destinationEntityName
    return try stores.fitting[modelIndex].names(from: relationship.destinationEntityName, to: wanted).map(step(named:))
  }

  // MARK: The passes

  /// Runs all passes of each mapping model in turn, and writes everything.
  func perform() throws {
    progress = ProgressCount(total: expectedCount)
    manager.objectCounts = (0, progress.total)
    dueLinks = DueLinks(self)
    for step in steps { step.policy.run = self }
    defer { for step in steps { step.policy.run = nil } }
    for (modelIndex, mappingModel) in stores.mappingModels.enumerated() {
      self.modelIndex = modelIndex
      manager.mappingModel = mappingModel
      let steps = steps.filter { $0.modelIndex == modelIndex }
      for step in steps {
        begin(step, .instances)
        try calling("begin", step) { try step.policy.begin(step.mapping, with: manager) }
        try makeInstances(of: step)
        try waitUntilWritten()
        let (objects, declared) = (destinationContext.insertionCount, step.declaredCount)
        try calling("endInstanceCreation", step) {
          try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
        }
        step.createsObjectsAtEnd = destinationContext.insertionCount - objects > step.declaredCount - declared
      }
      try connect(steps)
      for step in steps {
        begin(step, .validation)
        try calling("performCustomValidation", step) {
          try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
        }
      }
      for step in steps {
        begin(step, .validation)
        try calling("end", step) { try step.policy.end(step.mapping, manager: manager) }
      }
    }
    manager.currentEntityMapping = nil
    try flush()
  }

  private func makeInstances(of step: EntityMappingStep) throws {
    if makesRowsBySQL(step) {
      destinationContext.releaseHeldObjects()
      try SQLMappingExecution(self, step).createDestinationInstances()
    } else {
      try deleteKeptRows(of: step)
      try ObjectMappingExecution(self, step).createDestinationInstances()
    }
  }

  /// True if a policy has changed or deleted source objects. Statements read the file, which does not have such
  /// changes.
  var isSourceChanged: Bool { sourceContext.hasChanges }

  /// Calls code of the program, and records the properties that it reads or sets.
  func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try noting(handled.source, handled.destination, body)
  }

  /// Calls the engine's own code for the program's, without recording the properties that it reads or sets.
  func notNoting<Result>(_ body: () throws -> Result) rethrows -> Result { try noting(nil, nil, body) }

  private func noting<Result>(
    _ ofSource: HandledProperties?, _ ofDestination: HandledProperties?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = (source.handledProperties, destination.handledProperties)
    (source.handledProperties, destination.handledProperties) = (ofSource, ofDestination)
    defer { (source.handledProperties, destination.handledProperties) = outer }
    return try body()
  }

  /// Records that a policy decides about a source object: the policy is given the object, or deletes its counterpart.
  func noteRead(_ key: Int64, ofEntity number: Int?) {
    // A policy can insert a source object, which has no key of the store.
    if let number, key > 0 { readKeys[number].insert(key) }
  }

  /// Deletes the rows of an entity mapping that came with a kept table, because they must be created as objects: a
  /// progress handler has changed source objects.
  private func deleteKeptRows(of step: EntityMappingStep) throws {
    guard plan.steps[step.mappingIndex].rows == .kept,
      let entity = destination.layout.entity(named: step.complete.destinationEntityName)
    else { return }
    try flushing {
      try destination.database.run(
        "DELETE FROM \(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number)")
    }
  }

  private func makesRowsBySQL(_ step: EntityMappingStep) -> Bool {
    // A policy may have created some of the objects already.
    plan.steps[step.mappingIndex].rows.isSQL && !isSourceChanged
      && associations.declaredKeys(mapping: step.mappingIndex).count == 0
  }

  /// The second pass.
  private func connect(_ steps: [EntityMappingStep]) throws {
    if plan.writesLinksWithRows, !isSourceChanged {
      for step in steps { try SQLMappingExecution(self, step).writeJoins() }
    }
    for step in steps {
      begin(step, .relationships)
      try dueLinks?.begin(step)
      try createRelationships(of: step)
      try calling("endRelationshipCreation", step) {
        try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
      }
    }
    try flushing { try dueLinks?.observe() }
  }

  private func createRelationships(of step: EntityMappingStep) throws {
    defer { step.isConnected = true }
    let planned = plan.steps[step.mappingIndex]
    guard planned.relationships != .nothing else { return }
    if !step.hasPolicy { step.setByStatements = setByStatements(step) }
    if planned.relationships.isSQL, step.setByStatements.isSuperset(of: planned.relationshipsBySQL) {
      didProcessRows(step.declaredCount)
      try cancellation.check(in: step.name)
    } else {
      try ObjectMappingExecution(self, step).createRelationships()
    }
  }

  /// Sets the relationships of an entity mapping that need not be set object by object, and returns their names.
  private func setByStatements(_ step: EntityMappingStep) -> Set<String> {
    // A policy associated objects through another mapping, or changed the source: no plan can foresee this.
    if associations.hasRecorded(mapping: step.mappingIndex) || isSourceChanged { return [] }
    return dueLinks?.add(step) ?? []
  }

  private func begin(_ step: EntityMappingStep, _ pass: MigrationProgress.Pass) {
    manager.currentEntityMapping = step.mapping
    currentStep = step
    manager.currentPass = pass
    sourceContext.releaseHeldObjects()
    destinationContext.releaseHeldObjects()
    report()
  }

  /// Calls a method of a policy. Errors are wrapped with the entity mapping, the method and the object.
  func calling(_ hook: String, _ step: EntityMappingStep, object: ManagedObject? = nil, _ body: () throws -> Void)
    throws
  {
    try cancellation.check(in: step.name)
    let code: HopError.Code = step.hasPolicy ? .entityMigrationPolicy : .migration
    do {
      try step.hasPolicy ? noting(body) : body()
      // An error from a subscript or another member that cannot throw.
      if let failure = destinationContext.failure ?? sourceContext.failure { throw failure }
    } catch {
      throw HopError.wrapping(
        error, code,
        .init(mapping: step.name, hook: step.hasPolicy ? hook : nil, object: object.map { "\($0)" }))
    }
    try cancellation.check(in: step.name)
  }

  /// Flushes if necessary, and counts an object as processed in the current pass.
  func didProcessObject() throws {
    try flushIfNeeded()
    didProcessRows()
  }

  /// Hands finished rows to the writing thread, and flushes if many objects or bytes are pending.
  func flushIfNeeded() throws {
    try flushing { try destinationContext.passOn() }
    if destinationContext.pendingCount >= Self.largestBatch || destinationContext.weighPending() > Self.mostBytes {
      try flushBehind()
    }
  }

  /// Counts rows that have no objects as processed in the current pass.
  func didProcessRows(_ count: Int = 1) {
    guard progress.advance(by: count) else { return }
    manager.migrationProgress = progress.fraction
    manager.objectCounts.done = progress.done
    report()
  }

  private func report() {
    manager.reportProgress()
    // If the task in which a migration runs is cancelled, so is the migration. `Progress` calls its cancellation
    // handler later and on another thread, so it is checked here as well.
    if Task.isCancelled || manager.reporter.progress.isCancelled { manager.cancellation.cancel() }
  }

  func flush() throws { try flushing { try destinationContext.flush() } }

  /// Flushes, with new objects written by another thread.
  private func flushBehind() throws {
    try flushing { try destinationContext.flushBehind() }
  }

  /// Waits until queued rows are written, so that an error names the entity mapping that created the row.
  private func waitUntilWritten() throws { try flushing { try destinationContext.waitUntilWritten() } }

  private func flushing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw HopError.wrapping(
        error, .destinationStore, .init(mapping: manager.currentEntityMapping?.name))
    }
  }

  private var expectedCount: Int {
    steps.reduce(into: 0) { total, step in
      guard case .request(let request) = step.sourceObjects, let count = survey.counts[request.entityName] else {
        return
      }
      if step.complete.destinationEntityName != nil {
        total += count * (step.mayConnect ? 2 : 1)
      } else if step.hasPolicy {
        total += count
      }
    }
  }
}
