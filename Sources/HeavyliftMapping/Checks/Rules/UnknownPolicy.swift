import HeavyliftModel

/// The policy that an entity mapping names must be registered.
struct UnknownPolicy: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unknown-policy"
    var place: String
    var name: String
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    guard let policies = mapping.policies else { return [] }
    return mapping.mappings.compactMap { fact in
      guard let name = fact.mapping.policyClassName, policies.functions(of: name) == nil else { return nil }
      return Mistake(place: fact.place, name: name, location: fact.location(of: "policy"))
    }
  }
}

extension UnknownPolicy.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) names policy \(name.quotedName), which is not registered" }
  func remedy(_ names: MappingNames) -> String? { names.policy(insteadOf: name) }
}
