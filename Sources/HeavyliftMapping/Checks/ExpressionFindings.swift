import HeavyliftExpression
import HeavyliftModel

/// Mistakes in the written filters and expressions of a mapping, each with its location.
///
/// Values that completion filled in by name are excluded: they have their own rules, with messages that do not blame
/// the author for text that is not in the file.
struct ExpressionFindings {
  private static let mostSuggestions = 200

  private let mapping: MappingIndex

  init(_ mapping: MappingIndex) { self.mapping = mapping }

  func diagnostics() -> [Diagnostic] {
    var found: [Diagnostic] = []
    for fact in mapping.mappings {
      check(fact, &found)
      for written in fact.description.propertyMappings { check(written, of: fact, &found) }
    }
    return found
  }

  private func check(_ fact: EntityMappingFact, _ found: inout [Diagnostic]) {
    let markup = fact.description.markup
    if let filter = fact.mapping.filter, fact.mapping.sourceEntityName != nil {
      var environment = mapping.checking(.sourceFilter, in: fact)
      environment.sourceFilter = nil
      add(ExpressionChecker(environment).check(filter), fact, markup, "where", to: &found)
    }
    if let expression = fact.description.sourceExpression, fact.mapping.sourceEntityName != nil {
      var environment = mapping.checking(.sourceExpression, in: fact)
      environment.sourceFilter = nil
      add(ExpressionChecker(environment).check(expression), fact, markup, "source-expression", to: &found)
    }
  }

  /// Checks a property mapping's expression even if the property does not exist, to report mistakes in both.
  private func check(_ written: PropertyMappingDescription, of fact: EntityMappingFact, _ found: inout [Diagnostic]) {
    let property = fact.destinationProperties[written.name]
    func environment() -> CheckingEnvironment {
      let kind = property?.mappingKind ?? written.kind
      return mapping.checking(kind == .attribute ? .attribute : .relationship, in: fact)
    }
    switch written.source {
    case .automatic, .unmapped, .related(nil, _): return
    case .expression(let expression):
      var environment = environment()
      if written.kind == property?.mappingKind { environment.wanted = property?.wanted }
      add(
        ExpressionChecker(environment).check(expression), fact, written.markup, "value",
        isEvaluated: isEvaluated(fact), unknownMapping: { unknownMapping(written, of: fact) }, to: &found)
    case .related(let objects?, _):
      add(
        ExpressionChecker(environment()).check(objects), fact, written.markup, "from", isEvaluated: isEvaluated(fact),
        to: &found)
    }
  }

  /// False for the properties of an Xcode mapping that creates no objects on its own: Core Data never gets to them. In a
  /// mapping file, the author can remove them.
  private func isEvaluated(_ fact: EntityMappingFact) -> Bool {
    mapping.complete.mappingModel.unmentionedEntities != .dropped
      || (fact.mapping.sourceEntityName != nil && fact.mapping.destinationEntityName != nil)
  }

  /// Returns the severity if a relationship's expression names an unknown entity mapping; nil otherwise.
  private func unknownMapping(_ written: PropertyMappingDescription, of fact: EntityMappingFact) -> StoreDependence? {
    mapping.properties.first { $0.owner.number == fact.number && $0.complete.name == written.name }.flatMap {
      $0.unknownMapping(in: mapping) == nil ? nil : mapping.dependence(of: $0)
    }
  }

  private func add(
    _ checked: CheckedExpression, _ fact: EntityMappingFact, _ markup: MappingMarkup, _ name: String,
    isEvaluated: Bool = true, unknownMapping: () -> StoreDependence? = { nil }, to found: inout [Diagnostic]
  ) {
    // A possible nil value is not reported if it may only be a consequence of a misspelled entity or key.
    let isGuess = fact.hasUnknownSource || checked.findings.contains { $0.problem.severity == .error }
    for finding in checked.findings {
      if isGuess, case .mayBeNil = finding.problem { continue }
      // Searching for similar names takes time, and a thousand suggestions help no one.
      let remedy = found.count < Self.mostSuggestions ? self.remedy(for: finding.problem, fact) : nil
      let dependence: StoreDependence? =
        if !isEvaluated {
          StoreDependence(
            severity: finding.problem.severity == .error ? .warning : finding.problem.severity,
            suffix: "; it is never evaluated, because the entity mapping has no "
              + (fact.mapping.sourceEntityName == nil ? "source entity" : "destination entity"))
        } else if case .unknownEntityMapping = finding.problem { unknownMapping() } else { nil }
      found.append(
        Diagnostic(
          dependence?.severity ?? finding.problem.severity, code: finding.problem.code,
          problem: finding.problem.problem + (dependence?.suffix ?? ""),
          remedy: remedy, location: markup.location(of: name, scalarAt: finding.range.lowerBound)))
    }
  }
}

extension ExpressionFindings {
  private func remedy(for problem: CheckingMistake, _ fact: EntityMappingFact) -> String? {
    // The default policy has no functions.
    if case .unknownSelector(_, .entityPolicy, _) = problem, !fact.isCustom {
      return "set 'policy' to a policy that has this function"
    }
    return problem.remedy
  }
}

extension PropertyReference {
  fileprivate var wanted: CheckingEnvironment.Wanted? {
    switch self {
    case .attribute(let attribute): .attribute(attribute)
    case .relationship(let relationship): .relationship(relationship)
    case .fetched: nil
    }
  }
}
