import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// One migration from one store into another, while it runs: who has what, and the passes.
final class MigrationRun {
  /// How many objects may wait to be written.
  private static let largestBatch = 1_000
  /// Of big values fewer may wait.
  private static let mostBytes = 8 << 20

  unowned let manager: MigrationManager
  let source: PersistentStore
  let destination: PersistentStore
  let sourceContext: ManagedObjectContext
  let destinationContext: ManagedObjectContext
  let sourceReference: ContextReference
  let destinationReference: ContextReference
  let associations: Associations
  let plan: MigrationPlan
  let planner: MigrationPlanner
  private let attachment: SourceAttachment?
  /// The keys of the source objects that come along, of the steps that the plan says so of; before the first is made.
  var predictedKeys: [Int: KeySet] = [:]
  /// The keys of the source objects that policies were given, by `Z_ENT`.
  private(set) var readKeys: [Int: KeySet] = [:]
  /// What statements have seen of the rows that they wrote.
  var keptRules = KeptRules()
  /// All entity mappings in the order in which they run.
  private(set) var steps: [EntityMappingStep] = []
  private var stepsByMapping: [ObjectIdentifier: EntityMappingStep] = [:]
  private var currentStep: EntityMappingStep?
  /// Objects that several source objects are associated with.
  private(set) lazy var sharedObjects = SharedObjects(self)
  /// The relationships that are written with the rows.
  private(set) var rowLinks: RowLinks?
  /// True once statements have set relationships after the rows were written.
  private(set) var hasChangedLinks = false
  /// The relationship whose expression is evaluated.
  var currentProperty: RelationshipStep?
  /// The place of the mapping model that runs.
  private(set) var stage = 0 {
    didSet {
      stepsByName = Self.byName(steps, upTo: stage)
      lastNamed = nil
    }
  }
  private var lastNamed: (name: String, step: EntityMappingStep)?
  private var stepsByName: [String: EntityMappingStep] = [:]
  let completes: [CompleteMappingModel]
  private let fitting: [FittingMappings]
  private var progress = ProgressCount()

  init(
    manager: MigrationManager, source: PersistentStore, destination: PersistentStore,
    mappings: [CompleteMappingModel], plan: MigrationPlan, planner: MigrationPlanner, attachment: SourceAttachment?,
    associationsURL: URL
  ) throws {
    let keys = plan.keys
    self.plan = plan
    self.planner = planner
    self.attachment = attachment
    self.manager = manager
    self.source = source
    self.destination = destination
    completes = mappings
    sourceContext = ManagedObjectContext(store: source)
    destinationContext = ManagedObjectContext(store: destination)
    sourceContext.registersEverything = true
    destinationContext.beginBuilding(firstKeys: keys.firstFreeKeys)
    sourceReference = ContextReference(sourceContext)
    destinationReference = ContextReference(destinationContext)
    associations = Associations(
      tableURL: associationsURL, mappings: mappings.reduce(0) { $0 + $1.entityMappings.count })
    let (old, new) = (ModelIndex(manager.sourceModel), ModelIndex(manager.destinationModel))
    fitting = mappings.map {
      FittingMappings(
        $0.entityMappings.map(\.description), after: $0.earlierEntityMappings.map(\.description), source: old,
        destination: new)
    }
    for (stage, mapping) in mappings.enumerated() {
      for complete in mapping.entityMappings {
        let policy =
          try complete.policyClassName.map { try manager.policies.policy(named: $0).init() } ?? EntityMigrationPolicy()
        let step = try EntityMappingStep(
          number: steps.count, stage: stage, complete: complete, policy: policy, keyRule: keys.rules[steps.count],
          manager: manager, source: source, destination: destination)
        steps.append(step)
        stepsByMapping[ObjectIdentifier(step.mapping)] = step
      }
    }
    destinationContext.deletionHandler = { [unowned self] object in forget(object) }
  }

  /// Of several entity mappings of one name the first of the mapping model that runs, or else the last that ran.
  private static func byName(_ steps: [EntityMappingStep], upTo stage: Int) -> [String: EntityMappingStep] {
    var byName: [String: EntityMappingStep] = [:]
    for step in steps where step.stage <= stage {
      if let known = byName[step.name], known.stage == step.stage, step.stage == stage { continue }
      byName[step.name] = step
    }
    return byName
  }

  // MARK: Finding mappings

  /// The step of a live entity mapping.
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

