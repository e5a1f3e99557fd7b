/// Validation must suit its attribute's type: bounds need an order, lengths and patterns need text.
struct ValidationWithoutEffect: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.validation-without-effect"

    enum Flaw: Hashable {
      /// A parameter that does not suit the type, such as "a minimum" or "a regular expression".
      case notForType(String)
      case wrongKind(String, kind: String)
      case beyondRange(String)
      case negativeMinimumLength(Int)
    }

    var place: PropertyPlace
    var type: AttributeType
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.flatMap { fact in
      flaws(of: fact.attribute).map { names, flaw in
        let markup = fact.attribute.markup
        let written = names.first { markup[$0] != nil } ?? names[0]
        return Mistake(
          place: fact.place, type: fact.attribute.type, flaw: flaw, location: markup.location(of: written))
      }
    }
  }

  /// Returns each flaw with the names that the flawed parameter can have in a file.
  private func flaws(of attribute: AttributeDescription) -> [([String], Mistake.Flaw)] {
    let (type, validation) = (attribute.type, attribute.validation)
    var flaws: [([String], Mistake.Flaw)] = []
    let bounds = [
      ("a minimum", validation.minimum, ["minValueString", "minDateTimeInterval"]),
      ("a maximum", validation.maximum, ["maxValueString", "maxDateTimeInterval"]),
    ]
    for (thing, value, names) in bounds where !value.isNull {
      switch type {
      case .integer16, .integer32, .integer64:
        if case .integer(let number) = value, type.integerRange?.contains(number) == false {
          flaws.append((names, .beyondRange(thing)))
        } else if Self.numberOrNil(value) == nil {
          flaws.append((names, .wrongKind(thing, kind: value.kind)))
        }
      case .decimal, .double, .float:
        if Self.numberOrNil(value) == nil { flaws.append((names, .wrongKind(thing, kind: value.kind))) }
      case .date: if value.date == nil { flaws.append((names, .wrongKind(thing, kind: value.kind))) }
      default: flaws.append((names, .notForType(thing)))
      }
    }
    let ofText: [(String, Bool, [String])] = [
      ("a minimum length", validation.minimumLength != nil, ["minValueString"]),
      ("a maximum length", validation.maximumLength != nil, ["maxValueString"]),
      ("a regular expression", validation.regularExpression != nil, ["regularExpressionString"]),
    ]
    for (thing, isGiven, names) in ofText where isGiven && type != .string {
      flaws.append((names, .notForType(thing)))
    }
    if type == .string, let least = validation.minimumLength, least < 0 {
      flaws.append((["minValueString"], .negativeMinimumLength(least)))
    }
    return flaws
  }

  private static func numberOrNil(_ value: Value) -> Double? {
    switch value {
    case .integer, .double, .decimal: ValueFit.number(value)
    default: nil
    }
  }
}

extension ValidationWithoutEffect.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    switch flaw {
    case .notForType(let thing): "\(place) has \(thing), which has no effect for type \(type.modelName)"
    case .wrongKind(let thing, let kind): "\(place) has type \(type.modelName), but has \(thing) that is \(kind)"
    case .beyondRange(let thing): "\(place) has \(thing) outside the range of \(type.modelName)"
    case .negativeMinimumLength(let least): "\(place) has a minimum length of \(least), which has no effect"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .notForType: "remove it"
    case .wrongKind: "write a bound of type \(type.modelName)"
    case .beyondRange: "choose a bound within the range, or a wider type"
    case .negativeMinimumLength: "write a length of 0 or more"
    }
  }
}
