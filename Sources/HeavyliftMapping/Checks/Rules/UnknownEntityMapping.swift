import HeavyliftModel

/// The entity mapping that a relationship names must exist.
struct UnknownEntityMapping: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unknown-entity-mapping"
    var place: String
    var name: String
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard case .related(_, let name?) = property.written?.source, mapping.mapping(named: name) == nil else {
        return nil
      }
      return Mistake(
        place: property.place, name: name, dependence: mapping.dependence(of: property),
        location: property.location(of: "mapping"))
    }
  }
}

extension UnknownEntityMapping.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }
  var problem: String {
    "\(place) refers to unknown entity mapping \(name.quotedName)\(dependence.suffix)"
  }
  func remedy(_ names: MappingNames) -> String? { names.entityMapping(insteadOf: name) }
}
