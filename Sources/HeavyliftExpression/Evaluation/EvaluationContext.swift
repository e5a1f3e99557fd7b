public import Foundation

/// The variables and services for evaluating an expression.
///
/// You can reuse a context for any number of evaluations, one after the other.
///
/// ```swift
/// var context = EvaluationContext(environment)
/// for object in objects {
///   context["source"] = .object(object)
///   try print(compiled.evaluate(in: &context))
/// }
/// ```
public struct EvaluationContext {
  /// Performs the fetch of `FETCH(request, context, countOnly)`.
  public typealias Fetch = (
    _ request: ExpressionValue, _ context: ExpressionValue, _ countOnly: Bool
  ) throws -> ExpressionValue

  /// Returns the value of `now()`.
  public var now: () -> Date = { Date() }
  /// The generator for `random()`.
  public var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// The fetch implementation; nil to refuse all fetches.
  public var fetch: Fetch?

  /// The variables by slot: `SELF`, then those of the environment, then those of subqueries.
  @usableFromInline var variables: [ExpressionValue]
  /// The slot of the object whose keys are likely to be read most often; `subject` is that object.
  ///
  /// The object is stored in the context itself rather than in a shared array, so that its keys are read without first
  /// retaining the object; this halves the time it takes to read a number.
  @usableFromInline let subjectSlot: Int
  @usableFromInline var subject: any ExpressionObject
  /// If false, the value of the slot is in `variables`.
  @usableFromInline var isSubjectObject = false
  private let names: [String]
  let patterns = PatternCache()

  /// Creates a context in which no variable has a value.
  public init(_ environment: EvaluationEnvironment = EvaluationEnvironment(), object: ExpressionValue = .null) {
    names = environment.variables.map(\.name)
    variables = [ExpressionValue](repeating: .null, count: names.count + 1)
    subjectSlot = environment.subjectSlot
    subject = NoObject()
    self.object = object
  }

  /// The value of `SELF`.
  @inlinable public var object: ExpressionValue {
    get { self[EvaluationEnvironment.objectSlot] }
    set { self[EvaluationEnvironment.objectSlot] = newValue }
  }

  /// The value of a variable by its slot, which must exist in the environment.
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

  /// The value of a variable by its name, which must exist in the environment.
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

  /// Reserves space for the variables of subqueries.
  @usableFromInline mutating func reserve(_ count: Int) {
    while variables.count < count { variables.append(.null) }
  }
}

/// A placeholder for a missing object; its scalar for every key is `other`.
private final class NoObject: ExpressionObject {
  func value(forKey key: String) throws -> ExpressionValue { .null }
  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar { .other }
}
