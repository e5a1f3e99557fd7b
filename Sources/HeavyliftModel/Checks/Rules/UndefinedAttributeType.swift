/// A stored attribute must have a type; only a transient attribute can do without one.
struct UndefinedAttributeType: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.undefined-attribute-type"
    var place: PropertyPlace
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.filter { $0.attribute.type == .undefined && !$0.attribute.isTransient }
      .map { Mistake(place: $0.place, location: $0.attribute.markup.location(of: "attributeType")) }
  }
}

extension UndefinedAttributeType.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) has no type" }
  func remedy(_ names: NameSuggestions) -> String? { "choose a type, or make it transient" }
}
