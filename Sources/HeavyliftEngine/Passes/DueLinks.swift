import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The links that are set in the second pass, but not written yet.
///
/// When an object's turn comes, or that of all objects of an entity mapping without a policy, this only records their
/// keys. The links of all recorded objects are then written together, one statement for each entity mapping, which costs
/// much less than one statement for each object: before something reads links, and at the end of the pass.
///
/// Only for relationships whose links do not depend on the order in which they are set (`RowLinkPlanner`), while nothing
/// but this class sets them.
final class DueLinks {
  /// One end of a relationship, as the objects of an entity mapping have it.
  private struct End {
    let relationship: RowRelationship
    /// The entity mappings that set the relationship from this end, and from the other end.
    let own: Set<Int>
    let others: Set<Int>
  }

  /// The objects of an entity mapping, to which a link leads.
  private struct Target {
    let rule: KeyRule
    /// `Z_ENT` of the objects.
    let entity: Int64
  }

  private unowned let run: MigrationRun
  /// By the index of the entity mapping and the name of the relationship.
  private var ends: [[String: End]]
  /// The source keys of the objects whose turn has come, by the index of the entity mapping.
  private var keys: [KeySet]
  /// The entity mappings with keys that were recorded since the last write, except for `current`.
  private var recorded: Set<Int> = []
  /// The entity mapping whose policy is setting relationships, until something reads links: from then on, they are set
  /// object by object, because a statement for each of them would read the whole table.
  private var current: Int?
  /// The number of SQL functions that were registered.
  private var functionCount = 0

  init(_ run: MigrationRun) {
    self.run = run
    keys = run.steps.map { _ in KeySet() }
    ends = run.steps.map { _ in [:] }
    for relationship in run.plan.rowRelationships {
      let (first, second) = (relationship.first, relationship.second)
      for (end, (own, other)) in zip(relationship.ends, [(first, second), (second, first)]) {
        for mappingIndex in own.all {
          ends[mappingIndex][end.name] = End(
            relationship: relationship, own: own.declaring, others: other.declaring)
        }
      }
    }
  }

  // MARK: Recording

  /// Prepares for the turn of an entity mapping in the second pass.
  func begin(_ step: EntityMappingStep) throws {
    if run.plan.writesLinksWithRows { return }
    // Writing changed links reads them, which must not write the due ones meanwhile.
    try run.flush()
    let names = step.relationships.filter { $0.mapping.valueExpression != nil }.map(\.relationship.name)
    let isPossible = step.hasPolicy && !names.isEmpty && openRelationships(of: step).isSuperset(of: names)
    stopRecording()
    if isPossible { current = step.mappingIndex }
    watch()
  }

  /// Stops recording the objects of a policy's entity mapping one by one.
  private func stopRecording() {
    if let current, keys[current].count > 0 { recorded.insert(current) }
    current = nil
  }

  /// Records that the relationships of an entity mapping's objects are set, and returns their names.
  func add(_ step: EntityMappingStep) -> Set<String> {
    guard mayAdd(step) else { return [] }
    let names = openRelationships(of: step)
    if !names.isEmpty, !run.plan.writesLinksWithRows {
      keys[step.mappingIndex] = run.associations.declaredKeys(mapping: step.mappingIndex)
      recorded.insert(step.mappingIndex)
      watch()
    }
    return names
  }

  /// Records that all relationships of the object that was created from a source object are set. Returns false if they
  /// must be set by way of the object.
  func add(_ source: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard step.mappingIndex == current, mayAdd(step) else { return false }
    keys[step.mappingIndex].insert(source.primaryKey)
    return true
  }

  /// False if the links that an entity mapping sets may differ from those in the source's file.
  private func mayAdd(_ step: EntityMappingStep) -> Bool {
    step.mapping.revision == 0 && !run.isSourceChanged && !run.associations.hasShared
  }

  /// The relationships that an entity mapping sets, and that nothing else has set for any object.
  private func openRelationships(of step: EntityMappingStep) -> Set<String> {
    Set(
      ends[step.mappingIndex].filter { _, end in end.own.contains(step.mappingIndex) && isOpen(end.relationship) }
        .keys)
  }

  private func isOpen(_ relationship: RowRelationship) -> Bool {
    let mappingIndexes = relationship.first.all.union(relationship.second.all)
    if run.associations.hasRecorded, mappingIndexes.contains(where: run.associations.hasRecorded(mapping:)) {
      return false
    }
    guard let changed = run.destinationContext.changedRelationships else { return true }
    let model = run.manager.destinationModel
    return !changed.contains { entity, property in
      relationship.ends.contains { end in
        end.name == property && model.entity(named: entity).map { model.entity($0, isKindOf: end.entity) } ?? false
      }
    }
  }

  // MARK: Writing

  /// Has the destination's context call `observe` if there is anything to write, or may soon be.
  private func watch() {
    run.destinationContext.willReadLinks =
      current == nil && recorded.isEmpty ? nil : { [unowned self] in try observe() }
  }

  /// Writes all links that are due. Called before something may see them or change what they lead to, and at the end of
  /// the second pass.
  func observe() throws {
    guard current != nil || !recorded.isEmpty else { return }
    stopRecording()
    let some = recorded
    recorded = []
    watch()
    guard !some.isEmpty else { return }
    try run.flush()
    for step in run.steps { try write(step, some) }
    try run.destinationContext.rereadLinks()
  }

