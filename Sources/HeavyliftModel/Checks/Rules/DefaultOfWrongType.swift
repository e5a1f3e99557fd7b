/// A default must be a value of its attribute's type.
///
/// Xcode writes the text as typed, and Core Data converts it if it can: "0.0" and "NO" are common defaults of
/// integers.
struct DefaultOfWrongType: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.default-type"
    var place: PropertyPlace
    var type: AttributeType
    var kind: String
    var fit: ValueFit
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      let attribute = fact.attribute
      let fit = ValueFit(attribute.defaultValue, attribute.type)
      guard fit != .fits else { return nil }
      return Mistake(
        place: fact.place, type: attribute.type, kind: attribute.defaultValue.kind, fit: fit,
        location: attribute.markup.location(ofFirst: "defaultValueString", "defaultDateTimeInterval"))
    }
  }
}

extension DefaultOfWrongType.Mistake {
  var severity: Diagnostic.Severity { fit == .unconvertible ? .error : .warning }

  var problem: String {
    switch fit {
    case .outOfRange: "\(place) has a default that is outside the range of \(type.modelName)"
    case .unconvertible: "\(place) has type \(type.modelName), but its default is \(kind), which cannot be converted"
    case .meaningless: "\(place) has a default, which has no effect for type \(type.modelName)"
    case .fits, .convertible: "\(place) has type \(type.modelName), but its default is \(kind)"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch fit {
    case .outOfRange: "choose a default within the range, or a wider type"
    case .meaningless: "remove the default"
    case .fits, .convertible, .unconvertible: "write a default of type \(type.modelName), or none"
    }
  }
}
