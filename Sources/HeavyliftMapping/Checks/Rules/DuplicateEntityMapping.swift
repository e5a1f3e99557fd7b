import HeavyliftModel

/// Names of entity mappings must be unique: expressions refer to mappings by name.
struct DuplicateEntityMapping: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.duplicate-entity-mapping"
    var name: String
    /// True if the second mapping has an explicit name.
    var isGiven: Bool
    var isEmpty: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.compactMap { fact in
      guard mapping.mapping(named: fact.name)?.number != fact.number else { return nil }
      let sides = (fact.mapping.sourceEntityName, fact.mapping.destinationEntityName)
      return Mistake(
        name: fact.name, isGiven: fact.description.givenName != nil, isEmpty: sides == (nil, nil),
        location: fact.location(of: "name"))
    }
  }
}

extension DuplicateEntityMapping.Mistake {
  // A mapping without entities creates no objects, so no expression refers to it.
  var severity: Diagnostic.Severity { isEmpty ? .warning : .error }
  var problem: String { "entity mapping \(name.quotedName) is a duplicate: an earlier one has the same name" }

  func remedy(_ names: MappingNames) -> String? {
    isGiven ? "give it another name" : "give it a name of its own, with 'name'"
  }
}
