import HeavyliftModel

/// The entities of an entity mapping must exist in their models.
struct UnknownEntity: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unknown-entity"

    enum Side: String {
      case source
      case destination
    }

    var place: String
    var entity: String
    var side: Side
    /// True if the other model has an entity of that name.
    var isOnOtherSide: Bool
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      var found: [Mistake] = []
      if let name = fact.mapping.sourceEntityName, fact.source == nil {
        found.append(
          Mistake(
            place: fact.place, entity: name, side: .source,
            isOnOtherSide: mapping.destination.entity(named: name) != nil, location: fact.location(of: "source")))
      }
      if let name = fact.mapping.destinationEntityName, fact.destination == nil {
        found.append(
          Mistake(
            place: fact.place, entity: name, side: .destination,
            isOnOtherSide: mapping.source.entity(named: name) != nil, location: fact.location(of: "destination")))
      }
      return found
    }
  }
}

extension UnknownEntity.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let verb = side == .source ? "takes objects of" : "makes objects of"
    let model = isOnOtherSide ? "only the \(side == .source ? "destination" : "source") model has" : nil
    return "\(place) \(verb) entity \(entity.quotedName), which \(model ?? "the \(side.rawValue) model does not have")"
  }

  func remedy(_ names: MappingNames) -> String? {
    (side == .source ? names.source : names.destination).entity(insteadOf: entity)
  }
}
