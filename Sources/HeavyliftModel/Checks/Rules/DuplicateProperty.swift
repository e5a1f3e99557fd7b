/// Attributes, relationships and fetched properties of an entity share one namespace.
struct DuplicateProperty: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.duplicate-property"
    var place: PropertyPlace
    /// The kind of property that already has the name.
    var otherKind: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var found: [Mistake] = []
    for entity in model.model.entities {
      var kinds: [String: String] = [:]
      for property in entity.properties where !property.name.isEmpty {
        if let kind = kinds[property.name] {
          let place = PropertyPlace(property, of: entity)
          found.append(Mistake(place: place, otherKind: kind, location: property.markup.location(of: "name")))
        } else {
          kinds[property.name] = property.kind
        }
      }
    }
    for composite in model.model.composites {
      var seen: Set<String> = []
      for element in composite.elements where !element.name.isEmpty && !seen.insert(element.name).inserted {
        let place = PropertyPlace(
          kind: "element", name: element.name, owner: "composite \(composite.name.quotedName)")
        found.append(Mistake(place: place, otherKind: "element", location: element.markup.location(of: "name")))
      }
    }
    return found
  }
}

extension DuplicateProperty.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    otherKind == place.kind
      ? "\(place) is declared more than once"
      : "\(place) has the same name as \(otherKind.withArticle) of the same entity"
  }
  func remedy(_ names: NameSuggestions) -> String? { "rename or remove one of them" }
}
