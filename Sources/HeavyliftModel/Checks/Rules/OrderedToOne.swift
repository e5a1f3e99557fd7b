/// Only a to-many relationship can be ordered.
///
/// Xcode keeps the flag when a to-many relationship becomes to-one, and the version hash includes it.
struct OrderedToOne: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.ordered-to-one"
    var place: PropertyPlace
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.filter { $0.relationship.isOrdered && !$0.relationship.isToMany }
      .map { Mistake(place: $0.place, location: $0.relationship.markup.location(of: "ordered")) }
  }
}

extension OrderedToOne.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) is ordered, although it leads to at most one object" }
  func remedy(_ names: NameSuggestions) -> String? {
    "make it unordered; this changes the version hash, so do it in a new version of the model"
  }
}
