/// Fetch request templates are looked up by name, so no two may share one.
struct DuplicateFetchRequest: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-fetch-request"
    var name: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var seen: Set<String> = []
    return model.model.fetchRequestTemplates.compactMap { request in
      guard !request.name.isEmpty, !seen.insert(request.name).inserted else { return nil }
      return Mistake(name: request.name, location: request.markup.location(of: "name"))
    }
  }
}

extension DuplicateFetchRequest.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "fetch request template \(name.quotedName) is declared more than once" }
  func remedy(_ names: NameSuggestions) -> String? { "rename or remove one of them" }
}
