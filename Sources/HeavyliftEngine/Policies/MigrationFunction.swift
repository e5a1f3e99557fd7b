public import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore
import HeavyliftModel

/// A function of the program that value expressions call by selector on the manager:
/// `FUNCTION($manager, "dateFromNumericRepresentation:", $source.expiry)`.
///
/// ```swift
/// static let functions = [
///   "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in Date(timeIntervalSince1970: seconds) }
/// ]
/// ```
///
/// The Swift function can have any parameters that expressions can pass: numbers, strings, dates, data, URLs,
/// `ManagedObject`, arrays and sets of them, optionals, or any `ExpressionValue`. The selector has one colon for each
/// argument.
public struct MigrationFunction: Sendable {
  /// The argument and result types of the Swift function, for checks of the expressions that call it.
  public let signature: FunctionSignature
  let argumentCount: Int
  private let body: @Sendable (_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue

  /// Creates a migration function from a Swift function.
  public init<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) {
    (argumentCount, signature) = FunctionSignature.counting(repeat (each Argument).self, result: Result.self)
    self.body = { selector, arguments in
      var reader = ArgumentReader(selector, arguments)
      return try body(repeat try reader.next((each Argument).self)).expressionValue
    }
  }

  package func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    try body(selector, arguments)
  }
}

/// A function of a policy that value expressions call by selector: `FUNCTION($entityPolicy, "filename:in:",
/// $source.name, $manager)`.
///
/// ```swift
/// override var functions: [String: PolicyFunction] {
///   ["centimetersFromInches:": PolicyFunction { (inches: Double) in inches * 2.54 }]
/// }
/// ```
///
/// It can have the same parameters as a ``MigrationFunction``, and can use the policy's state: each migration creates
/// its own policies, and calls them on one thread.
public struct PolicyFunction {
  /// The argument and result types of the Swift function, for checks of the expressions that call it.
  public let signature: FunctionSignature
  let argumentCount: Int
  private let body: (_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue

  /// Creates a policy's function from a Swift function.
  public init<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    (argumentCount, signature) = FunctionSignature.counting(repeat (each Argument).self, result: Result.self)
    self.body = { selector, arguments in
      var reader = ArgumentReader(selector, arguments)
      return try body(repeat try reader.next((each Argument).self)).expressionValue
    }
  }

  func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    try body(selector, arguments)
  }
}

extension FunctionSignature {
  fileprivate static func counting<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ arguments: repeat (each Argument).Type, result: Result.Type
  ) -> (Int, FunctionSignature) {
    var count = 0
    for _ in repeat each arguments { count += 1 }
    return (count, FunctionSignature((repeat (each Argument).self), Result.self))
  }
}

extension [String: MigrationFunction] {
  /// Reports functions whose selectors do not have one colon for each argument: no expression could call them.
  package func mistakes(of owner: String) -> [Diagnostic] { mapValues(\.argumentCount).selectorMistakes(owner) }
}

extension [String: PolicyFunction] {
  /// Reports functions whose selectors do not have one colon for each argument: no expression could call them.
  func mistakes(of owner: String) -> [Diagnostic] { mapValues(\.argumentCount).selectorMistakes(owner) }
}

extension [String: Int] {
  /// Reports selectors that do not have one colon for each argument of their functions.
  fileprivate func selectorMistakes(_ owner: String) -> [Diagnostic] {
    sorted { $0.key < $1.key }.compactMap { selector, argumentCount in
      let colons = FunctionRegistry.argumentCount(ofSelector: selector)
      guard colons != argumentCount else { return nil }
      return Diagnostic(
        .error, code: "migration.function-arguments",
        problem: "function '\(selector)' of \(owner) takes \(argumentCount.arguments), but its selector is "
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
