/// Everything that is looked up by name must have a name.
struct EmptyName: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.empty-name"
    /// The thing without a name, such as "an attribute of entity 'Book'".
    var thing: String
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var found: [Mistake] = []
    func check(_ name: String, _ thing: @autoclosure () -> String, _ markup: Markup) {
      if name.isEmpty { found.append(Mistake(thing: thing(), location: markup.location(of: "name"))) }
    }
    for entity in model.model.entities {
      var owner: String { "entity \(entity.name.quotedName)" }
      check(entity.name, "an entity", entity.markup)
      for property in entity.properties {
        check(property.name, "\(property.kind.withArticle) of \(owner)", property.markup)
      }
      for index in entity.fetchIndexes { check(index.name, "a fetch index of \(owner)", index.markup) }
    }
    for composite in model.model.composites {
      check(composite.name, "a composite type", composite.markup)
      for element in composite.elements {
        check(element.name, "an element of composite \(composite.name.quotedName)", element.markup)
      }
    }
    for configuration in model.model.configurations {
      check(configuration.name, "a configuration", configuration.markup)
    }
    for request in model.model.fetchRequestTemplates {
      check(request.name, "a fetch request template", request.markup)
    }
    return found
  }
}

extension EmptyName.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(thing) has no name" }
  func remedy(_ names: NameSuggestions) -> String? { "give it a name" }
}
