import HeavyliftExpression
import HeavyliftModel

/// What is wrong with the filters and expressions that stand written in a mapping, each at its place.
///
/// What was filled in by name is not looked at here: rules of its own judge it, in words that fit what nobody wrote.
struct ExpressionFindings {
  private static let mostSuggestions = 200

  private let mapping: MappingIndex

  init(_ mapping: MappingIndex) { self.mapping = mapping }

  func diagnostics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    for fact in mapping.mappings { check(fact, &found) }
    for property in mapping.properties { check(property, &found) }
    return found
  }

  private func check(_ fact: EntityMappingFact, _ found: inout [Diagnostic]) {
    let markup = fact.description.markup
    if let filter = fact.mapping.filter, fact.mapping.sourceEntityName != nil {
      var environment = mapping.checking(.sourceFilter, in: fact)
      environment.sourceFilter = nil
      add(ExpressionChecker(environment).check(filter), markup, "where", to: &found)
    }
    if let expression = fact.description.sourceExpression, fact.mapping.sourceEntityName != nil {
      var environment = mapping.checking(.sourceExpression, in: fact)
      environment.sourceFilter = nil
      add(ExpressionChecker(environment).check(expression), markup, "source-expression", to: &found)
    }
  }

  private func check(_ property: PropertyMappingFact, _ found: inout [Diagnostic]) {
    guard let written = property.written, let kind = property.property.mappingKind else { return }
    var environment = mapping.checking(kind == .attribute ? .attribute : .relationship, in: property.owner)
    switch written.source {
    case .automatic, .unmapped, .related(nil, _): return
    case .expression(let expression):
      if written.kind == kind { environment.wanted = property.wanted }
      add(ExpressionChecker(environment).check(expression), written.markup, "value", to: &found)
    case .related(let objects?, _):
      add(ExpressionChecker(environment).check(objects), written.markup, "from", to: &found)
    }
  }

  private func add(
    _ checked: CheckedExpression, _ markup: MappingMarkup, _ name: String, to found: inout [Diagnostic]
  ) {
    for finding in checked.findings {
      found.append(
        Diagnostic(
          finding.problem.severity, code: finding.problem.code, problem: finding.problem.problem,
          // Looking for near names takes time, and nobody reads the thousandth suggestion.
          remedy: found.count < Self.mostSuggestions ? finding.problem.remedy : nil,
          location: markup.location(of: name, scalarAt: finding.range.lowerBound)))
    }
  }
}

extension PropertyMappingFact {
  fileprivate var wanted: CheckingEnvironment.Wanted? {
    switch property {
    case .attribute(let attribute): .attribute(attribute)
    case .relationship(let relationship): .relationship(relationship)
    case .fetched: nil
    }
  }
}
