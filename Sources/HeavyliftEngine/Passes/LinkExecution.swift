import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Sets relationships of an entity mapping's objects with statements, when the mapping's turn comes in the second pass.
///
/// By then, the store contains everything that policies did before. Objects that policies hold are updated with the new
/// links.
struct LinkExecution {
  private let run: MigrationRun
  private let step: EntityMappingStep
  private var database: Database { run.destination.database }
  private let plans: [RelationshipPlan]

  init(_ run: MigrationRun, _ step: EntityMappingStep, _ plans: [RelationshipPlan]) {
    self.run = run
    self.step = step
    self.plans = plans
  }

  /// Sets the relationships. Returns false if some object cannot have all its links; setting them object by object then
  /// reports the first such object.
  func perform() throws -> Bool {
    guard !plans.isEmpty, let rule = step.keyRule else { return true }
    try run.flush()
    let keys = run.associations.declaredKeys(mapping: step.mappingIndex)
    try database.register(function: isCreated, argumentCount: 1, isDeterministic: true) { arguments in
      .integer(keys.contains(rule.sourceKey(ofDestination: arguments.integer(at: 0))) ? 1 : 0)
    }
    var registered: Set<Int> = []
    for mappingIndex in [step.mappingIndex] + plans.flatMap(\.lookedUp) where registered.insert(mappingIndex).inserted {
      // Returns the key of the object that was created as declared from a source object.
      try database.register(keyLookUp: counterpartKey(mappingIndex), in: [run.lookedUp(mappingIndex)])
    }
    for (number, relationship) in plans.enumerated() {
      try run.cancellation.check(in: step.name)
      do {
        let isPossible = try run.destination.reporting { try set(relationship, number) }
        guard isPossible else {
          try run.destinationContext.rereadLinks()
          return false
        }
      } catch {
        throw MigrationError.wrapping(
          error, .migration, .init(mapping: step.name, property: relationship.name))
      }
    }
    try run.destinationContext.rereadLinks()
    return true
  }

  private var isCreated: String { LinkFunctions.isCreated(step: step.mappingIndex) }

  private func counterpartKey(_ mappingIndex: Int) -> String {
    LinkFunctions.counterpartKey(step: step.mappingIndex, of: mappingIndex)
  }

  private func set(_ relationship: RelationshipPlan, _ number: Int) throws -> Bool {
    guard case .afterRows(let lookedUp, let leadsToOneAtMost) = relationship.way else { return false }
    let hasRecorded = lookedUp.contains { run.associations.hasRecorded(mapping: $0) }
    guard let entity = step.complete.sourceEntityName, let destination = step.complete.destinationEntityName,
      let source = LinkSource(from: run.stores.source, entity: entity, relationship: relationship.source),
      let writing = LinkWriting(
        to: run.stores.destination, entity: destination, relationship: relationship.name,
        isCreatedFunction: isCreated, checksTargets: hasRecorded)
    else {
      throw MigrationError(
        .migration, problem: "the plan does not match the store: the relationship has no column or table")
    }
    if leadsToOneAtMost, !hasRecorded {
      let functions = try registerLookUps(relationship, number)
      if let statements = writing.direct(
        from: source, ownerFunction: counterpartKey(step.mappingIndex), key: functions.key, entity: functions.entity)
      {
        try database.transaction(.immediate) { for sql in statements { try database.run(sql) } }
        return true
      }
    }
    if hasRecorded { try record(relationship, from: entity) }
    let targets = lookedUp.enumerated().map { index, mappingIndex in
      LinkList.Target(
        number: index,
        function: relationship.targets.contains(mappingIndex) && run.steps[mappingIndex].keyRule != nil
          ? counterpartKey(mappingIndex) : nil,
        entity: run.steps[mappingIndex].destinationNumber ?? 0,
        hasRecorded: run.associations.hasRecorded(mapping: mappingIndex))
    }
    let filling = LinkList.filling(
      from: source, ownerFunction: counterpartKey(step.mappingIndex), targets: targets, indexes: writing.indexes)
    for sql in filling { try database.run(sql) }
    if let sql = writing.firstMistake, try database.firstValue(sql) != .null { return false }
    try database.transaction(.immediate) { for sql in writing.statements { try database.run(sql) } }
    try database.run(LinkList.emptying(writing.indexes))
    return true
  }

  /// Registers functions that return the key and the entity number of a source object's counterpart in any of several
  /// mappings.
  private func registerLookUps(_ relationship: RelationshipPlan, _ number: Int) throws -> LinkFunctions.Target {
    let targets = relationship.lookedUp
      .filter { relationship.targets.contains($0) && run.steps[$0].keyRule != nil }.map(run.lookedUp)
    let functions = LinkFunctions.target(step: step.mappingIndex, relationship: number)
    try database.register(functions, in: targets)
    return functions
  }

  /// Copies the associations that policies made to a table that the statements read.
  private func record(_ relationship: RelationshipPlan, from entity: String) throws {
    let model = run.manager.sourceModel
    let origin =
      relationship.source.flatMap { model.relationship($0, of: entity)?.destinationEntityName } ?? entity
    // Keys are unique only within an entity hierarchy.
    guard let root = run.source.layout.entity(named: origin)?.rootNumber else { return }
    let numbers = Set(run.source.layout.entities.filter { $0.rootNumber == root }.map(\.number))
    try database.execute(LinkList.makingRecords)
    for (index, mappingIndex) in relationship.lookedUp.enumerated() {
      try run.associations.forEachAssociation(mapping: mappingIndex) { number, source, target in
        guard numbers.contains(source.entity) else { return }
        try database.run(
          LinkList.record, .integer(Int64(index)), .integer(source.key), .integer(number), .integer(target.key),
          .integer(Int64(target.entity)))
      }
    }
  }
}