  /// The entity mapping of that name in the mapping model that runs, or else in one that ran before.
  func step(named name: String) throws -> EntityMappingStep {
    // Policies mostly ask for their own, again and again.
    if let lastNamed, lastNamed.name == name { return lastNamed.step }
    if let step = stepsByName[name] {
      lastNamed = (name, step)
      return step
    }
    throw Diagnostic(
      .error, code: "migration.unknown-mapping", problem: "there is no entity mapping '\(name)'",
      remedy: steps.filter { $0.stage <= stage }.map(\.name).suggestion(for: name, kind: "entity mapping"))
  }

  /// The entity mapping of that name, where there is one.
  func knownStep(named name: String) -> EntityMappingStep? { stepsByName[name] }

  /// The entity mappings that make, out of the objects of a relationship of the current source entity, those of the
  /// relationship that is set.
  func steps(ofRelationship name: String) throws -> [EntityMappingStep] {
    let mapping = manager.currentEntityMapping
    let entity = mapping?.sourceEntityName.flatMap(manager.sourceModel.entity(named:))
    let relationships = entity.map(manager.sourceModel.allRelationships(of:)) ?? []
    guard let relationship = relationships.first(where: { $0.name == name }) else {
      throw Diagnostic(
        .error, code: "migration.unknown-relationship",
        problem: "source entity '\(entity?.name ?? "nil")' has no relationship '\(name)'",
        remedy: relationships.map(\.name).suggestion(for: name, kind: "relationship"))
    }
    let wanted = currentProperty?.relationship.destinationEntityName
    return try fitting[stage].names(from: relationship.destinationEntityName, to: wanted).map(step(named:))
  }

  // MARK: The passes

