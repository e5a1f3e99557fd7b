/// A relationship must have a destination entity.
struct MissingDestination: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.missing-destination"
    var place: PropertyPlace
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.filter { $0.relationship.destinationEntityName == nil }
      .map { Mistake(place: $0.place, location: $0.relationship.markup.location) }
  }
}

extension MissingDestination.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) has no destination entity" }
  func remedy(_ names: NameSuggestions) -> String? { "name the entity that it leads to" }
}
