import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Writes all relationships of a migration at once, when the second pass is over and nobody has looked.
struct FinalLinkExecution {
  private let run: MigrationRun
  private var database: Database { run.destination.database }

  init(_ run: MigrationRun) { self.run = run }

  /// Whether all objects are where their keys say, and nobody but the mappings says what they are connected with.
  static func isPossible(in run: MigrationRun) -> Bool {
    run.plan.hasFinalLinks && !run.destinationContext.hasLinked && !run.isSourceChanged
      && !run.steps.contains { run.associations.hasRecorded(mapping: $0.number) }
  }

  func perform() throws {
    try run.flush()
    var isWhole = true
    for step in run.steps {
      if let reason = run.manager.cancellation.reason { throw run.cancelled(reason, step) }
      do {
        try run.destination.reporting {
          try writeLinks(of: step, &isWhole)
          try writeJoins(of: step)
        }
      } catch {
        throw MigrationError.wrapping(error, .migration, .init(mapping: step.name))
      }
    }
    for step in run.steps where step.isDeclarative && run.plan.steps[step.number].connections.isSQL {
      for _ in 0..<step.declaredCount { run.didProcessRow() }
    }
    try run.destinationContext.rereadLinks()
    run.earlyLinks?.isWhole = isWhole
  }

  private func writeLinks(of step: EntityMappingStep, _ isWhole: inout Bool) throws {
    let links = run.plan.steps[step.number].finalLinks.enumerated().filter { number, _ in
      !(run.earlyLinks?.isWritten(number, of: step.number) ?? false)
    }
    guard !links.isEmpty else { return }
    isWhole = false
    guard let rule = step.keyRule, let source = step.complete.sourceEntityName,
      let destination = step.complete.destinationEntityName
    else { return }
    let made = run.associations.declaredKeys(mapping: step.number)
    guard made.count > 0 else { return }
    let isMade = LinkFunctions.isMade(step: step.number)
    try database.register(function: isMade, argumentCount: 1, isDeterministic: true) { arguments in
      .integer(made.contains(rule.sourceKey(ofDestination: arguments.integer(at: 0))) ? 1 : 0)
    }
    var columns: [LinkFilling.Link] = []
    for (index, link) in links {
      let key = LinkFunctions.key(step: step.number, connection: index)
      let entity = LinkFunctions.entity(step: step.number, connection: index)
      try registerLookUp(key, link.targets) { target, key in target.rule.destinationKey(ofSource: key) }
      try registerLookUp(entity, link.targets) { target, _ in target.entity }
      columns.append(
        .init(
          relationship: link.relationship, sourceRelationship: link.sourceRelationship, keyFunction: key,
          entityFunction: entity))
    }
    guard
      let filling = LinkFilling(
        from: run.planner.source, entity: source, to: run.planner.destination, entity: destination,
        offset: rule.offset, isMadeFunction: isMade, links: columns)
    else { throw misfit() }
    try database.transaction(.immediate) { try database.run(filling.sql) }
  }

  private func writeJoins(of step: EntityMappingStep) throws {
    // A function cannot be replaced while a statement runs, and one holds the source.
    var registered: Set<Int> = []
    func came(_ place: Int) throws -> String {
      let name = LinkFunctions.came(step: place, of: step.number)
      guard registered.insert(place).inserted else { return name }
      try registerLookUp(name, [place]) { $0.rule.destinationKey(ofSource: $1) }
      return name
    }
    for join in run.plan.steps[step.number].finalJoins {
      // Several objects may come of one: each entity mapping that a relationship leads through gives rows of its own.
      for place in join.targets {
        let (owner, target) = (try came(step.number), try came(place))
        guard let relationship = join.sourceRelationship, let source = step.complete.sourceEntityName,
          let destination = step.complete.destinationEntityName,
          let transfer = LinkTransfer(
            from: run.planner.source, entity: source, relationship: relationship, to: run.planner.destination,
            entity: destination, relationship: join.relationship)
        else { throw misfit() }
        try database.transaction(.immediate) {
          try database.run(transfer.insertion(ownerFunction: owner, targetFunction: target))
        }
      }
    }
  }

  private func misfit() -> MigrationError {
    MigrationError(.migration, problem: "the plan does not fit: a relationship has no place in the store")
  }

  /// The objects that came about through one entity mapping.
  private struct Target {
    let keys: KeySet
    let rule: KeyRule
    let entity: Int64
  }

  private func registerLookUp(
    _ name: String, _ places: [Int], gives result: @escaping (Target, Int64) -> Int64
  ) throws {
    let targets = places.compactMap { place in
      run.steps[place].keyRule.map {
        Target(
          keys: run.associations.declaredKeys(mapping: place), rule: $0,
          entity: Int64(run.steps[place].destinationNumber ?? 0))
      }
    }
    try database.register(function: name, argumentCount: 1, isDeterministic: true) { arguments in
      // Nil reads as 0, which is nobody's key.
      let key = arguments.integer(at: 0)
      guard let target = targets.first(where: { $0.keys.contains(key) }) else { return .null }
      return .integer(result(target, key))
    }
  }
}
