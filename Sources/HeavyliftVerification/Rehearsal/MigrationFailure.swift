public import HeavyliftModel

/// One thing that a test of a migration found wrong.
public struct MigrationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which object, which property, what was expected and what there is.
  public var problem: String
  /// What of the mapping is responsible.
  public var responsible: String?
  /// Where the expectation stands, if it stands in a file.
  public var expectation: SourceLocation?

  /// The problem, and below it who is responsible and where the expectation stands.
  public var description: String {
    ([problem] + [responsible, expectation.map { "expected in \($0)" }].compactMap { $0.map { "  \($0)" } })
      .joined(separator: "\n")
  }
}
