import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Creates the object that an entity mapping declares for a source object, as `super` does in a policy.
struct DeclaredInstances {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  func create(for source: ManagedObject, in step: EntityMappingStep) throws {
    guard let entity = step.destinationEntity else { return }
    let object = try insert(entity, for: source, in: step)
    if step.isConnected, step.setsRelationships { step.lateKeys.insert(object.primaryKey) }
    step.declaredCount += 1
    defer { step.evaluation.releaseObjects() }
    for attribute in setTogether(on: object, from: source, in: step) {
      do {
        try set(attribute, of: object, from: source, in: step)
      } catch {
        throw MigrationError.wrapping(
          error, .migration,
          .init(mapping: step.name, property: attribute.attribute.name, object: "\(source)"))
      }
    }
  }

  /// Sets all attributes that can be set together, and returns those that remain.
  private func setTogether(
    on object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep
  ) -> [AttributeStep] {
    // A policy may have set other expressions.
    guard step.areCopiesAsDeclared else { return step.attributes }
    if let rows = step.prefetch, rows.give(object, madeFrom: source) { return step.attributesAfterPrefetch }
    return step.copies?.copy(from: source, to: object) ?? false ? step.computedAttributes : step.attributes
  }

  /// Creates the object and associates it with its source object. Its key is computed from the source object's key
  /// unless that key is already used.
  private func insert(
    _ entity: PreparedEntity, for source: ManagedObject, in step: EntityMappingStep
  ) throws -> ManagedObject {
    let key = source.primaryKey
    // Links that are due must not lead to this object.
    try run.dueLinks?.observe()
    // Entity mappings share a range of keys if no object belongs to the entities of both. An object of another entity
    // could collide with them, so it gets a new key.
    if let rule = step.keyRule, source.entityNumber == step.sourceNumber, key > 0,
      run.associations.noteDeclared(key, mapping: step.mappingIndex)
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
    if try attribute.copy(from: source, to: object) { return }
    switch try attribute.knownSource ?? attribute.source(in: step.evaluation.environment) {
    case .none: return
    case .constant(let value): try attribute.set(value, of: object)
    case .expression(let expression):
      let value = try step.evaluation.evaluate(
        expression, source: source, destination: object, property: attribute.mapping, isOneOfMany: true)
      try attribute.set(attribute.converted(value), of: object)
    }
  }
}
