/// A default must not be NaN, which SQLite stores as NULL.
struct DefaultNotANumber: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.default-not-a-number"
    var place: PropertyPlace
    var isOptional: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      guard fact.attribute.defaultValue.isNotANumber, !fact.attribute.isTransient else { return nil }
      return Mistake(
        place: fact.place, isOptional: fact.attribute.isOptional,
        location: fact.attribute.markup.location(ofFirst: "defaultValueString", "defaultDateTimeInterval"))
    }
  }
}

extension DefaultNotANumber.Mistake {
  var severity: Diagnostic.Severity { isOptional ? .warning : .error }
  var problem: String { "\(place) has a default that is not a number (NaN), which a store holds as nil" }
  func remedy(_ names: NameSuggestions) -> String? { isOptional ? "remove the default" : "choose another default" }
}
