import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Evaluates the expressions of one entity mapping and provides their variables.
final class MappingEvaluation {
  let environment: EvaluationEnvironment
  private let manager: MigrationManager
  private let mapping: EntityMapping
  private let policy: EntityMigrationPolicy
  private let sourceSlot: Int
  private let destinationSlot: Int
  private let propertySlot: Int
  /// The contexts that are not in use. A function that an expression calls may evaluate another expression, which needs
  /// a context of its own.
  private var idle: [Frame] = []

  /// A class, because moving a context costs more than evaluating a key with it.
  private final class Frame {
    var context: EvaluationContext
    private var objects: (source: ManagedObject?, destination: ManagedObject?)

    init(_ context: EvaluationContext) { self.context = context }

    func take(_ source: ManagedObject?, _ destination: ManagedObject?, _ evaluation: MappingEvaluation) {
      if source !== objects.source { context[evaluation.sourceSlot] = source.map { .object($0) } ?? .null }
      if destination !== objects.destination {
        context[evaluation.destinationSlot] = destination.map { .object($0) } ?? .null
      }
      objects = (source, destination)
    }
  }

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
  ///
  /// - Parameter isOneOfMany: True if more evaluations for these objects may follow; call `releaseObjects()` after the last one.
  func evaluate(
    _ expression: CompiledExpression, source: ManagedObject?, destination: ManagedObject?,
    property: PropertyMapping? = nil, isOneOfMany: Bool = false
  ) throws -> ExpressionValue {
    let frame = idle.popLast() ?? Frame(makeContext())
    frame.take(source, destination, self)
    frame.context[propertySlot] = property.map { .object($0) } ?? .null
    defer {
      if !isOneOfMany { frame.take(nil, nil, self) }
      idle.append(frame)
    }
    return try expression.evaluate(in: &frame.context)
  }

  /// Releases the objects of the last evaluations.
  func releaseObjects() {
    for frame in idle { frame.take(nil, nil, self) }
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
