import HeavyliftExpression
import HeavyliftModel

/// What a filter leaves out is taken by another mapping, or said to go.
struct LosingFilter: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.losing-filter"
    var mappings: [String]
    var entity: String
    var filter: String
    var location: SourceLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.source.model.entities.indices.compactMap { entity in
      let takers = mapping.mappings(from: entity)
      guard let first = takers.first, !takers.contains(where: { $0.takesEverything || $0.fetchesItself }) else {
        return nil
      }
      let filters = takers.compactMap(\.mapping.filter)
      let cases = FilterCases(filters) { mapping.source.property(named: $0, of: entity)?.property }
      // What cannot be told is told: a person can.
      guard cases?.canMissAll ?? true else { return nil }
      return Mistake(
        mappings: takers.map(\.name), entity: mapping.source.model.entities[entity].name,
        filter: filters.count == 1 ? filters[0].description : "", location: first.location(of: "where"))
    }
  }
}

extension EntityMappingFact {
  /// Whether its objects come from an expression that somebody wrote.
  var fetchesItself: Bool { description.sourceExpression != nil }
}

extension LosingFilter.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let name = entity.quotedName
    return mappings.count == 1
      ? "objects of source entity \(name) that the filter of entity mapping \(mappings[0].quotedName) leaves out are lost"
      : "objects of source entity \(name) that all filters of entity mappings \(mappings.quotedList) leave out are lost"
  }

  func remedy(_ names: MappingNames) -> String? {
    let remove = "<entity-mapping source=\"\(entity)\" type=\"remove\""
    if filter.isEmpty || filter.contains("\"") || filter.count > 60 {
      return "write '\(remove)/>' after them if these are to go"
    }
    let text = filter.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "write '\(remove) where=\"NOT (\(text))\"/>' if these are to go"
  }
}
