/// Only bytes can be stored in an external file: binary data and the output of transformers.
struct ExternalStorageWithoutEffect: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.external-storage-without-effect"
    var place: PropertyPlace
    var type: AttributeType
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      let attribute = fact.attribute
      guard attribute.allowsExternalBinaryDataStorage, attribute.type != .binaryData,
        attribute.type != .transformable
      else { return nil }
      return Mistake(
        place: fact.place, type: attribute.type,
        location: attribute.markup.location(of: "allowsExternalBinaryDataStorage"))
    }
  }
}

extension ExternalStorageWithoutEffect.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) allows external storage, which has no effect for type \(type.modelName)" }
  // Xcode keeps the flag when the type is changed, and the version hash includes it.
  func remedy(_ names: NameSuggestions) -> String? {
    "turn it off; this changes the version hash, so do it in a new version of the model"
  }
}
