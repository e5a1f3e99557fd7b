import HeavyliftModel

/// One thing that a mapping must not do.
///
/// A rule finds the facts of each mistake; how they are told is the mistake's own part of the file. Rules are named in
/// `MappingRules` and nowhere else.
protocol MappingRule: Sendable {
  associatedtype Mistake: MappingMistake

  /// Every place in the mapping that breaks the rule.
  func mistakes(in mapping: MappingIndex) -> [Mistake]
}

/// A rule whose mistakes may matter only for a store that has certain objects.
protocol StoreDependentRule: MappingRule {}

/// The facts of one mistake, and their wording.
protocol MappingMistake {
  /// Stable, for scripts: `mapping.unknown-policy`.
  static var code: String { get }
  var severity: Diagnostic.Severity { get }
  var location: SourceLocation? { get }
  /// What is so, naming the thing first.
  var problem: String { get }
  /// What to do.
  func remedy(_ names: MappingNames) -> String?
}

extension MappingRule {
  static var code: String { Mistake.code }

  func diagnostics(for mapping: MappingIndex) -> [Diagnostic] {
    mistakes(in: mapping).enumerated().map { number, mistake in
      Diagnostic(
        mistake.severity, code: Mistake.code, problem: mistake.problem,
        remedy: mistake.remedy(MappingNames(mapping: mapping, mistakesBefore: number)), location: mistake.location)
    }
  }
}
