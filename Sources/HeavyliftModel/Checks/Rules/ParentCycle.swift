/// No entity may inherit from itself, directly or through others.
struct ParentCycle: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.parent-cycle"
    /// The entities of the cycle, each followed by its parent; the first one is repeated at the end.
    var path: [String]
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let entities = model.model.entities
    return model.forest.cycles.map { cycle in
      Mistake(
        path: (cycle + cycle.prefix(1)).map { entities[$0].name },
        location: entities[cycle[0]].markup.location(of: "parentEntity"))
    }
  }
}

extension ParentCycle.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let first = path[0].quotedName
    if path.count == 2 { return "entity \(first) is its own parent" }
    let most = 10
    var shown = path.map(\.quotedName)
    if shown.count > most { shown.replaceSubrange((most - 1)..<(shown.count - 1), with: ["…"]) }
    return "entity \(first) inherits from itself: \(shown.joined(separator: " → "))"
  }

  func remedy(_ names: NameSuggestions) -> String? {
    path.count == 2 ? "clear its parent" : "clear the parent of one of them"
  }
}
