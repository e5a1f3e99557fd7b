/// Configurations are looked up by name, so no two may share one.
struct DuplicateConfiguration: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-configuration"
    var name: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var seen: Set<String> = []
    return model.model.configurations.compactMap { configuration in
      guard !configuration.name.isEmpty, !seen.insert(configuration.name).inserted else { return nil }
      return Mistake(name: configuration.name, location: configuration.markup.location(of: "name"))
    }
  }
}

extension DuplicateConfiguration.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "configuration \(name.quotedName) is declared more than once" }
  func remedy(_ names: NameSuggestions) -> String? { "rename one of them, or put all entities into the other" }
}
