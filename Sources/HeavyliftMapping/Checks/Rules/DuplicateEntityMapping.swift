import HeavyliftModel

/// The names of entity mappings tell them apart: objects are asked for by them.
struct DuplicateEntityMapping: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.duplicate-entity-mapping"
    var name: String
    /// Whether the second one says its name itself.
    var isGiven: Bool
    var isEmpty: Bool
    var location: SourceLocation?
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
  // Nobody asks for the objects of a mapping that has none.
  var severity: Diagnostic.Severity { isEmpty ? .warning : .error }
  var problem: String { "there is another entity mapping \(name.quotedName) before this one" }

  func remedy(_ names: MappingNames) -> String? {
    isGiven ? "give it another name" : "give it a name of its own, with 'name'"
  }
}
