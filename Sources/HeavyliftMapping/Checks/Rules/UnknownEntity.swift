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
    /// True if the other model has an entity with that name.
    var isOnOtherSide: Bool
    var location: DiagnosticLocation?
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
    guard isOnOtherSide else { return "\(place) refers to unknown \(side.rawValue) entity \(entity.quotedName)" }
    let other = side == .source ? "destination" : "source"
    return "\(place) refers to \(side.rawValue) entity \(entity.quotedName), which only the \(other) model has"
  }

  func remedy(_ names: MappingNames) -> String? {
    (side == .source ? names.source : names.destination).entity(insteadOf: entity)
  }
}
