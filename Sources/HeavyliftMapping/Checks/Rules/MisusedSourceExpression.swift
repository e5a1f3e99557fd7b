import HeavyliftExpression
import HeavyliftModel

/// A source expression must return objects of the source entity, and cannot be combined with a filter.
struct MisusedSourceExpression: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.source-expression"

    enum Flaw {
      case ignoredFilter
      case noObjects(ExpressionType.Kind)
      case otherEntity(String, wanted: String)
    }

    var place: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      guard let expression = fact.description.sourceExpression, let wanted = fact.source else { return [] }
      var found: [Mistake] = []
      if fact.mapping.filter != nil {
        found.append(Mistake(place: fact.place, flaw: .ignoredFilter, location: fact.location(of: "where")))
      }
      let checked = ExpressionChecker(mapping.checking(.sourceExpression, in: fact)).check(expression)
      if checked.hasErrors { return found }
      if let flaw = flaw(checked.type.kind, wanted, in: mapping) {
        found.append(Mistake(place: fact.place, flaw: flaw, location: fact.location(of: "source-expression")))
      }
      return found
    }
  }

  private func flaw(_ kind: ExpressionType.Kind, _ wanted: Int, in mapping: MappingIndex) -> Mistake.Flaw? {
    switch kind {
    case .any, .collection(_, .any): return nil
    case .collection:
      guard let name = kind.sourceEntity else { return .noObjects(kind) }
      guard let entity = mapping.source.entity(named: name), !mapping.source.areRelated(entity, wanted) else {
        return nil
      }
      return .otherEntity(name, wanted: mapping.source.model.entities[wanted].name)
    default: return .noObjects(kind)
    }
  }
}

extension MisusedSourceExpression.Mistake {
  var severity: Diagnostic.Severity { if case .ignoredFilter = flaw { .warning } else { .error } }

  var problem: String {
    switch flaw {
    case .ignoredFilter: "the filter of \(place) is ignored, because the entity mapping has a source expression"
    case .noObjects(let kind): "the source expression of \(place) yields \(kind), not a collection of source objects"
    case .otherEntity(let name, let wanted):
      "the source expression of \(place) yields objects of entity \(name.quotedName) instead of \(wanted.quotedName)"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .ignoredFilter: "filter in the source expression, or remove one of the two"
    case .noObjects: "remove it: without it, the objects are fetched by entity and filter"
    case .otherEntity: "name that entity with 'source', or remove the expression"
    }
  }
}
