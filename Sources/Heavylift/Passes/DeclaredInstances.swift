import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Makes the object that an entity mapping declares for a source object: what a policy's super does.
struct DeclaredInstances {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  func create(for source: ManagedObject, in step: EntityMappingStep) throws {
    guard let entity = step.complete.destinationEntityName else { return }
    let object = try insert(entity, for: source, in: step)
    step.declaredCount += 1
    for attribute in step.attributes {
      do {
        try set(attribute, of: object, from: source, in: step)
      } catch {
        throw MigrationError.wrapping(
          error, .migration,
          .init(mapping: step.name, property: attribute.attribute.name, object: "\(source)"))
      }
    }
  }

  /// Makes the object, with the key that follows from the source's where that is free, and associates the two.
  private func insert(_ entity: String, for source: ManagedObject, in step: EntityMappingStep) throws -> ManagedObject {
    let key = source.primaryKey
    // Two mappings may share keys because no object is of both their entities; one of another entity has no place there.
    if let rule = step.keyRule, source.entityNumber == step.sourceNumber, key > 0,
      run.associations.noteDeclared(key, mapping: step.number)
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
    let name = attribute.attribute.name
    switch try attribute.source(in: step.evaluation.environment) {
    case .none: return
    case .constant(let value): try object.setValue(value, forKey: name)
    case .copy(let transfer, let expression):
      if transfer.fits(source, object), try transfer.copy(from: source, to: object) { return }
      try evaluate(expression, attribute, object, source, step)
    case .expression(let expression): try evaluate(expression, attribute, object, source, step)
    }
  }

  private func evaluate(
    _ expression: CompiledExpression, _ attribute: AttributeStep, _ object: ManagedObject, _ source: ManagedObject,
    _ step: EntityMappingStep
  ) throws {
    let value = try step.evaluation.evaluate(
      expression, source: source, destination: object, property: attribute.mapping)
    try object.setValue(attribute.converted(value), forKey: attribute.attribute.name)
  }
}
