/// A composite attribute must name a composite type of the same model.
struct UnknownComposite: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.unknown-composite"
    var place: PropertyPlace
    /// The composite type's name; nil if the attribute has none.
    var composite: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let known = Set(model.model.composites.map(\.name))
    return model.attributes.compactMap { fact in
      let attribute = fact.attribute
      guard attribute.type == .composite, attribute.compositeName.map({ !known.contains($0) }) ?? true else {
        return nil
      }
      return Mistake(
        place: fact.place, composite: attribute.compositeName,
        location: attribute.markup.location(of: "attributeType"))
    }
  }
}

extension UnknownComposite.Mistake {
  var severity: Diagnostic.Severity { composite == nil ? .warning : .error }
  var problem: String {
    composite.map { "\(place) is of composite type \($0.quotedName), which the model does not have" }
      ?? "\(place) is a composite, but names no composite type"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    composite.map { names.composite(insteadOf: $0) } ?? "name its composite type"
  }
}
