import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

extension MappingExpression {
  /// Evaluates the expression manually, for policies that iterate over the property mappings themselves.
  ///
  /// ```swift
  /// for property in mapping.attributeMappings {
  ///   let value = try property.valueExpression?.expressionValue(
  ///     with: source, context: ["source": .object(source), "manager": .object(manager)])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - object: The value of `SELF`.
  ///   - variables: The values of variables, by name without `$`. Passing `manager` or `entityPolicy` also makes its
  ///     functions available.
  public func expressionValue(
    with object: (any ExpressionObject)?, context variables: [String: ExpressionValue] = [:]
  ) throws -> ExpressionValue {
    var registry = FunctionRegistry.builtIn
    try (variables["manager"]?.object as? MigrationManager)?.register(in: &registry)
    (variables["entityPolicy"]?.object as? EntityMigrationPolicy)?.register(in: &registry)
    let environment = EvaluationEnvironment(variables: variables.keys.sorted(), functions: registry)
    var context = EvaluationContext(environment, object: object.map { .object($0) } ?? .null)
    for (name, value) in variables { context[name] = value }
    context.fetch = FetchRequestReference.fetch
    return try CompiledExpression(self, in: environment).evaluate(in: &context)
  }
}

extension EntityMigrationPolicy {
  /// Registers the functions that expressions may call on this policy.
  package final func register(in registry: inout FunctionRegistry) {
    for selector in knownFunctions.keys.sorted() {
      registry.register(
        selector: selector, ofEach: EntityMigrationPolicy.self, kind: "policy '\(type(of: self))'"
      ) { policy, arguments in
        let call = { try policy.knownFunctions[selector]?.call(selector, arguments) ?? .null }
        return try policy.run?.noting(call) ?? call()
      }
    }
  }
}

extension FetchRequestReference {
  /// The implementation of `FETCH(request, context, countOnly)`.
  package static func fetch(
    _ request: ExpressionValue, _ context: ExpressionValue, countOnly: Bool
  ) throws -> ExpressionValue {
    guard let request = request.object as? FetchRequestReference else {
      throw EvaluationMistake.wrongOperand(of: "FETCH", expected: "a fetch request", found: request.kind)
    }
    guard let context = context.object as? ContextReference else {
      throw EvaluationMistake.wrongOperand(of: "FETCH", expected: "a context", found: context.kind)
    }
    if countOnly { return .integer(Int64(try context.context.count(for: request.request))) }
    return .array(try context.context.fetch(request.request).map { .object($0) })
  }
}
