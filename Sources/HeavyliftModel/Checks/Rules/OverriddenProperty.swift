/// A sub-entity inherits its parent's properties; if it declares a property again, the inherited one is hidden.
struct OverriddenProperty: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.overridden-property"
    var place: PropertyPlace
    var ancestor: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let entities = model.model.entities
    return entities.enumerated().flatMap { number, entity -> [Mistake] in
      guard let parent = model.forest.parents[number] else { return [] }
      return entity.properties.compactMap { property in
        guard let inherited = model.property(named: property.name, of: parent), !property.name.isEmpty else {
          return nil
        }
        return Mistake(
          place: PropertyPlace(property, of: entity), ancestor: entities[inherited.declaredBy].name,
          location: property.markup.location(of: "name"))
      }
    }
  }
}

extension OverriddenProperty.Mistake {
  // A model that is built in code can declare a property again, and Core Data accepts it, so it is not an error.
  var severity: Diagnostic.Severity { .warning }
  var problem: String { "\(place) hides the one that is inherited from entity \(ancestor.quotedName)" }
  func remedy(_ names: NameSuggestions) -> String? { "remove it and use the inherited one, or rename it" }
}
