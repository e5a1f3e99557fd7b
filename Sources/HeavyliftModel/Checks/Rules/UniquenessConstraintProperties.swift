/// A uniqueness constraint consists of columns of its entity's table: stored attributes and to-one relationships.
struct UniquenessConstraintProperties: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.uniqueness-constraint"

    enum Flaw: Hashable {
      case empty
      case unknown(String, entity: Int)
      /// The property has no column, for a reason such as "is transient".
      case notStored(String, reason: String)
      case repeated(String)
      case inherited(String, from: String)
      case duplicate([String])
    }

    var entity: String
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.enumerated().flatMap { number, entity -> [Mistake] in
      var constraints: Set<Set<String>> = []
      return entity.uniquenessConstraints.flatMap { constraint -> [Mistake] in
        let names = constraint.propertyNames
        var flaws = flaws(of: names, entity: number, in: model)
        if !names.isEmpty, !constraints.insert(Set(names)).inserted { flaws.append(.duplicate(names)) }
        return flaws.map {
          Mistake(
            entity: entity.name, flaw: $0, location: constraint.markup.location ?? entity.markup.location)
        }
      }
    }
  }

  private func flaws(of names: [String], entity: Int, in model: ModelIndex) -> [Mistake.Flaw] {
    if names.isEmpty { return [.empty] }
    var seen: Set<String> = []
    return names.compactMap { name in
      if !seen.insert(name).inserted { return .repeated(name) }
      if model.hasStoredElement(name, of: entity) { return nil }
      guard let (property, owner) = model.property(named: name, of: entity) else {
        return model.forest.isBroken[entity] ? nil : .unknown(name, entity: entity)
      }
      if let reason = property.reasonForNoColumn { return .notStored(name, reason: reason) }
      return owner == entity ? nil : .inherited(name, from: model.model.entities[owner].name)
    }
  }
}

extension UniquenessConstraintProperties.Mistake {
  var severity: Diagnostic.Severity {
    switch flaw {
    case .empty, .unknown, .notStored: .error
    case .repeated, .inherited, .duplicate: .warning
    }
  }

  var problem: String {
    let thing = "a uniqueness constraint of entity \(entity.quotedName)"
    switch flaw {
    case .empty: return "\(thing) has no properties"
    case .unknown(let name, _): return "\(thing) includes \(name.quotedName), which the entity does not have"
    case .notStored(let name, let reason): return "\(thing) includes \(name.quotedName), which \(reason)"
    case .repeated(let name): return "\(thing) has \(name.quotedName) twice"
    case .inherited(let name, let ancestor):
      return "\(thing) includes \(name.quotedName), which is inherited from entity \(ancestor.quotedName)"
    case .duplicate(let names): return "\(thing) on \(names.quotedList) is declared more than once"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .empty: "name the properties that must be unique together, or remove the constraint"
    case .unknown(let name, let entity): names.column(insteadOf: name, of: entity)
    case .notStored: "use a stored attribute or to-one relationship"
    case .repeated, .duplicate: "remove one of them"
    case .inherited(_, let ancestor): "declare the constraint in entity \(ancestor.quotedName)"
    }
  }
}
