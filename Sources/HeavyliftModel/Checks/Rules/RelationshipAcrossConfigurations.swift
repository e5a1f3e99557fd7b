/// Objects in different stores cannot be related, so two related entities should share a configuration.
struct RelationshipAcrossConfigurations: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.relationship-across-configurations"
    var place: PropertyPlace
    var destination: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var configurations: [String: Set<String>] = [:]
    for configuration in model.model.configurations {
      for name in configuration.entityNames { configurations[name, default: []].insert(configuration.name) }
    }
    return model.relationships.compactMap { fact in
      // Entities without a configuration are in the default one, together with all others.
      guard !fact.relationship.isTransient, let destination = fact.relationship.destinationEntityName,
        let here = configurations[model.model.entities[fact.entity].name], let there = configurations[destination],
        here.isDisjoint(with: there)
      else { return nil }
      return Mistake(
        place: fact.place, destination: destination,
        location: fact.relationship.markup.location(of: "destinationEntity"))
    }
  }
}

extension RelationshipAcrossConfigurations.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    "\(place) leads to entity \(destination.quotedName), but no configuration contains both entities"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    "put both entities in one configuration, or replace the relationship with a fetched property"
  }
}