  /// Writes the links of an entity mapping's objects from or to objects of some entity mappings.
  private func write(_ step: EntityMappingStep, _ some: Set<Int>) throws {
    func isDue(_ link: RelationshipPlan) -> Bool {
      guard let end = ends[step.mappingIndex][link.name], isOpen(end.relationship) else { return false }
      return end.own.contains(step.mappingIndex) && some.contains(step.mappingIndex)
        || link.targets.contains { end.others.contains($0) && some.contains($0) }
    }
    try writeColumns(run.plan.steps[step.mappingIndex].rowRelationships.filter(isDue), of: step)
    for join in run.prepared.joins(of: step.mappingIndex) where isDue(join.plan) {
      let (owners, find) = (run.lookedUp(step.mappingIndex), finder(of: join.plan, among: [join.target], from: step))
      let test = try register(argumentCount: 2) { arguments, result in
        let (owner, target) = (arguments.key(at: 0), arguments.key(at: 1))
        result.set(integer: owners.contains(owner) && find(owner, target) != nil ? 1 : 0)
      }
      try SQLMappingExecution(run, step).write(join, test: test)
    }
  }

  /// Writes to-one relationships that are columns of the objects' rows.
  private func writeColumns(_ links: [RelationshipPlan], of step: EntityMappingStep) throws {
    // The rows of a kept table contain their links already.
    guard !links.isEmpty, run.plan.steps[step.mappingIndex].rows != .kept, let rule = step.keyRule else { return }
    let objects = run.lookedUp(step.mappingIndex)
    let isCreated = try register(argumentCount: 1) { arguments, result in
      result.set(integer: objects.contains(rule.sourceKey(ofDestination: arguments.integer(at: 0))) ? 1 : 0)
    }
    let updates = try links.map { link in
      let find = finder(of: link, among: link.targets, from: step)
      let key = try register(argumentCount: 2) { arguments, result in
        let key = arguments.key(at: 1)
        if let target = find(arguments.key(at: 0), key) {
          result.set(integer: target.rule.destinationKey(ofSource: key))
        }
      }
      let entity = try register(argumentCount: 2) { arguments, result in
        if let target = find(arguments.key(at: 0), arguments.key(at: 1)) { result.set(integer: target.entity) }
      }
      return LinkUpdate.Link(
        relationship: link.name, source: link.source, keyFunction: key, entityFunction: entity,
        orderFunction: link.keepsInverseOrder ? try register(turnOf: link, from: step) : nil)
    }
    let update = LinkUpdate(
      updates, from: run.stores.source, entity: step.complete.sourceEntityName ?? "", to: run.stores.destination,
      entity: step.complete.destinationEntityName ?? "", keyOffset: rule.offset, isCreatedFunction: isCreated)
    guard let update else { throw SQLMappingExecution(run, step).mismatch("a relationship has no column") }
    let database = run.destination.database
    try run.destination.reporting { try database.transaction(.immediate) { try database.run(update.sql) } }
  }

  // MARK: Functions

  /// Registers a function that returns 1 if the turn of a link's target has come: from then on, its list has the order of
  /// the source. Before, objects are appended to it when their own turn comes.
  private func register(turnOf link: RelationshipPlan, from step: EntityMappingStep) throws -> String {
    let declaring = ends[step.mappingIndex][link.name]?.others ?? []
    let due = link.targets.filter(declaring.contains).map { keys[$0] }
    return try register(argumentCount: 1) { arguments, result in
      let key = arguments.key(at: 0)
      result.set(integer: due.contains { $0.contains(key) } ? 1 : 0)
    }
  }

  /// Registers a function under a new name, and returns the name: SQLite replaces no function while a statement is reading,
  /// and one statement keeps the source's snapshot open.
  ///
  /// - Parameter body: Captures sets, not the run: reading them through another object would cost more than the look-up.
  private func register(
    argumentCount: Int, _ body: @escaping (borrowing SQLiteArguments, borrowing SQLiteResult) -> Void
  ) throws -> String {
    functionCount += 1
    let name = "heavylift_due_\(functionCount)"
    try run.destination.database.register(
      directFunction: name, argumentCount: argumentCount, isDeterministic: true, body)
    return name
  }

  /// Returns a function that finds the target of a link among the objects of some entity mappings if the link is due.
  private func finder(
    of link: RelationshipPlan, among mappingIndexes: [Int], from step: EntityMappingStep
  ) -> (_ owner: Int64, _ target: Int64) -> Target? {
    guard let end = ends[step.mappingIndex][link.name] else { return { _, _ in nil } }
    func due(_ mappingIndex: Int, _ declaring: Set<Int>) -> KeySet {
      declaring.contains(mappingIndex) ? keys[mappingIndex] : KeySet()
    }
    let owners = due(step.mappingIndex, end.own)
    let targets = mappingIndexes.map { mappingIndex in
      let objects = run.lookedUp(mappingIndex)
      return (
        keys: objects.keys, due: due(mappingIndex, end.others),
        found: Target(rule: objects.rule, entity: Int64(objects.entity))
      )
    }
    let areAllDue = owners == run.associations.declaredKeys(mapping: step.mappingIndex)
    if areAllDue, targets.count == 1 {
      let (keys, found) = (targets[0].keys, targets[0].found)
      return { _, key in keys.contains(key) ? found : nil }
    }
    return { owner, key in
      guard let target = targets.first(where: { $0.keys.contains(key) }) else { return nil }
      return areAllDue || owners.contains(owner) || target.due.contains(key) ? target.found : nil
    }
  }
}
