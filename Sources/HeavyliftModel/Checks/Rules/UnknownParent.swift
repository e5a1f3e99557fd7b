/// A parent must be an entity of the same model.
struct UnknownParent: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.unknown-parent"
    var entity: String
    var parent: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.compactMap { entity in
      guard let parent = entity.superentityName, model.entity(named: parent) == nil else { return nil }
      return Mistake(
        entity: entity.name, parent: parent, location: entity.markup.location(of: "parentEntity"))
    }
  }
}

extension UnknownParent.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    "entity \(entity.quotedName) inherits from entity \(parent.quotedName), which the model does not have"
  }
  func remedy(_ names: NameSuggestions) -> String? { names.entity(insteadOf: parent) }
}
