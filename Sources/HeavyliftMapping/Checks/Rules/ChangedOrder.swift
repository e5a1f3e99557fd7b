import HeavyliftModel

/// An ordered relationship must come from an ordered one, and an unordered one from an unordered one.
struct ChangedOrder: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.changed-order"
    var property: PropertyMappingFact
    var source: RelationshipDescription
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let relationship = property.relationship, relationship.isToMany, !property.owner.isCustom,
        case .rebuilt(let name, _) = property.complete.origin, let entity = property.owner.source,
        case .relationship(let old)? = mapping.source.property(named: name, of: entity)?.property, old.isToMany,
        old.isOrdered != relationship.isOrdered
      else { return nil }
      return Mistake(property: property, source: old, location: property.location(of: "name"))
    }
  }
}

extension ChangedOrder.Mistake {
  var severity: Diagnostic.Severity { source.isOrdered ? .warning : .note }

  var problem: String {
    source.isOrdered
      ? "\(property.place) loses the order of source relationship \(source.name.quotedName)"
      : "\(property.place) is ordered, but source relationship \(source.name.quotedName) is not"
  }

  func remedy(_ names: MappingNames) -> String? {
    source.isOrdered
      ? "keep the order in an attribute if it matters" : "the objects are ordered by their keys; a policy can sort them"
  }
}
