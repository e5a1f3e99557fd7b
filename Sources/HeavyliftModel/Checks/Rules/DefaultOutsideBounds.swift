/// A default must pass its attribute's own validation, or every new object needs another value before it can be
/// saved.
struct DefaultOutsideBounds: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.default-outside-bounds"

    enum Flaw: Hashable {
      case belowMinimum
      case aboveMaximum
      case tooShort(Int)
      case tooLong(Int)
    }

    var place: PropertyPlace
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      guard let flaw = flaw(of: fact.attribute) else { return nil }
      return Mistake(
        place: fact.place, flaw: flaw,
        location: fact.attribute.markup.location(ofFirst: "defaultValueString", "defaultDateTimeInterval"))
    }
  }

  private func flaw(of attribute: AttributeDescription) -> Mistake.Flaw? {
    let (value, validation) = (attribute.defaultValue, attribute.validation)
    let compared = value.compared(in: attribute.type)
    if compared.precedes(validation.minimum.compared(in: attribute.type)) == true { return .belowMinimum }
    if validation.maximum.compared(in: attribute.type).precedes(compared) == true { return .aboveMaximum }
    guard let length = value.string?.utf16.count else { return nil }
    if let least = validation.minimumLength, length < least { return .tooShort(least) }
    if let most = validation.maximumLength, length > most { return .tooLong(most) }
    return nil
  }
}

extension DefaultOutsideBounds.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    switch flaw {
    case .belowMinimum: "\(place) has a default below its own minimum"
    case .aboveMaximum: "\(place) has a default above its own maximum"
    case .tooShort(let least): "\(place) has a default shorter than its own minimum length of \(least)"
    case .tooLong(let most): "\(place) has a default longer than its own maximum length of \(most)"
    }
  }
  func remedy(_ names: NameSuggestions) -> String? { "change the default, or the bound" }
}
