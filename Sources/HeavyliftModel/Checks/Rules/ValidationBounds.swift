/// The minimum that validation allows must not exceed the maximum.
struct ValidationBounds: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.validation-bounds"

    enum Flaw: Hashable {
      case values
      case lengths(Int, Int)
      case negativeMaximumLength(Int)
    }

    var place: PropertyPlace
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      guard let flaw = flaw(of: fact.attribute.validation) else { return nil }
      return Mistake(
        place: fact.place, flaw: flaw,
        location: fact.attribute.markup.location(ofFirst: "minValueString", "minDateTimeInterval", "maxValueString"))
    }
  }

  private func flaw(of validation: AttributeValidation) -> Mistake.Flaw? {
    if validation.maximum.precedes(validation.minimum) == true { return .values }
    guard let most = validation.maximumLength else { return nil }
    if most < 0 { return .negativeMaximumLength(most) }
    if let least = validation.minimumLength, least > most { return .lengths(least, most) }
    return nil
  }
}

extension ValidationBounds.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    switch flaw {
    case .values: "\(place) has a minimum above its maximum, so no value is valid"
    case .lengths(let least, let most):
      "\(place) must have at least \(least) and at most \(most) characters, which is impossible"
    case .negativeMaximumLength(let most): "\(place) has a maximum length of \(most), so no text is valid"
    }
  }
  func remedy(_ names: NameSuggestions) -> String? { "lower the minimum, or raise the maximum" }
}
