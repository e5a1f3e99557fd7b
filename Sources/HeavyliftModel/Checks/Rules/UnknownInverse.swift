/// An inverse must be a relationship that exists at the other end.
struct UnknownInverse: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.unknown-inverse"

    enum Flaw: Hashable {
      case unknownEntity(String)
      case noProperty(String, entity: Int)
      case noRelationship(String, entity: Int, kind: String)
    }

    var place: PropertyPlace
    var flaw: Flaw
    /// The name of the entity that should have the inverse.
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var found: [Mistake] = []
    for fact in model.relationships {
      let markup = fact.relationship.markup
      if let name = fact.relationship.inverseEntityName, model.entity(named: name) == nil,
        name != fact.relationship.destinationEntityName
      {
        let location = markup.location(of: "inverseEntity")
        found.append(Mistake(place: fact.place, flaw: .unknownEntity(name), entity: name, location: location))
      }
      let (flaw, entity): (Mistake.Flaw, Int)
      switch model.inverse(of: fact.relationship) {
      case .missing(let name, let number): (flaw, entity) = (.noProperty(name, entity: number), number)
      case .wrongKind(let name, let number, let kind):
        (flaw, entity) = (.noRelationship(name, entity: number, kind: kind), number)
      case .found, .unknown: continue
      }
      found.append(
        Mistake(
          place: fact.place, flaw: flaw, entity: model.model.entities[entity].name,
          location: markup.location(of: "inverseName")))
    }
    return found
  }
}

extension UnknownInverse.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    switch flaw {
    case .unknownEntity(let name):
      "\(place) has its inverse in entity \(name.quotedName), which the model does not have"
    case .noProperty(let name, _):
      "\(place) has inverse \(name.quotedName), which entity \(entity.quotedName) does not have"
    case .noRelationship(let name, _, let kind):
      "\(place) has inverse \(name.quotedName), which is \(kind.withArticle) of entity \(entity.quotedName)"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .unknownEntity(let name): names.entity(insteadOf: name)
    case .noProperty(let name, let entity): names.relationship(insteadOf: name, of: entity)
    case .noRelationship: "name a relationship that leads back"
    }
  }
}
