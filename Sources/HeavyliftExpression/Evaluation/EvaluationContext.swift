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

  /// What `now()` gives.
  public var now: () -> Date = { Date() }
  /// Where `random()` takes its numbers from.
  public var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// Nil refuses to fetch.
  public var fetch: Fetch?

  /// By slot: `SELF`, then those of the environment, then those of subqueries.
  @usableFromInline var variables: [ExpressionValue]
  /// The slot that most keys are asked of, and the object in it.
  ///
  /// An object that lies in the context itself, and not in an array that others may hold, is asked for its keys without
  /// being retained first: for numbers that is half of the time.
  @usableFromInline let subjectSlot: Int
  @usableFromInline var subject: any ExpressionObject
  /// Otherwise the value is among the variables.
  @usableFromInline var isSubjectObject = false
  private let names: [String]
  let patterns = PatternCache()

  /// Creates a context in which no variable has a value yet.
  public init(_ environment: EvaluationEnvironment = EvaluationEnvironment(), object: ExpressionValue = .null) {
    names = environment.variables.map(\.name)
    variables = [ExpressionValue](repeating: .null, count: names.count + 1)
    subjectSlot = environment.subjectSlot
    subject = NoObject()
    self.object = object
  }

  /// `SELF`.
  @inlinable public var object: ExpressionValue {
    get { self[EvaluationEnvironment.objectSlot] }
    set { self[EvaluationEnvironment.objectSlot] = newValue }
  }

  /// The value of a variable by its slot in the environment, which must exist.
  @inlinable public subscript(slot: Int) -> ExpressionValue {
    get { isSubjectObject && slot == subjectSlot ? .object(subject) : variables[slot] }
    set {
      if slot == subjectSlot, case .object(let object) = newValue {
        subject = object
        isSubjectObject = true
      } else {
        variables[slot] = newValue
        if slot == subjectSlot && isSubjectObject { forgetSubject() }
      }
    }
  }

  /// The value of a variable by its name, which the environment must have.
  public subscript(name: String) -> ExpressionValue {
    get { self[slot(of: name)] }
    set { self[slot(of: name)] = newValue }
  }

  private func slot(of name: String) -> Int {
    guard let place = names.firstIndex(of: name) else {
      preconditionFailure("variable '$\(name)' is not one of the environment: \(names)")
    }
    return EvaluationEnvironment.slot(at: place)
  }

  @usableFromInline mutating func forgetSubject() {
    subject = NoObject()
    isSubjectObject = false
  }

  /// Makes room for the variables of subqueries.
  @usableFromInline mutating func reserve(_ count: Int) {
    while variables.count < count { variables.append(.null) }
  }
}

/// Stands where there is no object; whatever it is asked for is told to be something else than a scalar.
private final class NoObject: ExpressionObject {
  func value(forKey key: String) throws -> ExpressionValue { .null }
  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar { .other }
}
