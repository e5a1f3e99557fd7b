import Foundation

/// A pattern of validation compiles. Foundation's patterns are ICU's, as Core Data's are.
struct InvalidRegularExpression: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.invalid-regular-expression"
    var place: PropertyPlace
    var pattern: String
    var location: SourceLocation?
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
    // An empty pattern is no pattern to Core Data, and an error to Foundation.
    pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil
  }
}

extension InvalidRegularExpression.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(place) has regular expression \(pattern.quotedName), which does not compile" }
  func remedy(_ names: NameSuggestions) -> String? {
    "write it in ICU's syntax; look for a bracket that is not closed or a repetition of nothing"
  }
}
