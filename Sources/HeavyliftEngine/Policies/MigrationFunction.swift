public import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore
import HeavyliftModel

/// A function that value expressions call by selector: `FUNCTION($entityPolicy, "filename:in:", $source.name,
/// $manager)`.
///
/// ```swift
/// override var functions: [String: MigrationFunction] {
///   ["centimetresFromInches:": MigrationFunction { (inches: Double) in inches * 2.54 }]
/// }
/// ```
///
/// The Swift function can have any parameters that expressions can pass: numbers, strings, dates, data, URLs,
/// `ManagedObject`, arrays and sets of them, optionals, or any `ExpressionValue`. The selector has one colon for each
/// argument.
public struct MigrationFunction {
  let argumentCount: Int
  /// The argument and result types of the Swift function, for checks of the expressions that call it.
  public let signature: FunctionSignature
  private let body: (_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue

  /// Creates a migration function from a Swift function.
  public init<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    argumentCount = count
    signature = FunctionSignature((repeat (each Argument).self), Result.self)
    self.body = { selector, arguments in
      var reader = ArgumentReader(selector, arguments)
      return try body(repeat try reader.next((each Argument).self)).expressionValue
    }
  }

  package func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    try body(selector, arguments)
  }
}

extension [String: MigrationFunction] {
  /// Reports functions whose selectors do not have one colon for each argument: no expression could call them.
  package func mistakes(of owner: String) -> [Diagnostic] {
    sorted { $0.key < $1.key }.compactMap { selector, function in
      let colons = FunctionRegistry.argumentCount(ofSelector: selector)
      guard colons != function.argumentCount else { return nil }
      return Diagnostic(
        .error, code: "migration.function-arguments",
        problem: "function '\(selector)' of \(owner) takes \(function.argumentCount.arguments), but its selector is "
          + "for \(colons.arguments)",
        remedy: "write one colon for each argument")
    }
  }
}

extension Int {
  fileprivate var arguments: String { self == 1 ? "1 argument" : "\(self) arguments" }
}

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
