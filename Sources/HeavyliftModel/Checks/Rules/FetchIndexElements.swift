/// A fetch index consists of columns of its entity's table.
struct FetchIndexElements: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.fetch-index"

    enum Flaw: Hashable {
      case empty
      case emptyElement
      case unknown(String, entity: Int)
      case notStored(String, reason: String)
    }

    var index: String
    var entity: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.enumerated().flatMap { number, entity in
      entity.fetchIndexes.flatMap { index -> [Mistake] in
        func mistake(_ flaw: Mistake.Flaw, _ location: DiagnosticLocation?) -> Mistake {
          Mistake(
            index: index.name, entity: entity.name, flaw: flaw,
            location: location ?? index.markup.location ?? entity.markup.location)
        }
        if index.elements.isEmpty { return [mistake(.empty, nil)] }
        return index.elements.compactMap { element in
          flaw(of: element, entity: number, in: model).map { mistake($0, element.markup.location(of: "property")) }
        }
      }
    }
  }

  private func flaw(
    of element: FetchIndexDescription.Element, entity: Int, in model: ModelIndex
  ) -> Mistake.Flaw? {
    guard let name = element.propertyName else { return element.expression == nil ? .emptyElement : nil }
    if model.hasStoredElement(name, of: entity) { return nil }
    guard let (property, _) = model.property(named: name, of: entity) else {
      return model.forest.isBroken[entity] ? nil : .unknown(name, entity: entity)
    }
    return property.reasonForNoColumn.map { .notStored(name, reason: $0) }
  }
}

extension FetchIndexElements.Mistake {
  var severity: Diagnostic.Severity {
    if case .unknown = flaw { .error } else { .warning }
  }

  var problem: String {
    let thing = "fetch index \(index.quotedName) of entity \(entity.quotedName)"
    switch flaw {
    case .empty: return "\(thing) has no elements"
    case .emptyElement: return "\(thing) has an element with neither a property nor an expression"
    case .unknown(let name, _): return "\(thing) includes \(name.quotedName), which the entity does not have"
    case .notStored(let name, let reason): return "\(thing) includes \(name.quotedName), which \(reason)"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .empty: "name the properties to index, or remove the index"
    case .emptyElement: "name a property, or remove the element"
    case .unknown(let name, let entity): names.column(insteadOf: name, of: entity)
    case .notStored: "use a stored attribute or to-one relationship"
    }
  }
}
