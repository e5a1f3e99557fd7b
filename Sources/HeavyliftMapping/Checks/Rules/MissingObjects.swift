import HeavyliftModel

/// A mandatory relationship must be filled, from this side or from its inverse.
struct MissingObjects: StoreDependentRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.missing-objects"
    var property: PropertyMappingFact
    var relationship: RelationshipDescription
    var isListed: Bool
    var dependence: StoreDependence
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let filled = mapping.facts.filled
    return mapping.properties.compactMap { property in
      guard let relationship = property.relationship, let reason = property.unmappedReason,
        relationship.requiresTarget, !relationship.isTransient, !property.owner.isCustom,
        reason.isNotToldOtherwise, !property.owner.presumedProperties.contains(relationship.name),
        !filled.isFilledFromInverse(relationship), !property.hasNothingToCopy(in: mapping)
      else { return nil }
      if case .noFittingMapping = reason { return nil }
      return Mistake(
        property: property, relationship: relationship, isListed: property.written != nil,
        dependence: mapping.dependence(of: property),
        location: property.location(of: "copy"))
    }
  }
}

extension MissingObjects.Mistake {
  var severity: Diagnostic.Severity { dependence.severity }

  var problem: String {
    "mandatory relationship \(relationship.name.quotedName) of \(property.owner.place) stays empty"
      + dependence.suffix
  }

  func remedy(_ names: MappingNames) -> String? {
    let inverse = relationship.inverseName.map { ", or map its inverse \($0.quotedName)" } ?? ""
    return "write '<relationship name=\"\(relationship.name)\" from=\"…\"/>'\(inverse)"
  }
}
