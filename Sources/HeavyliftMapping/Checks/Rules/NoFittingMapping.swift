import HeavyliftModel

/// A relationship needs an entity mapping that creates its objects.
///
/// In an inferred mapping, the store decides: a migration counts the links that would be lost.
struct NoFittingMapping: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.no-fitting-mapping"
    var property: PropertyMappingFact
    var sourceEntity: String?
    var destinationEntity: String
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    if mapping.complete.mappingModel.isInferred { return [] }
    let entities = mapping.facts.coverage
    // A mapping that names an unknown entity may fit once the name is corrected.
    if entities.hasUnknownEntity { return [] }
    return mapping.properties.compactMap { property in
      guard !property.owner.isCustom || property.written != nil, let relationship = property.relationship,
        let wanted = relationship.destinationEntityName, let number = mapping.destination.entity(named: wanted)
      else { return nil }
      // An unknown mapping name is reported separately.
      if property.unknownMapping(in: mapping) != nil { return nil }
      let given: String?
      if case .related(let objects?, nil)? = property.written?.source {
        given = mapping.type(of: objects, in: property.owner).kind.sourceEntity
        if !isUnfit(property, given, in: mapping) { return nil }
      } else {
        guard case .noFittingMapping(let from)? = property.unmappedReason, !property.owner.isCustom else { return nil }
        given = destination(of: from, property.owner, in: mapping)
      }
      if property.written == nil {
        // If missing objects of the entity are already reported, this is only a consequence.
        if entities.unfilled.contains(number) { return nil }
        if let entity = mapping.source.entity(named: given), entities.isRemovedOrDropped(entity) { return nil }
      }
      return Mistake(
        property: property, sourceEntity: given, destinationEntity: wanted,
        dependence: mapping.dependence(of: property, onObjectsOf: mapping.source.entity(named: given)),
        location: property.location(of: "from", "name"))
    }
  }

  /// Returns true if no mapping fits, or if the chosen one takes other objects.
  private func isUnfit(_ property: PropertyMappingFact, _ given: String?, in mapping: MappingIndex) -> Bool {
    if case .noFittingMapping? = property.unmappedReason { return true }
    guard let entity = mapping.source.entity(named: given),
      let name = property.complete.valueExpression?.counterpartsRequest?.mapping,
      let source = mapping.mapping(named: name)?.source
    else { return false }
    return !mapping.source.areRelated(source, entity)
  }

  private func destination(of relationship: String, _ owner: EntityMappingFact, in mapping: MappingIndex) -> String? {
    let property = owner.source.flatMap { mapping.source.property(named: relationship, of: $0)?.property }
    if case .relationship(let old)? = property { return old.destinationEntityName }
    return nil
  }
}

extension NoFittingMapping.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }

  var problem: String {
    let origin = sourceEntity.map { " from objects of source entity \($0.quotedName)" } ?? ""
    return "\(property.place) stays empty: no entity mapping creates objects of "
      + "\(destinationEntity.quotedName)\(origin)"
      + dependence.suffix
  }

  func remedy(_ names: MappingNames) -> String? {
    guard let sourceEntity else { return "name an entity mapping with 'mapping', or write one" }
    let element = "write '<entity-mapping source=\"\(sourceEntity)\" destination=\"\(destinationEntity)\"/>'"
    return property.mustHaveValue ? element : "\(element), or 'copy=\"no\"' to discard the relationship"
  }
}
