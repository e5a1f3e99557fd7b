import HeavyliftModel

/// An attribute must be mapped as an attribute, a relationship as a relationship, and a fetched property not at all.
struct WrongPropertyKind: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.wrong-property-kind"
    var name: String
    var written: PropertyMappingDescription.Kind
    var property: PropertyReference
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact in
      fact.description.propertyMappings.compactMap { written in
        guard let property = fact.destinationProperties[written.name], property.mappingKind != written.kind else {
          return nil
        }
        return Mistake(
          name: written.name, written: written.kind, property: property,
          entity: fact.mapping.destinationEntityName ?? "", location: written.markup.location)
      }
    }
  }
}

extension WrongPropertyKind.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    "\(property.kind) \(name.quotedName) of entity \(entity.quotedName) is mapped as \(written == .attribute ? "an attribute" : "a relationship")"
  }

  func remedy(_ names: MappingNames) -> String? {
    property.mappingKind.map { "write '<\($0.rawValue) …>' instead" }
      ?? "remove it: the objects of a fetched property are not stored"
  }
}
