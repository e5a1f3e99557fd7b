/// One thing that a model must not do.
///
/// A rule finds the facts of each mistake; how they are told is the mistake's own part of the file. Rules are named in
/// `ModelRules` and nowhere else.
package protocol ModelRule: Sendable {
  associatedtype Mistake: ModelMistake

  /// Every place in the model that breaks the rule.
  func mistakes(in model: ModelIndex) -> [Mistake]
}

/// The facts of one mistake, and their wording.
package protocol ModelMistake: Hashable, Sendable {
  /// Stable, for scripts: `model.unknown-destination`.
  static var code: String { get }
  var severity: Diagnostic.Severity { get }
  var location: SourceLocation? { get }
  /// What is so, naming the thing first.
  var problem: String { get }
  /// What to do.
  func remedy(_ names: NameSuggestions) -> String?
}

extension ModelRule {
  package static var code: String { Mistake.code }

  func diagnostics(for model: ModelIndex) -> [Diagnostic] {
    mistakes(in: model).enumerated().map { number, mistake in
      Diagnostic(
        mistake.severity, code: Mistake.code, problem: mistake.problem,
        remedy: mistake.remedy(NameSuggestions(model: model, mistakesBefore: number)), location: mistake.location)
    }
  }
}

extension Markup {
  /// Where the first of the attributes that is written stands, or else the element.
  func location(ofFirst names: String...) -> SourceLocation? {
    names.first { self[$0] != nil }.map { location(of: $0) } ?? location
  }
}
