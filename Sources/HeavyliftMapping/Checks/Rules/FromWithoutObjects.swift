import HeavyliftExpression
import HeavyliftModel

/// The `from` expression of a relationship must return source objects.
struct FromWithoutObjects: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.no-source-objects"
    var place: String
    var found: ExpressionType.Kind
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard property.relationship != nil, case .related(let objects?, _)? = property.written?.source else { return nil }
      let kind = mapping.type(of: objects, in: property.owner).kind
      if kind.mayBeSourceObjects { return nil }
      return Mistake(place: property.place, found: kind, location: property.location(of: "from"))
    }
  }
}

extension ExpressionType.Kind {
  fileprivate var mayBeSourceObjects: Bool {
    switch self {
    case .object(_, .source), .any, .null: true
    case .collection(_, let element): element.mayBeSourceObjects
    default: false
    }
  }
}

extension FromWithoutObjects.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) must come from source objects, not \(found)" }
  func remedy(_ names: MappingNames) -> String? { "name a relationship, as in 'from=\"$source.key\"'" }
}
