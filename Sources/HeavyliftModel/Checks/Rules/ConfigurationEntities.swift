/// A configuration may list only entities of its model. Core Data ignores all others.
struct ConfigurationEntities: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.configuration-entity"
    var configuration: String
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.configurations.flatMap { configuration in
      configuration.entityNames.filter { model.entity(named: $0) == nil }.sorted()
        .map { Mistake(configuration: configuration.name, entity: $0, location: configuration.markup.location) }
    }
  }
}

extension ConfigurationEntities.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    "configuration \(configuration.quotedName) has entity \(entity.quotedName), which the model does not have"
  }
  func remedy(_ names: NameSuggestions) -> String? { names.entity(insteadOf: entity) }
}
