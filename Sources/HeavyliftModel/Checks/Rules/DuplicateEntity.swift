/// Entities are looked up by name, so no two may share one.
struct DuplicateEntity: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-entity"
    var name: String
    var first: DiagnosticLocation?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.enumerated().compactMap { number, entity in
      guard !entity.name.isEmpty, let first = model.entity(named: entity.name), first != number else { return nil }
      return Mistake(
        name: entity.name, first: model.model.entities[first].markup.location(of: "name"),
        location: entity.markup.location(of: "name"))
    }
  }
}

extension DuplicateEntity.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    "entity \(name.quotedName) is declared more than once" + (first.map { "; the first is on line \($0.line)" } ?? "")
  }
  func remedy(_ names: NameSuggestions) -> String? { "rename or remove one of them" }
}
