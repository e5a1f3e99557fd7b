public import Foundation
public import HeavyliftModel

/// An error while compiling or evaluating an expression.
///
/// If the expression is evaluated for a property of an object, add the place:
///
/// ```swift
/// catch let error as ExpressionEvaluationError {
///   throw error.at(.init(mapping: "BookToBook", property: "seconds", object: "Book/p7"))
/// }
/// ```
public struct ExpressionEvaluationError: Error {
  /// The mapping, property and object that an expression was evaluated for.
  public struct Place: Hashable, Sendable {
    public var mapping: String?
    public var property: String?
    /// The object's key, never its values.
    public var object: String?

    /// Creates a place from the known facts.
    public init(mapping: String? = nil, property: String? = nil, object: String? = nil) {
      self.mapping = mapping
      self.property = property
      self.object = object
    }
  }

  package var mistake: EvaluationMistake
  /// The range of the expression's text that caused the error.
  public var range: SourceRange
  public var place: Place?
  /// The error thrown by a function, an object or a fetch.
  public var underlying: (any Error)?

  /// Creates an error.
  package init(
    _ mistake: EvaluationMistake, at range: SourceRange = SourceRange(), underlying: (any Error)? = nil
  ) {
    self.mistake = mistake
    self.range = range
    self.underlying = underlying
  }

  /// Returns the error with the place of the evaluation.
  public func at(_ place: Place) -> ExpressionEvaluationError {
    var copy = self
    copy.place = place
    return copy
  }

  /// The error as a diagnostic without a file location, which only the caller knows.
  public var diagnostic: Diagnostic {
    Diagnostic(.error, code: mistake.code, problem: (prefix ?? "") + mistake.problem, remedy: mistake.remedy)
  }

  private var prefix: String? {
    guard let place else { return nil }
    let parts = [
      place.mapping.map { "entity mapping '\($0)'" }, place.property.map { "property '\($0)'" },
      place.object.map { "object '\($0)'" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + ": "
  }
}

extension ExpressionEvaluationError: CustomStringConvertible {
  /// The problem, followed by the remedy on a line of its own.
  public var description: String { diagnostic.description }
}

extension ExpressionEvaluationError: LocalizedError {
  /// The problem.
  public var errorDescription: String? { diagnostic.problem }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { diagnostic.remedy }
}
