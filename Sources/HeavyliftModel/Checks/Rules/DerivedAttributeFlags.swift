/// The store computes a derived attribute when it saves the object. The attribute has no value before that, and never
/// has one if it is not stored.
struct DerivedAttributeFlags: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.derived-attribute"

    enum Flaw: Hashable {
      case mandatory
      case transient
      case hasDefault
      case emptyExpression
    }

    var place: PropertyPlace
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.flatMap { fact -> [Mistake] in
      let attribute = fact.attribute
      guard let expression = attribute.derivationExpression else { return [] }
      let flaws: [(Bool, Mistake.Flaw, String)] = [
        (!attribute.isOptional, .mandatory, "optional"),
        (attribute.isTransient, .transient, "transient"),
        (!attribute.defaultValue.isNull, .hasDefault, "defaultValueString"),
        (expression.allSatisfy(\.isWhitespace), .emptyExpression, "derivationExpression"),
      ]
      return flaws.filter(\.0).map {
        Mistake(place: fact.place, flaw: $0.1, location: attribute.markup.location(of: $0.2))
      }
    }
  }
}

extension DerivedAttributeFlags.Mistake {
  var severity: Diagnostic.Severity { flaw == .emptyExpression ? .error : .warning }

  var problem: String {
    switch flaw {
    case .mandatory: "\(place) is derived and mandatory, but has no value before its object is first saved"
    case .transient: "\(place) is derived and transient, but the store derives only attributes that it stores"
    case .hasDefault: "\(place) is derived and has a default, which is never used"
    case .emptyExpression: "\(place) is derived from an empty expression"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .mandatory: "make it optional"
    case .transient: "make it derived or transient, but not both"
    case .hasDefault: "remove the default"
    case .emptyExpression: "write the expression that it is derived from"
    }
  }
}
