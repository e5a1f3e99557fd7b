/// Composite types are looked up by name, so no two may share one.
struct DuplicateComposite: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-composite"
    var name: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var seen: Set<String> = []
    return model.model.composites.compactMap { composite in
      guard !composite.name.isEmpty, !seen.insert(composite.name).inserted else { return nil }
      return Mistake(name: composite.name, location: composite.markup.location(of: "name"))
    }
  }
}

extension DuplicateComposite.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "composite \(name.quotedName) is declared more than once" }
  func remedy(_ names: NameSuggestions) -> String? { "rename or remove one of them" }
}
