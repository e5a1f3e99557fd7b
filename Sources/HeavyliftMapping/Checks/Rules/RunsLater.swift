import HeavyliftModel

/// An attribute's value or a source expression must not request destination instances that do not exist yet.
///
/// Attributes are set while objects are created, mapping after mapping; relationships are set once all objects exist.
struct RunsLater: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.runs-later"
    var place: String
    var mapping: String
    /// True if the mapping requests its own objects.
    var isItself: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    var found: [Mistake] = []
    func look(_ names: [String], _ fact: EntityMappingFact, _ place: String, _ location: DiagnosticLocation?) {
      for name in names {
        guard let other = mapping.mapping(named: name), other.number >= fact.number else { continue }
        found.append(
          Mistake(place: place, mapping: name, isItself: other.number == fact.number, location: location))
        return
      }
    }
    for fact in mapping.mappings {
      guard let expression = fact.description.sourceExpression else { continue }
      look(
        expression.requestedMappings, fact, "the source expression of \(fact.place)",
        fact.location(of: "source-expression"))
    }
    for property in mapping.properties where property.attribute != nil && property.complete.origin == .written {
      guard let names = property.complete.valueExpression?.requestedMappings, !names.isEmpty else { continue }
      look(names, property.owner, property.place, property.location(of: "value"))
    }
    return found
  }
}

extension RunsLater.Mistake {
  var severity: Diagnostic.Severity { isItself ? .warning : .error }

  var problem: String {
    isItself
      ? "\(place) requests objects of its own entity mapping, not all of which exist yet"
      : "\(place) requests objects of entity mapping \(mapping.quotedName), which runs later"
  }

  func remedy(_ names: MappingNames) -> String? {
    isItself
      ? "take the value from '$source'"
      : "move entity mapping \(mapping.quotedName) before this one, or take the value from '$source'"
  }
}
