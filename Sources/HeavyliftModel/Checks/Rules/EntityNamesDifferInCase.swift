/// Table names are entity names in upper case, so `Book` and `BOOK` cannot both have a table.
struct EntityNamesDifferInCase: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.entity-names-differ-in-case"
    var name: String
    var other: String
    /// True if both are roots, whose tables would have the same name.
    var shareTable: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let entities = model.model.entities
    let groups = Dictionary(grouping: entities.indices, by: { entities[$0].name.uppercased() })
    return groups.values.flatMap { group -> [Mistake] in
      // Only a root has a table named after it, so the other entities are compared with the first root.
      let first = group.first { model.forest.parents[$0] == nil } ?? group[0]
      return group.compactMap { number in
        guard entities[number].name != entities[first].name else { return nil }
        let isRoot = model.forest.parents[number] == nil && model.forest.parents[first] == nil
        return Mistake(
          name: entities[number].name, other: entities[first].name, shareTable: isRoot,
          location: entities[number].markup.location(of: "name"))
      }
    }
  }
}

extension EntityNamesDifferInCase.Mistake {
  var severity: Diagnostic.Severity { shareTable ? .error : .warning }
  var problem: String {
    let consequence = shareTable ? ", so both would have table 'Z\(name.uppercased())'" : ""
    return "entity \(name.quotedName) differs from entity \(other.quotedName) only in case\(consequence)"
  }
  func remedy(_ names: NameSuggestions) -> String? { "rename one of them" }
}
