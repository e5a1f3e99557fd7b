import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Evaluates the expressions of one entity mapping with the variables that they have.
final class MappingEvaluation {
  let environment: EvaluationEnvironment
  private let manager: MigrationManager
  private let mapping: EntityMapping
  private let policy: EntityMigrationPolicy
  private let sourceSlot: Int
  private let destinationSlot: Int
  private let propertySlot: Int
  /// Contexts that nobody uses at the moment: a function that an expression calls may have another one evaluated.
  private var idle: [EvaluationContext] = []

  init(
    _ complete: CompleteEntityMapping, policy: EntityMigrationPolicy, mapping: EntityMapping,
    manager: MigrationManager, source: PersistentStore, destination: PersistentStore
  ) throws {
    (self.manager, self.mapping, self.policy) = (manager, mapping, policy)
    var registry = FunctionRegistry.builtIn
    try manager.register(in: &registry)
    policy.register(in: &registry)
    var environment = EvaluationEnvironment(functions: registry)
    sourceSlot = environment.declare("source", shape: try complete.sourceEntityName.map(source.shape(ofEntity:)))
    destinationSlot = environment.declare(
      "destination", shape: try complete.destinationEntityName.map(destination.shape(ofEntity:)))
    propertySlot = environment.declare("propertyMapping")
    for name in ["manager", "entityMapping", "entityPolicy"] { environment.declare(name) }
    self.environment = environment
  }

  /// Evaluates an expression for a pair of objects.
  func evaluate(
    _ expression: CompiledExpression, source: ManagedObject?, destination: ManagedObject?,
    property: PropertyMapping? = nil
  ) throws -> ExpressionValue {
    var context = idle.popLast() ?? makeContext()
    context[sourceSlot] = source.map { .object($0) } ?? .null
    context[destinationSlot] = destination.map { .object($0) } ?? .null
    context[propertySlot] = property.map { .object($0) } ?? .null
    defer {
      // Objects are let go of as soon as nobody needs them.
      context[sourceSlot] = .null
      context[destinationSlot] = .null
      idle.append(context)
    }
    return try expression.evaluate(in: &context)
  }

  private func makeContext() -> EvaluationContext {
    var context = EvaluationContext(environment)
    context["manager"] = .object(manager)
    context["entityMapping"] = .object(mapping)
    context["entityPolicy"] = .object(policy)
    context.fetch = FetchRequestReference.fetch
    return context
  }
}
