/// An inverse should lead back to the entity, and have the relationship as its own inverse.
///
/// Shipped models break this rule, and Core Data opens their stores.
struct InverseDisagrees: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.inverse-disagrees"

    enum Flaw: Hashable {
      case noInverse
      case otherInverse(String)
      case otherDestination(String)
    }

    var place: PropertyPlace
    /// The inverse in words, such as "'books' of entity 'Author'".
    var inverse: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      guard case .found(let inverse, let entity) = model.inverse(of: fact.relationship),
        let flaw = flaw(of: inverse, for: fact, in: model)
      else { return nil }
      let owner = model.model.entities[entity].name.quotedName
      return Mistake(
        place: fact.place, inverse: "\(inverse.name.quotedName) of entity \(owner)", flaw: flaw,
        location: fact.relationship.markup.location(of: "inverseName"))
    }
  }

  private func flaw(
    of inverse: RelationshipDescription, for fact: RelationshipFact, in model: ModelIndex
  ) -> Mistake.Flaw? {
    guard let name = inverse.inverseName else { return .noInverse }
    if name != fact.relationship.name { return .otherInverse(name) }
    // An ancestor or a descendant is fine: the relationship may be inherited on either side.
    guard let destination = model.entity(named: inverse.destinationEntityName),
      !model.areRelated(destination, fact.entity)
    else { return nil }
    return .otherDestination(model.model.entities[destination].name)
  }
}

extension InverseDisagrees.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    switch flaw {
    case .noInverse: "\(place) has inverse \(inverse), which has no inverse itself"
    case .otherInverse(let name): "\(place) has inverse \(inverse), whose own inverse is \(name.quotedName)"
    case .otherDestination(let name):
      "\(place) has inverse \(inverse), which leads to entity \(name.quotedName) instead of \(place.owner)"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    "make the two relationships name each other; this changes the version hash, so do it in a new version of the model"
  }
}
