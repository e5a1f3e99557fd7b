/// An abstract entity exists to be inherited from: without sub-entities it has no objects.
struct AbstractWithoutSubentities: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.abstract-without-subentities"
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let parents = Set(model.model.entities.compactMap(\.superentityName))
    return model.model.entities.filter { $0.isAbstract && !parents.contains($0.name) }
      .map { Mistake(entity: $0.name, location: $0.markup.location(of: "isAbstract")) }
  }
}

extension AbstractWithoutSubentities.Mistake {
  var severity: Diagnostic.Severity { .note }
  var problem: String { "entity \(entity.quotedName) is abstract and has no sub-entities, so it has no objects" }
  func remedy(_ names: NameSuggestions) -> String? { "make it concrete, or let another entity inherit from it" }
}
