/// An entity's fetch indexes are identified by name, as are the indexes that a store has for them.
struct DuplicateFetchIndex: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-fetch-index"
    var index: String
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.flatMap { entity in
      var seen: Set<String> = []
      return entity.fetchIndexes.compactMap { index -> Mistake? in
        guard !index.name.isEmpty, !seen.insert(index.name).inserted else { return nil }
        return Mistake(
          index: index.name, entity: entity.name,
          location: index.markup.location(of: "name") ?? entity.markup.location)
      }
    }
  }
}

extension DuplicateFetchIndex.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "fetch index \(index.quotedName) of entity \(entity.quotedName) is declared more than once" }
  func remedy(_ names: NameSuggestions) -> String? { "rename or remove one of them" }
}
