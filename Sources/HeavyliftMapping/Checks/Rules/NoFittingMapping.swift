import HeavyliftModel

/// Some entity mapping makes the objects that a relationship leads to.
struct NoFittingMapping: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.no-fitting-mapping"
    var property: PropertyMappingFact
    var source: String
    var sourceEntity: String?
    var destinationEntity: String
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let entities = EntityCoverage(mapping)
    return mapping.properties.compactMap { property in
      guard case .noFittingMapping(let from)? = property.unmappedReason, !property.owner.isCustom,
        let relationship = property.relationship, let wanted = relationship.destinationEntityName,
        let number = mapping.destination.entity(named: wanted)
      else { return nil }
      let old = property.owner.source.flatMap { mapping.source.property(named: from, of: $0)?.property }
      var given: String?
      if case .relationship(let old)? = old { given = old.destinationEntityName }
      // A mapping with an entity that there is not would perhaps have fitted.
      if entities.hasUnknownEntity { return nil }
      if property.written == nil {
        // Whatever the objects' entities are told for, this only follows from it.
        if let given, let entity = mapping.source.entity(named: given), entities.isRemovedOrDropped(entity) {
          return nil
        }
        if entities.isUnfilled(number) { return nil }
      }
      return Mistake(
        property: property, source: from, sourceEntity: given, destinationEntity: wanted,
        location: property.location(of: "from", "name"))
    }
  }
}

extension NoFittingMapping.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let origin = sourceEntity.map { " out of those of source entity \($0.quotedName)" } ?? ""
    return "\(property.place) stays empty: no entity mapping makes objects of \(destinationEntity.quotedName)\(origin)"
  }

  func remedy(_ names: MappingNames) -> String? {
    guard let sourceEntity else { return "name an entity mapping with 'mapping', or write one" }
    return "write '<entity-mapping source=\"\(sourceEntity)\" destination=\"\(destinationEntity)\"/>', "
      + "or 'copy=\"no\"' to let the relationship go"
  }
}
