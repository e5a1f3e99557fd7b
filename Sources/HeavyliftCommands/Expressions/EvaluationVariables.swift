import Heavylift
import HeavyliftExpression
import HeavyliftModel

/// `$manager` and, if there is a policy, `$entityPolicy`, with the functions that the tool registers.
struct EvaluationVariables {
  private let manager: MigrationManager
  private let policy: EntityMigrationPolicy?

  /// - Parameter policyName: The policy's name in mapping files; without a name, there is no `$entityPolicy`.
  init(code: MigrationCode, policyName: String?, model: ManagedObjectModel) throws {
    manager = MigrationManager(sourceModel: model, destinationModel: model, policies: code.policies)
    manager.functions = code.functions
    policy = try policyName.map { try code.policies.policy(named: $0).init() }
  }

  var names: [String] { ["manager"] + (policy == nil ? [] : ["entityPolicy"]) }

  func registry() throws -> FunctionRegistry {
    var registry = FunctionRegistry.builtIn
    try manager.register(in: &registry)
    policy?.register(in: &registry)
    return registry
  }

  func set(in context: inout EvaluationContext) {
    context["manager"] = .object(manager)
    if let policy { context["entityPolicy"] = .object(policy) }
  }
}
