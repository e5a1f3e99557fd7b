public import HeavyliftModel

/// A failure that a test of a migration found.
public struct MigrationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The object and the property, with the expected and the actual value.
  public var problem: String
  /// The responsible part of the mapping.
  public var responsible: String?
  /// The location of the expectation, if it is in a file.
  public var expectation: DiagnosticLocation?

  /// The problem, followed by the responsible part of the mapping and the location of the expectation.
  public var description: String {
    ([problem] + [responsible, expectation.map { "expected in \($0)" }].compactMap { $0.map { "  \($0)" } })
      .joined(separator: "\n")
  }
}
