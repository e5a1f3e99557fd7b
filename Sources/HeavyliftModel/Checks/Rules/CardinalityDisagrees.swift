/// `toMany` and `maxCount` must agree. If they do not, Core Data uses the count.
struct CardinalityDisagrees: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.cardinality-disagrees"
    var place: PropertyPlace
    var isToMany: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.compactMap { fact in
      let markup = fact.relationship.markup
      // Skips a relationship that was not read from XML or has changed since: its markup proves nothing.
      guard markup["name"] == fact.relationship.name else { return nil }
      let written = markup["toMany"]?.uppercased() == "YES"
      guard written != fact.relationship.isToMany else { return nil }
      return Mistake(
        place: fact.place, isToMany: fact.relationship.isToMany,
        location: markup.location(ofFirst: "toMany", "maxCount"))
    }
  }
}

extension CardinalityDisagrees.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    isToMany
      ? "\(place) is not marked toMany, but its maxCount makes it to-many"
      : "\(place) is marked toMany, but its maxCount of 1 makes it to-one"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    isToMany
      ? "write maxCount=\"1\" to make it to-one, or toMany=\"YES\" to make it to-many"
      : "remove toMany to make it to-one, or maxCount to make it to-many"
  }
}
