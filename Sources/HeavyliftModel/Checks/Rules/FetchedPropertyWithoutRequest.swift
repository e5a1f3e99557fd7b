/// A fetched property must have a fetch request.
struct FetchedPropertyWithoutRequest: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.fetched-property-without-request"
    var place: PropertyPlace
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.flatMap { entity in
      entity.fetchedProperties.filter { $0.fetchRequest == nil }
        .map { Mistake(place: PropertyPlace(.fetched($0), of: entity), location: $0.markup.location) }
    }
  }
}

extension FetchedPropertyWithoutRequest.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) has no fetch request, so it is always empty" }
  func remedy(_ names: NameSuggestions) -> String? { "give it a fetch request, or remove it" }
}
