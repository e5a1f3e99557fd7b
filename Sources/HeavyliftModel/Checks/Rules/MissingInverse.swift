/// A relationship should have an inverse: without one, it is not updated when the object at the other end is deleted.
/// Xcode warns, too.
struct MissingInverse: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.missing-inverse"
    var place: PropertyPlace
    var destination: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.filter { $0.relationship.inverseName == nil }.map {
      Mistake(
        place: $0.place, destination: $0.relationship.destinationEntityName, location: $0.relationship.markup.location)
    }
  }
}

extension MissingInverse.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) has no inverse" }
  func remedy(_ names: NameSuggestions) -> String? {
    destination.map { "add a relationship that leads back from entity \($0.quotedName)" }
      ?? "add a relationship that leads back"
  }
}
