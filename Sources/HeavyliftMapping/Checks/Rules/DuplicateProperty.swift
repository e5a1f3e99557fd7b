import HeavyliftModel

/// A destination property must be mapped only once.
struct DuplicateProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.duplicate-property"
    var kind: PropertyMappingDescription.Kind
    var name: String
    var owner: String
    var first: DiagnosticLocation?
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      var firsts: [String: PropertyMappingDescription] = [:]
      return fact.description.propertyMappings.compactMap { property in
        guard let first = firsts[property.name] else {
          firsts[property.name] = property
          return nil
        }
        return Mistake(
          kind: property.kind, name: property.name, owner: fact.place, first: first.markup.location,
          location: property.markup.location(of: "name"))
      }
    }
  }
}

extension DuplicateProperty.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(kind.rawValue) \(name.quotedName) of \(owner) is mapped more than once" }

  func remedy(_ names: MappingNames) -> String? {
    first.map { "remove one of them; the first is on line \($0.line)" } ?? "remove one of them"
  }
}
