/// With delete rule "No Action", the other end keeps pointing to a deleted object. Xcode warns, too.
struct NoActionDeleteRule: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.no-action-delete-rule"
    var place: PropertyPlace
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.filter { $0.relationship.deleteRule == .noAction && !$0.relationship.isTransient }
      .map { Mistake(place: $0.place, location: $0.relationship.markup.location(of: "deletionRule")) }
  }
}

extension NoActionDeleteRule.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) has delete rule No Action, which can leave references to deleted objects" }
  func remedy(_ names: NameSuggestions) -> String? { "choose Nullify, Cascade or Deny" }
}
