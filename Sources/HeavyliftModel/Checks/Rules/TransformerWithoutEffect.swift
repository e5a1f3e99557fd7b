/// Only a transformable attribute can have a transformer.
struct TransformerWithoutEffect: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.transformer-without-effect"
    var place: PropertyPlace
    var type: AttributeType
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      let attribute = fact.attribute
      guard attribute.valueTransformerName != nil, attribute.type != .transformable, attribute.type != .undefined else {
        return nil
      }
      return Mistake(
        place: fact.place, type: attribute.type, location: attribute.markup.location(of: "valueTransformerName"))
    }
  }
}

extension TransformerWithoutEffect.Mistake {
  var severity: Diagnostic.Severity { .note }
  var problem: String { "\(place) names a transformer, which has no effect for type \(type.modelName)" }
  func remedy(_ names: NameSuggestions) -> String? { "remove it, or make the attribute transformable" }
}
