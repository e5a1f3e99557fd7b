import HeavyliftExpression
import HeavyliftModel

/// Objects that a filter excludes must be taken by another mapping or removed explicitly.
struct LosingFilter: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.losing-filter"
    var mappings: [String]
    var entity: String
    var filters: [MappingPredicate]
    /// The key that is nil in every lost object.
    var nilKey: MappingExpression?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.source.model.entities.indices.compactMap { entity in
      let takers = mapping.mappings(from: entity)
      guard let first = takers.first, !takers.contains(where: { $0.takesEverything || $0.fetchesItself }) else {
        return nil
      }
      let filters = takers.compactMap(\.mapping.filter)
      // The effect of a filter with mistakes is unknown.
      guard !takers.contains(where: { $0.hasWrongFilter(in: mapping) }) else { return nil }
      let cases = FilterCases(filters) { mapping.source.property(named: $0, of: entity)?.property }
      // If the filters cannot be compared, report a loss and let the author judge.
      guard cases?.canMissAll ?? true else { return nil }
      var told: Set<MappingPredicate> = []
      return Mistake(
        mappings: takers.map(\.name), entity: mapping.source.model.entities[entity].name,
        filters: filters.filter { told.insert($0).inserted },
        nilKey: cases?.nilKeyOfMissed, location: first.location(of: "where"))
    }
  }
}

extension EntityMappingFact {
  /// True if the source objects come from a custom expression.
  var fetchesItself: Bool { description.sourceExpression != nil }

  fileprivate func hasWrongFilter(in index: MappingIndex) -> Bool {
    guard let filter = mapping.filter else { return false }
    var environment = index.checking(.sourceFilter, in: self)
    environment.sourceFilter = nil
    return ExpressionChecker(environment).check(filter).hasErrors
  }
}

extension LosingFilter.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    let name = entity.quotedName
    let which = nilKey.map { ": those whose \($0.description.quotedName) is nil" } ?? ""
    return mappings.count == 1
      ? "objects of source entity \(name) are lost if the filter of entity mapping \(mappings[0].quotedName) excludes them"
        + which
      : "objects of source entity \(name) are lost if all filters of entity mappings \(mappings.quotedList) exclude them"
        + which
  }

  func remedy(_ names: MappingNames) -> String? {
    let start = "<entity-mapping source=\"\(entity)\" type=\"remove\""
    guard let clause = lost.flatMap(MappingPredicate.whereClause) else {
      return "write '\(start)/>' after the other entity mappings of \(entity.quotedName) to delete these objects"
    }
    let quote = clause.hasSuffix("'") ? "" : "'"
    return "write \(quote)\(start) \(clause)/>\(quote) to delete these objects"
  }

  /// The filter that only lost objects pass; nil if all objects are lost.
  private var lost: String? {
    if let nilKey { return MappingPredicate(.comparison(.init(nilKey, .equal, .nothing))).description }
    return filters.count == 1 ? filters[0].opposite : "NOT (\(MappingPredicate(.or(filters))))"
  }
}

extension MappingExpression {
  fileprivate static let nothing = MappingExpression(.constant(.value(.null)))
}
