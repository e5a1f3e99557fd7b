/// Column names are property names in upper case, so `name` and `Name` would share a column.
struct PropertyNamesDifferInCase: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.property-names-differ-in-case"
    var place: PropertyPlace
    var other: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.flatMap { entity in
      var first: [String: String] = [:]
      return entity.properties.compactMap { property -> Mistake? in
        guard property.reasonForNoColumn == nil else { return nil }
        let key = property.name.uppercased()
        guard let other = first[key] else {
          first[key] = property.name
          return nil
        }
        guard other != property.name else { return nil }
        return Mistake(
          place: PropertyPlace(property, of: entity), other: other, location: property.markup.location(of: "name"))
      }
    }
  }
}

extension PropertyNamesDifferInCase.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    "\(place) differs from \(other.quotedName) only in case, so both would have column 'Z\(other.uppercased())'"
  }
  func remedy(_ names: NameSuggestions) -> String? { "rename one of them" }
}
