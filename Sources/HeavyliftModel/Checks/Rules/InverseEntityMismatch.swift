/// The entity of an inverse should be the relationship's destination, or an ancestor or descendant of it. A compiled
/// model has only the inverse's name, and Core Data looks it up in the destination.
struct InverseEntityMismatch: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.inverse-entity-mismatch"
    var place: PropertyPlace
    var destination: String
    var inverseEntity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      guard let destination = model.entity(named: fact.relationship.destinationEntityName),
        let inverse = model.entity(named: fact.relationship.inverseEntityName),
        !model.areRelated(destination, inverse)
      else { return nil }
      return Mistake(
        place: fact.place, destination: model.model.entities[destination].name,
        inverseEntity: model.model.entities[inverse].name,
        location: fact.relationship.markup.location(of: "inverseEntity"))
    }
  }
}

extension InverseEntityMismatch.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    "\(place) leads to entity \(destination.quotedName), but its inverse is in entity \(inverseEntity.quotedName)"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    "make entity \(destination.quotedName) both the destination and the entity of the inverse"
  }
}
