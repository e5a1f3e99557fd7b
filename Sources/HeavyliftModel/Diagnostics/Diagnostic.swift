/// One thing that is to be told: where it is, what is so, and what to do about it.
///
/// ```swift
/// for diagnostic in model.check() {
///   print(diagnostic)
/// }
/// // Library.xcdatamodel/contents:7:9: error[model.unknown-destination]: relationship 'author' of entity 'Book' …
/// //   did you mean 'Author'?
/// ```
public struct Diagnostic: Error, Hashable, Sendable {
  /// How much a diagnostic matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Work cannot go on.
    case error
    /// Work can go on, but the outcome may surprise.
    case warning
    /// Nothing is wrong; somebody may want to know.
    case note
  }

  public var severity: Severity
  /// Stable, for scripts and for looking up: `model.unknown-destination`.
  public var code: String
  /// What is so, in lower case, naming the thing first.
  public var problem: String
  /// What to do, where something can be done.
  public var remedy: String?
  /// Where it stands written, if it came from a file.
  public var location: SourceLocation?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity, code: String, problem: String, remedy: String? = nil, location: SourceLocation? = nil
  ) {
    self.severity = severity
    self.code = code
    self.problem = problem
    self.remedy = remedy
    self.location = location
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The place, the problem, and on a line of its own the remedy.
  public var description: String {
    let place = location.map { "\($0): " } ?? ""
    let first = "\(place)\(severity.rawValue)[\(code)]: \(problem)"
    guard let remedy else { return first }
    return "\(first)\n  \(remedy)"
  }
}

extension Sequence<Diagnostic> {
  /// The diagnostics in the order in which a person reads: by place, those without a place last.
  public func sortedByPlace() -> [Diagnostic] {
    sorted { lhs, rhs in
      switch (lhs.location, rhs.location) {
      case (let left?, let right?) where left != right: left < right
      case (.some, nil): true
      case (nil, .some): false
      default: (lhs.code, lhs.problem) < (rhs.code, rhs.problem)
      }
    }
  }

  /// Whether work must stop.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}

/// Several diagnostics that were found together, thrown together.
public struct DiagnosticList: Error, Hashable, Sendable, CustomStringConvertible {
  /// In order of their places.
  public let diagnostics: [Diagnostic]

  /// Creates a list in order of the diagnostics' places.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sortedByPlace()
  }

  /// Every diagnostic, one below the other.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
