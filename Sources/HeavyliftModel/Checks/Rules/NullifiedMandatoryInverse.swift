/// Deleting an object nullifies the relationships that lead to it; if such a relationship is mandatory, validation then
/// fails.
struct NullifiedMandatoryInverse: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.nullified-mandatory-inverse"
    var place: PropertyPlace
    var inverse: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      guard fact.relationship.deleteRule == .nullify,
        case .found(let inverse, let entity) = model.inverse(of: fact.relationship),
        !inverse.isOptional, !inverse.isToMany
      else { return nil }
      let owner = model.model.entities[entity].name.quotedName
      return Mistake(
        place: fact.place, inverse: "\(inverse.name.quotedName) of entity \(owner)",
        location: fact.relationship.markup.location(of: "deletionRule"))
    }
  }
}

extension NullifiedMandatoryInverse.Mistake {
  var severity: Diagnostic.Severity { .note }
  var problem: String { "\(place) nullifies on deletion, but its inverse \(inverse) is mandatory" }
  func remedy(_ names: NameSuggestions) -> String? {
    "choose Cascade or Deny, make the inverse optional, or set another target before each deletion"
  }
}
