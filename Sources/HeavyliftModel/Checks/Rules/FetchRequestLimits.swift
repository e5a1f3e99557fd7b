/// Limits and batch sizes are counts, so they cannot be negative.
struct FetchRequestLimits: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.fetch-request-limits"
    var thing: String
    var parameter: String
    var count: Int
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    var requests = model.model.fetchRequestTemplates.map { ("fetch request template \($0.name.quotedName)", $0) }
    for entity in model.model.entities {
      requests += entity.fetchedProperties.compactMap { property in
        property.fetchRequest.map { (PropertyPlace(.fetched(property), of: entity).description, $0) }
      }
    }
    return requests.flatMap { thing, request in
      [("fetchLimit", request.fetchLimit), ("fetchBatchSize", request.fetchBatchSize)].filter { $0.1 < 0 }
        .map { Mistake(thing: thing, parameter: $0, count: $1, location: request.markup.location(of: $0)) }
    }
  }
}

extension FetchRequestLimits.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String { "\(thing) has a \(parameter) of \(count)" }
  func remedy(_ names: NameSuggestions) -> String? { "write a count of 0 or more; 0 means no limit" }
}
