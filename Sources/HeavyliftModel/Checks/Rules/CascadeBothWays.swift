/// If both ends of a relationship cascade and one is to-many, deleting one object also deletes its siblings, the
/// objects that they own, and so on.
struct CascadeBothWays: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.cascade-both-ways"
    var place: PropertyPlace
    var inverse: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      let relationship = fact.relationship
      guard relationship.deleteRule == .cascade,
        case .found(let inverse, let entity) = model.inverse(of: relationship), inverse.deleteRule == .cascade,
        relationship.isToMany || inverse.isToMany
      else { return nil }
      // Reported once, where it hurts: at the to-one end, or at the first end if both are to-many.
      let isReflexive = inverse.name == relationship.name && entity == fact.entity
      let isFirst = (fact.entity, relationship.name) < (entity, inverse.name)
      guard !isReflexive, relationship.isToMany == inverse.isToMany ? isFirst : !relationship.isToMany else {
        return nil
      }
      let owner = model.model.entities[entity].name.quotedName
      return Mistake(
        place: fact.place, inverse: "\(inverse.name.quotedName) of entity \(owner)",
        location: relationship.markup.location(of: "deletionRule"))
    }
  }
}

extension CascadeBothWays.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    "\(place) and its inverse \(inverse) both cascade, so deleting one object deletes all connected objects"
  }
  func remedy(_ names: NameSuggestions) -> String? { "set one of the two to Nullify" }
}
