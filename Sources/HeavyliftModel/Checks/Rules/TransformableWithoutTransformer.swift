/// A transformable attribute should name its transformer: without one, or with the old default, any class at all is
/// decoded from the store. Xcode advises against both.
struct TransformableWithoutTransformer: ModelRule {
  private static let insecure: Set<String> = [
    "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
    "NSUnarchiveFromDataTransformerName",
  ]

  struct Mistake: ModelMistake {
    static let code = "model.insecure-transformer"
    var place: PropertyPlace
    var transformer: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      let attribute = fact.attribute
      guard attribute.type == .transformable, !attribute.isTransient else { return nil }
      let transformer = attribute.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 }
      guard transformer.map(Self.insecure.contains) ?? true else { return nil }
      return Mistake(
        place: fact.place, transformer: transformer,
        location: attribute.markup.location(of: "valueTransformerName"))
    }
  }
}

extension TransformableWithoutTransformer.Mistake {
  var severity: Diagnostic.Severity { .note }
  var problem: String {
    transformer.map { "\(place) has transformer \($0.quotedName), which decodes any class" }
      ?? "\(place) names no transformer, so any class is decoded"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    "use 'NSSecureUnarchiveFromData', which decodes only known classes and can read the existing values"
  }
}
