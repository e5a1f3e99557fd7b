import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// Sets the relationships that an entity mapping declares for an object of the destination: what a policy's super does.
struct DeclaredRelationships {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  func create(of object: ManagedObject, in step: EntityMappingStep) throws {
    guard !step.relationships.isEmpty else { return }
    let source = try firstSource(of: object, in: step)
    for relationship in step.relationships where !step.connectedBySQL.contains(relationship.relationship.name) {
      let outer = run.currentProperty
      defer { run.currentProperty = outer }
      run.currentProperty = relationship
      do {
        try set(relationship, of: object, from: source, in: step)
      } catch {
        throw MigrationError.wrapping(
          error, .migration,
          .init(
            mapping: step.name, property: relationship.relationship.name, object: source.map { "\($0)" } ?? "\(object)")
        )
      }
    }
  }

  private func set(
    _ relationship: RelationshipStep, of object: ManagedObject, from source: ManagedObject?, in step: EntityMappingStep
  ) throws {
    let way = try relationship.source(in: step.evaluation.environment) { step.sourceToManys[$0] }
    switch way {
    case .none: return
    case .related(let key, let isToMany, let mapping) where source?.entityNumber == step.sourceNumber:
      let sources =
        try isToMany ? source?.objects(forKey: key) : source?.object(forKey: key).map { [$0] }
      try relationship.set(
        run.destinationInstances(of: run.step(named: mapping), sources: sources ?? []), of: object)
    case .related:
      // An object of another entity than was announced has other relationships.
      guard let expression = relationship.mapping.valueExpression else { return }
      let compiled = try CompiledExpression(expression, in: step.evaluation.environment)
      try evaluate(compiled, relationship, object, source, step)
    case .expression(let expression): try evaluate(expression, relationship, object, source, step)
    }
  }

  private func evaluate(
    _ expression: CompiledExpression, _ relationship: RelationshipStep, _ object: ManagedObject,
    _ source: ManagedObject?, _ step: EntityMappingStep
  ) throws {
    let value = try step.evaluation.evaluate(
      expression, source: source, destination: object, property: relationship.mapping)
    try relationship.set(value, of: object)
  }

  private func firstSource(of object: ManagedObject, in step: EntityMappingStep) throws -> ManagedObject? {
    if let pair = step.currentPair, pair.destination === object { return pair.source }
    return try run.sourceInstances(of: step, destinations: [object]).first
  }
}
