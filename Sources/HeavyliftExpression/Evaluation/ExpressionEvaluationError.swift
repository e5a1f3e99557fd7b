public import HeavyliftModel

/// An expression could not be evaluated, or not even be made ready for it.
///
/// Whoever evaluates it for a property of an object adds where that happened:
///
/// ```swift
/// catch let error as ExpressionEvaluationError {
///   throw error.at(.init(mapping: "BookToBook", property: "seconds", object: "Book/p7"))
/// }
/// ```
public struct ExpressionEvaluationError: Error {
  /// For what an expression was evaluated.
  public struct Occasion: Hashable, Sendable {
    public var mapping: String?
    public var property: String?
    /// The object's key: never its values.
    public var object: String?

    /// Creates an occasion out of what is known.
    public init(mapping: String? = nil, property: String? = nil, object: String? = nil) {
      self.mapping = mapping
      self.property = property
      self.object = object
    }
  }

  public var mistake: EvaluationMistake
  /// The part of the expression's text that is to blame.
  public var range: SourceRange
  public var occasion: Occasion?
  /// What a function, an object or a fetch threw.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(
    _ mistake: EvaluationMistake, at range: SourceRange = SourceRange(), underlying: (any Error)? = nil
  ) {
    self.mistake = mistake
    self.range = range
    self.underlying = underlying
  }

  /// The same error, saying for what the expression was evaluated.
  public func at(_ occasion: Occasion) -> ExpressionEvaluationError {
    var copy = self
    copy.occasion = occasion
    return copy
  }

  /// The error in the form that all mistakes are told in, without a place in a file: only the caller knows the file.
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
  /// The problem and, on a line of its own, the remedy.
  public var description: String { diagnostic.description }
}
