import HeavyliftModel

/// A property that some entity mappings keep must be kept by all or dropped by name.
///
/// An attribute that moved from an entity to its sub-entities is lost for the entity's other objects.
struct PartlyLostProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.partly-lost-property"
    var owner: EntityMappingFact
    var property: PropertyReference
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let gone = mapping.facts.gone
    let heirs = AbstractEntity.expectedHeirs(in: mapping)
    return gone.all().flatMap { fact, properties -> [Mistake] in
      if let source = fact.source, heirs.contains(source) { return [] }
      return properties.filter { !$0.isDropped && !fact.isCustom && gone.isKeptElsewhere($0.property, by: fact) }.map {
        Mistake(owner: fact, property: $0.property, location: fact.location(of: "source"))
      }
    }
  }
}

extension PartlyLostProperty.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let (source, destination) = (owner.mapping.sourceEntityName ?? "", owner.mapping.destinationEntityName ?? "")
    return "\(owner.place) does not migrate \(property.kind) \(property.name.quotedName) of source entity "
      + "\(source.quotedName), although other entity mappings read it: destination entity "
      + "\(destination.quotedName) does not have it"
  }

  func remedy(_ names: MappingNames) -> String? {
    let drop = "'<drop name=\"\(property.name)\"/>'"
    guard owner.isImplied else { return "write \(drop) if the values of \(property.name.quotedName) are to be deleted" }
    let (source, destination) = (owner.mapping.sourceEntityName ?? "", owner.mapping.destinationEntityName ?? "")
    return
      "write '<entity-mapping source=\"\(source)\" destination=\"\(destination)\">' with \(drop) inside if the "
      + "values of \(property.name.quotedName) are to be deleted"
  }
}
