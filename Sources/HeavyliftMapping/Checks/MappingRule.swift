import HeavyliftModel

/// A rule that every mapping must obey.
///
/// A rule finds the facts of each mistake; the mistake turns them into a message. Only `MappingRules` lists the rules.
protocol MappingRule: Sendable {
  associatedtype Mistake: MappingMistake

  /// Returns every violation of the rule in the mapping.
  func mistakes(in mapping: MappingIndex) -> [Mistake]
}

/// A rule whose violations may matter only if the store has certain objects.
protocol StoreDependentRule: MappingRule {}

/// The facts of a mistake, and its message.
protocol MappingMistake {
  /// A stable code for scripts: `mapping.unknown-policy`.
  static var code: String { get }
  var severity: Diagnostic.Severity { get }
  var location: DiagnosticLocation? { get }
  /// The problem, starting with the thing that is wrong.
  var problem: String { get }
  /// The fix, if there is one to suggest.
  func remedy(_ names: MappingNames) -> String?
}

extension MappingRule {
  static var code: String { Mistake.code }

  func diagnostics(for mapping: MappingIndex) -> [Diagnostic] {
    let mistakes = mistakes(in: mapping)
    // Most rules find nothing. Leaving here saves a new process the types that the closure below needs for each rule.
    guard !mistakes.isEmpty else { return [] }
    return mistakes.enumerated().map { number, mistake in
      Diagnostic(
        mistake.severity, code: Mistake.code, problem: mistake.problem,
        remedy: mistake.remedy(MappingNames(mapping: mapping, mistakesBefore: number)), location: mistake.location)
    }
  }
}
