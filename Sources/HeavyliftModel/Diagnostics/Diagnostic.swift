public import Foundation

/// An error, warning or note: a location, a problem and a remedy.
///
/// ```swift
/// for diagnostic in model.check() {
///   print(diagnostic)
/// }
/// // Library.xcdatamodel/contents:7:9: error[model.unknown-destination]: relationship 'author' of entity 'Book' …
/// //   did you mean 'Author'?
/// ```
public struct Diagnostic: Error, Hashable, Codable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Codable, Sendable, CaseIterable {
    /// Work cannot continue.
    case error
    /// Work can go on, but the result may surprise you.
    case warning
    /// Nothing is wrong; the note is purely informational.
    case note
  }

  /// The severity: error, warning or note.
  public var severity: Severity
  /// A stable code, for scripts and for lookup: `model.unknown-destination`.
  public var code: String
  /// The problem, in lower case, starting with the thing that has it.
  public var problem: String
  /// The remedy, if there is one.
  public var remedy: String?
  /// The location in a file, if the problem is in one.
  public var location: DiagnosticLocation?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity, code: String, problem: String, remedy: String? = nil, location: DiagnosticLocation? = nil
  ) {
    self.severity = severity
    self.code = code
    self.problem = problem
    self.remedy = remedy
    self.location = location
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The location and the problem, with the remedy on a line of its own.
  public var description: String {
    let place = location.map { "\($0): " } ?? ""
    let first = "\(place)\(severity.rawValue)[\(code)]: \(problem)"
    guard let remedy else { return first }
    return "\(first)\n  \(remedy)"
  }
}

extension Sequence<Diagnostic> {
  /// Returns the diagnostics sorted by location; those without a location come last.
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

  /// A Boolean value that indicates whether any diagnostic is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}

/// Diagnostics that were found together and are thrown together.
public struct DiagnosticList: Error, Hashable, Sendable, CustomStringConvertible {
  /// The diagnostics, sorted by location.
  public let diagnostics: [Diagnostic]

  /// Creates a list of diagnostics, sorted by location.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sortedByPlace()
  }

  /// Every diagnostic, each starting on a new line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension Diagnostic: LocalizedError {
  /// The problem.
  public var errorDescription: String? { location.map { "\($0): \(problem)" } ?? problem }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { remedy }
}

extension DiagnosticList: LocalizedError {
  /// The problem.
  public var errorDescription: String? { diagnostics.compactMap(\.errorDescription).joined(separator: "\n") }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { diagnostics.first?.remedy }
}
