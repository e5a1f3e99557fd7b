import Foundation

/// A validation pattern must compile. Foundation uses ICU patterns, as Core Data does.
struct InvalidRegularExpression: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.invalid-regular-expression"
    var place: PropertyPlace
    var pattern: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.attributes.compactMap { fact in
      guard let pattern = fact.attribute.validation.regularExpression, !Self.compiles(pattern) else { return nil }
      return Mistake(
        place: fact.place, pattern: pattern,
        location: fact.attribute.markup.location(of: "regularExpressionString"))
    }
  }

  private static func compiles(_ pattern: String) -> Bool {
    // Core Data ignores an empty pattern; Foundation rejects it.
    pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil
  }
}

extension InvalidRegularExpression.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) has regular expression \(pattern.quotedName), which is not valid" }
  func remedy(_ names: NameSuggestions) -> String? {
    "use ICU syntax; check for an unclosed bracket or a quantifier with nothing to repeat"
  }
}
