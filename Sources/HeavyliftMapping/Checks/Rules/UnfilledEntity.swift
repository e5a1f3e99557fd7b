import HeavyliftModel

/// Every destination entity needs an entity mapping that creates its objects.
struct UnfilledEntity: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unfilled-entity"
    var entity: String
    /// A relationship that would lead to the entity's objects.
    var relationship: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let coverage = mapping.facts.coverage
    var relationships: [Int: String] = [:]
    for property in mapping.properties {
      guard case .noFittingMapping? = property.unmappedReason, property.written == nil,
        let entity = mapping.destination.entity(named: property.relationship?.destinationEntityName)
      else { continue }
      relationships[entity] = relationships[entity] ?? property.place
    }
    return coverage.unfilled.sorted().compactMap { entity in
      // Reported only once, at the source entity whose objects no mapping takes.
      if let origin = mapping.facts.pair.predecessors[entity], coverage.dropped.contains(origin) { return nil }
      return Mistake(
        entity: mapping.destination.model.entities[entity].name, relationship: relationships[entity],
        location: mapping.location)
    }
  }
}

extension UnfilledEntity.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let consequence = relationship.map { ", so \($0) stays empty" } ?? ""
    return "no entity mapping creates objects of destination entity \(entity.quotedName)\(consequence)"
  }

  func remedy(_ names: MappingNames) -> String? {
    "write '<entity-mapping destination=\"\(entity)\" type=\"add\"/>' if it is meant to be empty"
  }
}
