public import HeavyliftModel

/// An error while compiling or evaluating an expression.
///
/// If the expression is evaluated for a property of an object, add the occasion:
///
/// ```swift
/// catch let error as ExpressionEvaluationError {
///   throw error.at(.init(mapping: "BookToBook", property: "seconds", object: "Book/p7"))
/// }
/// ```
public struct ExpressionEvaluationError: Error {
  /// The mapping, property and object that an expression was evaluated for.
  public struct Occasion: Hashable, Sendable {
    public var mapping: String?
    public var property: String?
    /// The object's key, never its values.
    public var object: String?

    /// Creates an occasion from the known facts.
    public init(mapping: String? = nil, property: String? = nil, object: String? = nil) {
      self.mapping = mapping
      self.property = property
      self.object = object
    }
  }

  public var mistake: EvaluationMistake
  /// The range of the expression's text that caused the error.
  public var range: SourceRange
  public var occasion: Occasion?
  /// The error thrown by a function, an object or a fetch.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(
    _ mistake: EvaluationMistake, at range: SourceRange = SourceRange(), underlying: (any Error)? = nil
  ) {
    self.mistake = mistake
    self.range = range
    self.underlying = underlying
  }

  /// Returns the error with the occasion of the evaluation.
  public func at(_ occasion: Occasion) -> ExpressionEvaluationError {
    var copy = self
    copy.occasion = occasion
    return copy
  }

  /// The error as a diagnostic without a file location, which only the caller knows.
  public var diagnostic: Diagnostic {
    Diagnostic(.error, code: mistake.code, problem: (prefix ?? "") + mistake.problem, remedy: mistake.remedy)
  }

  private var prefix: String? {
    guard let occasion else { return nil }
    let parts = [
      occasion.mapping.map { "entity mapping '\($0)'" }, occasion.property.map { "property '\($0)'" },
      occasion.object.map { "object '\($0)'" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + ": "
  }
}

extension ExpressionEvaluationError: CustomStringConvertible {
  /// The problem, followed by the remedy on a line of its own.
  public var description: String { diagnostic.description }
}