  /// Runs all passes of one mapping model after the other, and writes everything.
  func perform() throws {
    progress = ProgressCount(total: try expectedCount())
    manager.objectCounts = (0, progress.total)
    rowLinks = try RowLinks(self)
    for place in plan.predictedSteps.sorted() where plan.steps[place].rows.isSQL {
      try SQLMappingExecution(self, steps[place]).predictKeys()
    }
    for stage in completes.indices {
      self.stage = stage
      manager.mappingModel = completes[stage]
      let steps = steps.filter { $0.stage == stage }
      for step in steps {
        begin(step, .instances)
        try calling("begin", step) { try step.policy.begin(step.mapping, with: manager) }
        try makeInstances(of: step)
        try settle()
        try calling("endInstanceCreation", step) {
          try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
        }
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
    try destination.makeDeferredIndexes()
  }

  private func makeInstances(of step: EntityMappingStep) throws {
    if makesRowsBySQL(step) {
      destinationContext.releaseHeldObjects()
      try SQLMappingExecution(self, step).createDestinationInstances()
    } else {
      rowLinks?.begin(step)
      try ObjectMappingExecution(self, step).createDestinationInstances()
    }
  }

  /// Whether somebody has changed objects of the source, or deleted some. Nothing of that is in the file that statements
  /// read.
  var isSourceChanged: Bool { sourceContext.hasChanges }

  /// Takes note that a policy decides about a source object: it is given the object, or deletes its counterpart.
  func noteRead(_ key: Int64, ofEntity number: Int?) {
    if let number { readKeys[number, default: KeySet()].insert(key) }
  }

  private func makesRowsBySQL(_ step: EntityMappingStep) -> Bool {
    // A policy may have created some of the objects already.
    plan.steps[step.number].rows.isSQL && !isSourceChanged && associations.declaredKeys(mapping: step.number).count == 0
  }

  /// The second pass.
  private func connect(_ steps: [EntityMappingStep]) throws {
    rowLinks?.endRows()
    if !isSourceChanged { for step in steps { try SQLMappingExecution(self, step).writeJoins() } }
    for step in steps {
      begin(step, .relationships)
      try createRelationships(of: step)
      try calling("endRelationshipCreation", step) {
        try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
      }
    }
    try flushing { try rowLinks?.finish() }
  }

  private func createRelationships(of step: EntityMappingStep) throws {
    let planned = plan.steps[step.number]
    guard planned.connections != .nothing else { return }
    if step.isDeclarative { step.connectedBySQL = try connectBySQL(step) }
    if planned.connections.isSQL, step.connectedBySQL.isSuperset(of: planned.connectedBySQL) {
      for _ in 0..<step.declaredCount { didProcessRow() }
      if let reason = manager.cancellation.reason { throw cancelled(reason, step) }
    } else {
      try ObjectMappingExecution(self, step).createRelationships()
    }
  }

  /// Sets the relationships of an entity mapping that need no objects, and returns their names.
  private func connectBySQL(_ step: EntityMappingStep) throws -> Set<String> {
    let connections = plan.steps[step.number].connectionPlans
    // A policy associated objects through a mapping without a policy, or changed the source: no plan can foresee this.
    guard !associations.hasRecorded(mapping: step.number), !isSourceChanged, !sharedObjects.mayTake(step, connections)
    else { return [] }
    let names = rowLinks?.show(step) ?? []
    guard !connections.isEmpty else { return names }
    hasChangedLinks = true
    // If an object cannot have the links that it should, objects find the first one, and report it.
    guard try LinkExecution(self, step, connections).perform() else { return [] }
    return names.union(connections.map(\.relationship))
  }

  private func begin(_ step: EntityMappingStep, _ pass: MigrationProgress.Pass) {
    manager.currentEntityMapping = step.mapping
    currentStep = step
    manager.currentPass = pass
    sourceContext.releaseHeldObjects()
    destinationContext.releaseHeldObjects()
    tell()
  }

  /// Calls a method of a policy, and says of whatever goes wrong where it did.
  func calling(_ hook: String, _ step: EntityMappingStep, object: ManagedObject? = nil, _ body: () throws -> Void)
    throws
  {
    if let reason = manager.cancellation.reason { throw cancelled(reason, step) }
    let code: MigrationError.Code = step.isDeclarative ? .migration : .entityMigrationPolicy
    do {
      try body()
      // What went wrong in a subscript, or where nothing could be thrown.
      if let failure = destinationContext.failure ?? sourceContext.failure { throw failure }
    } catch {
      throw MigrationError.wrapping(
        error, code,
        .init(mapping: step.name, hook: step.isDeclarative ? nil : hook, object: object.map { "\($0)" }))
    }
    if isSourceChanged { try flushing { try rowLinks?.discardHidden() } }
    if let reason = manager.cancellation.reason { throw cancelled(reason, step) }
  }

  func cancelled(_ reason: any Error, _ step: EntityMappingStep) -> MigrationError {
    MigrationError(
      .cancelled, occasion: .init(mapping: step.name), problem: "the migration was cancelled: \(reason)",
      underlying: reason)
  }

  /// Notes that one object of one pass is done.
  func didProcessObject() throws {
    try flushIfNeeded()
    didProcessRow()
  }

  /// Has what was made written, and let go of, if that is much.
  func flushIfNeeded() throws {
    try flushing { try destinationContext.passOn() }
    if destinationContext.pendingCount >= Self.largestBatch || destinationContext.weighPending() > Self.mostBytes {
      try flushBehind()
    }
  }

  /// The same of a row that no object stands for.
  func didProcessRow() {
    guard progress.advance() else { return }
    manager.migrationProgress = progress.fraction
    manager.objectCounts.done = progress.done
    tell()
  }

  private func tell() {
    manager.tellProgress()
    // To cancel the task in which a migration runs is to cancel the migration. A progress tells its handler on some other
    // thread, some time later.
    if Task.isCancelled || manager.reporter.progress.isCancelled { manager.cancellation.cancel() }
  }

  func flush() throws { try flushing { try destinationContext.flush() } }

  /// Has objects written that are not new any more when the next ones are made.
  private func flushBehind() throws {
    try flushing { try destinationContext.flushBehind() }
  }

  /// Waits for what is written behind, so that the entity mapping is named whose rows cannot be.
  private func settle() throws { try flushing { try destinationContext.settle() } }

  private func flushing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw MigrationError.wrapping(
        error, .destinationStore, .init(mapping: manager.currentEntityMapping?.name))
    }
  }

  private func expectedCount() throws -> Int {
    try steps.reduce(into: 0) { total, step in
      guard case .request(let request) = step.sourceObjects, step.complete.destinationEntityName != nil else { return }
      if request.entityName == step.complete.sourceEntityName, !request.includesSubentities {
        total += (plan.steps[step.number].sourceCount ?? 0) * (step.mayConnect ? 2 : 1)
        return
      }
      // All objects of the entity: to count by the filter would be to evaluate it twice.
      var all = request
      all.predicate = nil
      total += try sourceContext.count(for: all) * (step.mayConnect ? 2 : 1)
    }
  }
}
