public import Foundation

/// The values that an expression is evaluated with, and what it needs of the world.
///
/// One context serves any number of evaluations, one after the other.
///
/// ```swift
/// var context = EvaluationContext(environment)
/// for object in objects {
///   context["source"] = .object(object)
///   try print(compiled.evaluate(in: &context))
/// }
/// ```
public struct EvaluationContext {
  /// Fetches for `FETCH(request, context, countOnly)`.
  public typealias Fetch = (
    _ request: ExpressionValue, _ context: ExpressionValue, _ countOnly: Bool
  ) throws -> ExpressionValue

  /// `SELF`.
  public var object: ExpressionValue
  /// What `now()` gives.
  public var now: () -> Date = { Date() }
  /// Where `random()` takes its numbers from.
  public var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// Nil refuses to fetch.
  public var fetch: Fetch?

  /// By slot: those of the environment first, then those of subqueries.
  @usableFromInline var variables: [ExpressionValue]
  private let names: [String]
  let patterns = PatternCache()

  /// Creates a context in which no variable has a value yet.
  public init(_ environment: EvaluationEnvironment = EvaluationEnvironment(), object: ExpressionValue = .null) {
    self.object = object
    names = environment.variables.map(\.name)
    variables = [ExpressionValue](repeating: .null, count: names.count)
  }

  /// The value of a variable by its slot in the environment, which must exist.
  @inlinable public subscript(slot: Int) -> ExpressionValue {
    get { variables[slot] }
    set { variables[slot] = newValue }
  }

  /// The value of a variable by its name, which the environment must have.
  public subscript(name: String) -> ExpressionValue {
    get { variables[place(of: name)] }
    set { variables[place(of: name)] = newValue }
  }

  private func place(of name: String) -> Int {
    guard let place = names.firstIndex(of: name) else {
      preconditionFailure("variable '$\(name)' is not one of the environment: \(names)")
    }
    return place
  }

  /// Makes room for the variables of subqueries.
  mutating func reserve(_ count: Int) {
    while variables.count < count { variables.append(.null) }
  }
}
