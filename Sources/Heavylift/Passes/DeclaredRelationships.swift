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
    for relationship in step.relationships {
      let outer = run.currentProperty
      defer { run.currentProperty = outer }
      run.currentProperty = relationship
      do {
        guard let expression = try relationship.expression(in: step.evaluation.environment) else { continue }
        let value = try step.evaluation.evaluate(
          expression, source: source, destination: object, property: relationship.mapping)
        try relationship.set(value, of: object)
      } catch {
        throw MigrationError.wrapping(
          error, .migration,
          .init(
            mapping: step.name, property: relationship.relationship.name, object: source.map { "\($0)" } ?? "\(object)")
        )
      }
    }
  }

  private func firstSource(of object: ManagedObject, in step: EntityMappingStep) throws -> ManagedObject? {
    if let pair = step.currentPair, pair.destination === object { return pair.source }
    return try run.sourceInstances(of: step, destinations: [object]).first
  }
}
