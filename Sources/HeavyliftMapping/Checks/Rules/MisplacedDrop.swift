import HeavyliftModel

/// A dropped property must be a source property that no destination property is copied from.
struct MisplacedDrop: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.misplaced-drop"

    enum Flaw {
      case repeated
      case noSource
      case unknown(entity: Int, name: String)
      case copied(PropertyMappingDescription.Kind, name: String)
    }

    var drop: DroppedProperty
    var owner: EntityMappingFact
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.mappings.flatMap { fact -> [Mistake] in
      var seen: Set<String> = []
      return fact.description.droppedProperties.compactMap { drop in
        let isRepeated = !seen.insert(drop.name).inserted
        guard let flaw = isRepeated ? .repeated : flaw(of: drop, in: fact, mapping) else { return nil }
        return Mistake(drop: drop, owner: fact, flaw: flaw, location: drop.markup.location(of: "name"))
      }
    }
  }

  private func flaw(of drop: DroppedProperty, in fact: EntityMappingFact, _ mapping: MappingIndex) -> Mistake.Flaw? {
    if fact.hasUnknownSource { return nil }
    guard let source = fact.source else { return .noSource }
    switch mapping.source.property(named: drop.name, of: source)?.property {
    case nil where mapping.source.hasElement(drop.name, of: source): break
    case nil, .fetched: return .unknown(entity: source, name: mapping.source.model.entities[source].name)
    case .attribute, .relationship: break
    }
    let copies = fact.mapping.attributeMappings + fact.mapping.relationshipMappings
    let copy = copies.first { $0.origin.sourcePropertyName.map { DroppedProperty($0).covers(drop.name) } ?? false }
    return copy.map { .copied($0.kind, name: $0.name) }
  }
}

extension MisplacedDrop.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    let start = "\(owner.place) drops \(drop.name.quotedName)"
    return switch flaw {
    case .repeated: "\(start) a second time"
    case .noSource: "\(start), but has no source entity"
    case .unknown(_, let entity): "\(start), but source entity \(entity.quotedName) has no such property"
    case .copied(let kind, let name): "\(start), but \(kind.rawValue) \(name.quotedName) is copied from it"
    }
  }

  func remedy(_ names: MappingNames) -> String? {
    switch flaw {
    case .repeated: return "keep one of the two"
    case .noSource: return "remove the drop"
    case .unknown(let entity, _):
      return names.source.suggestion(
        for: drop.name, among: names.source.propertyNames(of: entity), kind: "property")
    case .copied(let kind, let name):
      return "remove the drop, or write '<\(kind.rawValue) name=\"\(name)\" copy=\"no\"/>' as well"
    }
  }
}
