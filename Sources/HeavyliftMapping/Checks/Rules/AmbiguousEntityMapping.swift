import HeavyliftExpression
import HeavyliftModel

/// A relationship must not have several fitting entity mappings without naming one.
struct AmbiguousEntityMapping: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.ambiguous-entity-mapping"
    var property: PropertyMappingFact
    var fitting: [String]
    /// True if several of these mappings create objects for the relationship; false if none of them is used.
    var isDoubled: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    var overlaps = MappingOverlaps(mapping)
    return mapping.properties.compactMap { property in
      guard !property.isLeftToPolicy else { return nil }
      switch property.complete.origin {
      case .unmapped(.severalFittingMappings(_, let names)):
        return Mistake(
          property: property, fitting: names, isDoubled: false, location: property.location(of: "from"))
      case .rebuilt(_, let names) where names.count > 1:
        guard let doubled = overlaps.first(among: names), !areToldAsDoubled(doubled, in: mapping) else { return nil }
        return Mistake(
          property: property, fitting: doubled, isDoubled: true, location: property.location(of: "name"))
      default: return nil
      }
    }
  }
}

extension AmbiguousEntityMapping {
  private func areToldAsDoubled(_ names: [String], in mapping: MappingIndex) -> Bool {
    let facts = names.compactMap { mapping.mapping(named: $0) }
    guard facts.count == 2, facts[0].destination == facts[1].destination else { return false }
    return !facts.contains(where: \.description.intendsDuplicates)
  }
}

extension AmbiguousEntityMapping.Mistake {
  var severity: Diagnostic.Severity {
    isDoubled && property.relationship?.isToMany == true ? .warning : .error
  }

  var problem: String {
    if !isDoubled { return "\(property.place) does not specify which entity mapping to use: \(fitting.quotedList)" }
    return property.relationship?.isToMany == true
      ? "\(property.place) gets the objects of entity mappings \(fitting.quotedList), which may take the same source objects"
      : "\(property.place) is to-one, but entity mappings \(fitting.quotedList) both create an object for it"
  }

  func remedy(_ names: MappingNames) -> String? {
    if isDoubled, property.relationship?.isToMany == true {
      return "write filters that no object passes twice, such as comparisons of one attribute with different constants"
    }
    let name = (fitting.first ?? "").quotedName
    return "specify which one you mean, as in 'mapping=\"\(name.dropFirst().dropLast())\"'"
  }
}
