/// The destination of a relationship must be an entity of the same model.
struct UnknownDestination: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.unknown-destination"
    var place: PropertyPlace
    var destination: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      guard let destination = fact.relationship.destinationEntityName, model.entity(named: destination) == nil else {
        return nil
      }
      return Mistake(
        place: fact.place, destination: destination,
        location: fact.relationship.markup.location(of: "destinationEntity"))
    }
  }
}

extension UnknownDestination.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) leads to entity \(destination.quotedName), which the model does not have" }
  func remedy(_ names: NameSuggestions) -> String? { names.entity(insteadOf: destination) }
}
