/// A rule that models must follow.
///
/// A rule finds the facts of each mistake; the mistake type, in the same file, turns them into a message. `ModelRules`
/// is the only place that lists the rules.
package protocol ModelRule: Sendable {
  associatedtype Mistake: ModelMistake

  /// Returns every place in the model that breaks the rule.
  func mistakes(in model: ModelIndex) -> [Mistake]
}

/// The facts of one mistake, and the message that reports them.
package protocol ModelMistake: Hashable, Sendable {
  /// A stable code for scripts, such as `model.unknown-destination`.
  static var code: String { get }
  var severity: Diagnostic.Severity { get }
  var location: DiagnosticLocation? { get }
  /// The problem in words, starting with the thing that has it.
  var problem: String { get }
  /// Returns the fix to suggest, if there is one.
  func remedy(_ names: NameSuggestions) -> String?
}

extension ModelRule {
  package static var code: String { Mistake.code }

  func diagnostics(for model: ModelIndex) -> [Diagnostic] {
    let mistakes = mistakes(in: model)
    // Most rules find nothing. Leaving here saves a new process the types that the closure below needs for each rule.
    guard !mistakes.isEmpty else { return [] }
    return mistakes.enumerated().map { number, mistake in
      Diagnostic(
        mistake.severity, code: Mistake.code, problem: mistake.problem,
        remedy: mistake.remedy(NameSuggestions(model: model, mistakesBefore: number)), location: mistake.location)
    }
  }
}

extension Markup {
  /// Returns the location of the first of these attributes that the element has, or else of the element.
  func location(ofFirst names: String...) -> DiagnosticLocation? {
    names.first { self[$0] != nil }.map { location(of: $0) } ?? location
  }
}
