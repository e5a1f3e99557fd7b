import HeavyliftModel

/// Every source property should be read.
///
/// Usually, an unread property was removed on purpose, so this rule only adds a note for each source entity.
struct UnreadProperty: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.unread-property"
    var properties: [PropertyReference]
    var entity: String
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let unread = mapping.facts.unread
    return mapping.mappings.compactMap { fact in
      guard let entity = fact.source, mapping.facts.isFirstTaker(fact) else { return nil }
      let properties = unread.properties(of: entity)
      if properties.isEmpty { return nil }
      return Mistake(
        properties: properties, entity: mapping.source.model.entities[entity].name,
        location: fact.location(of: "source"))
    }
  }
}

extension UnreadProperty.Mistake {
  var severity: Diagnostic.Severity { .note }

  var problem: String {
    "nothing reads \(properties.map(\.name).quotedList) of source entity \(entity.quotedName)"
  }

  func remedy(_ names: MappingNames) -> String? {
    properties.count == 1 ? "its values are not migrated" : "their values are not migrated"
  }
}
