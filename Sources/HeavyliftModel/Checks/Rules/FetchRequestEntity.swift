/// A fetch request in a model fetches an entity of the same model.
struct FetchRequestEntity: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.fetch-request-entity"
    /// The fetch request in words, such as "fetch request template 'recent'".
    var thing: String
    /// The entity's name; nil if the request has none.
    var entity: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var found: [Mistake] = []
    func check(_ request: FetchRequestDescription, _ thing: String, _ fallback: DiagnosticLocation?) {
      if let name = request.entityName, model.entity(named: name) != nil { return }
      found.append(
        Mistake(thing: thing, entity: request.entityName, location: request.markup.location(of: "entity") ?? fallback))
    }
    for request in model.model.fetchRequestTemplates {
      check(request, "fetch request template \(request.name.quotedName)", nil)
    }
    for entity in model.model.entities {
      for property in entity.fetchedProperties {
        guard let request = property.fetchRequest else { continue }
        check(request, PropertyPlace(.fetched(property), of: entity).description, property.markup.location)
      }
    }
    return found
  }
}

extension FetchRequestEntity.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    entity.map { "\(thing) fetches entity \($0.quotedName), which the model does not have" }
      ?? "\(thing) does not say which entity it fetches"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    entity.map { names.entity(insteadOf: $0) } ?? "name the entity to fetch"
  }
}
